#include "timeline.hpp"

#include "assay/words.hpp"

namespace assay::ranks {
namespace {

bool is_aligned(const JobRows& job, const RankClock& clock, std::size_t rank) {
  return rank == 0 || (job.ranks[0].origin != kNoInteger && clock.known && clock.fits);
}

void emit_clock_table(const JobRows& job, const Clocks& clocks, JobSink& sink) {
  std::vector<std::string> reports, texts;
  std::vector<std::int64_t> ranks, bases, offsets, pivots, aligned;
  std::vector<double> rows;
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    const RankClock& clock = clocks.ranks[r];
    rows.add(job.ranks[r].path), ranks.push_back(job.ranks[r].number);
    bases.push_back(clock.base_difference), offsets.push_back(clock.used);
    slopes.push_back(clock.slope), pivots.push_back(clock.pivot);
    aligned.push_back(is_aligned(job, clock, r) ? 1 : 0), texts.push_back(alignment_text(job, clocks, r));
  }
  Table table("clocks", "Clocks of the ranks against the first rank's");
  table.add("report", "", std::move(reports));
  table.add("rank", "", std::move(ranks));
  table.add("base", "ns", std::move(bases));
  table.add("offset", "ns", std::move(offsets));
  table.add("slope", "1", std::move(slopes));
  table.add("pivot", "ns", std::move(pivots));
  table.add("aligned", "", std::move(aligned));
  table.add("alignment", "", std::move(texts));
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
    return "drift-corrected by " + printed("%.3g", clock.slope * 1e6) + " ppm against " + first + ", right to " + to;
  if (clock.used != 0)
    return "shifted by " + time_text(static_cast<double>(clock.used)) + " against " + first + ", right to " + to;
  return "aligned by file timestamps, within " + to + " of " + first;
}

void emit_timeline(const JobRows& job, const Matches& matches, const Waits& waits, const Clocks& clocks,
                   JobSink& sink) {
  emit_clock_table(job, clocks, sink);
  std::vector<std::int64_t> collectives, ranks, begins, ends, waited;
  for (std::size_t i = 0; i < matches.all.size(); ++i) {
    const Match& m = matches.all[i];
    const Group& group = matches.groups[m.group];
    for (std::uint32_t k = 0; k < group.members.size(); ++k) {
      const RankRows& rank = job.ranks[group.members[k]];
      const std::uint32_t row = matches.row(m, k);
      rows.add(static_cast<std::int64_t>(i)), ranks.push_back(static_cast<std::int64_t>(group.members[k]));
      begins.push_back(rank.begin[row]), ends.push_back(rank.finish[row]);
      waited.push_back(tells(job, matches, m) ? rank.duration(row) - waits.transfer[i] : kNoInteger);
    }
  }
  Table table("matched", "Collectives on their ranks");
  table.add("collective", "", std::move(collectives));
  table.add("clock", "", std::move(ranks));  // row of `clocks`
  table.add("start", "ns", std::move(begins));
  table.add("end", "ns", std::move(ends));
  table.add("wait", "ns", std::move(waited));
  sink.table(table);
}

}  // namespace assay::ranks
