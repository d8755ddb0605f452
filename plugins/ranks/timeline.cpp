#include "timeline.hpp"

#include "assay/table_rows.hpp"
#include "assay/words.hpp"

namespace assay::ranks {
namespace {

bool is_aligned(const JobRows& job, const RankClock& clock, std::size_t rank) {
  return rank == 0 || (job.ranks[0].origin != kNoInteger && clock.known && clock.fits);
}

void emit_clock_table(const JobRows& job, const Clocks& clocks, JobSink& sink) {
  TableRows<std::string, std::int64_t, std::int64_t, std::int64_t, double, std::int64_t, std::int64_t, std::string>
      rows;
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    const RankClock& clock = clocks.ranks[r];
    rows.add(job.ranks[r].path, job.ranks[r].number, clock.base_difference, clock.used, clock.slope, clock.pivot,
             is_aligned(job, clock, r) ? 1 : 0, alignment_text(job, clocks, r));
  }
  Table table = rows.table("clocks", "Clocks of the ranks against the first rank's",
                           {{"report"},
                            {"rank"},
                            {"base", "ns"},
                            {"offset", "ns"},
                            {"slope", "1"},
                            {"pivot", "ns"},
                            {"aligned"},
                            {"alignment"}});
  sink.table(table);
}

}  // namespace

std::string alignment_text(const JobRows& job, const Clocks& clocks, std::size_t rank) {
  const RankClock& clock = clocks.ranks[rank];
  const std::string first = "rank " + std::to_string(job.ranks[0].number);
  const std::string to = time_text(static_cast<double>(clock.uncertainty()));
  if (rank == 0) return "reference clock";
  if (job.ranks[rank].origin == kNoInteger || job.ranks[0].origin == kNoInteger)
    return "not aligned: a file does not record when its clock started";
  if (!clock.known) return "not aligned: no matched collective connects it to " + first;
  if (!clock.fits) return "not aligned: no offset and no drift fits its collectives";
  if (clock.drifts)
    return filled("drift-corrected by {} ppm against {}, right to {}", {printed("%.3g", clock.slope * 1e6), first, to});
  if (clock.used != 0)
    return filled("shifted by {} against {}, right to {}", {time_text(static_cast<double>(clock.used)), first, to});
  return filled("aligned by file timestamps, within {} of {}", {to, first});
}

void emit_timeline(const JobRows& job, const Matches& matches, const Waits& waits, const Clocks& clocks,
                   JobSink& sink) {
  emit_clock_table(job, clocks, sink);
  TableRows<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t> rows;
  for (std::size_t i = 0; i < matches.all.size(); ++i) {
    const Match& m = matches.all[i];
    const Group& group = matches.groups[m.group];
    for (std::uint32_t k = 0; k < group.members.size(); ++k) {
      const RankRows& rank = job.ranks[group.members[k]];
      const std::uint32_t row = matches.row(m, k);
      rows.add(static_cast<std::int64_t>(i), static_cast<std::int64_t>(group.members[k]), rank.begin[row],
               rank.finish[row], tells(job, matches, m) ? rank.duration(row) - waits.transfer[i] : kNoInteger);
    }
  }
  Table table = rows.table("matched", "Collectives on their ranks",
                           {{"collective"}, {"clock"}, {"start", "ns"}, {"end", "ns"}, {"wait", "ns"}});
  sink.table(table);
}

}  // namespace assay::ranks
