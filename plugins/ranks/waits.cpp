#include "waits.hpp"

#include <algorithm>
#include <limits>

namespace assay::ranks {

bool tells(const JobRows& job, const Matches& matches, const Match& m) {
  const Group& group = matches.groups[m.group];
  if (group.members.size() < 2) return false;
  return synchronises(static_cast<CollectiveKind>(job.ranks[group.members[0]].kind[matches.row(m, 0)]));
}

namespace {

/// Waits of ranks in the collectives of all groups, per step, before forming the union.
using Spans = std::vector<std::vector<Intervals>>;  ///< [rank][step]

void add_match(const JobRows& job, const Matches& matches, const Match& m, Waits& out, Spans& waits, Spans& exposed) {
  const Group& group = matches.groups[m.group];
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), sum = 0;
  std::uint32_t last = 0, equals = 0;
  for (std::uint32_t i = 0; i < group.members.size(); ++i) {
    const std::int64_t time = job.ranks[group.members[i]].duration(matches.row(m, i));
    sum += time;
    if (time < least) {
      least = time;
      last = i;
      equals = 0;
    }
    equals += time == least ? 1 : 0;
  }
  out.transfer.push_back(least);
  out.last.push_back(last);
  out.transfer_sum[m.step] += static_cast<double>(least);
  if (!tells(job, matches, m)) return;
  const std::int64_t waited = sum - least * static_cast<std::int64_t>(group.members.size());
  for (std::uint32_t i = 0; i < group.members.size(); ++i) {
    const RankRows& rank = job.ranks[group.members[i]];
    const std::uint32_t row = matches.row(m, i);
    const std::int64_t wait = rank.duration(row) - least;
    if (wait > 0) {
      waits[group.members[i]][m.step].push_back({rank.begin[row], rank.begin[row] + wait});
      rank.add_uncovered(row, wait, exposed[group.members[i]][m.step]);
    } else if (m.step > 0) {
      out.ranks[group.members[i]].caused += static_cast<double>(waited) / equals;
    }
  }
  if (m.step == 0) return;
  out.all += static_cast<double>(waited);
  ++out.ranks[group.members[last]].last_count;
}

void add_steps(const RankRows& rank, const std::vector<std::uint32_t>& rows, const std::vector<Intervals>& waits,
               const std::vector<Intervals>& exposed, RankWaits& out) {
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const std::size_t row = rows[s];
    out.wait.push_back(static_cast<double>(measure(merge(waits[s]))));
    out.wait_exposed.push_back(static_cast<double>(measure(merge(exposed[s]))));
    const auto window = static_cast<double>(rank.end[row] - rank.start[row]);
    out.own.push_back(window - out.wait_exposed.back());
    out.gap.push_back(row > 0 ? static_cast<double>(std::max<std::int64_t>(0, rank.start[row] - rank.end[row - 1]))
                              : 0);
    out.cycle.push_back(out.own.back() + out.gap.back());
    out.compute.push_back(static_cast<double>(rank.compute[row]));
    out.copy.push_back(static_cast<double>(rank.copy[row]));
    out.idle.push_back(static_cast<double>(rank.idle[row]));
  }
}

}  // namespace

Waits find_waits(const JobRows& job, const Matches& matches) {
  Waits out;
  out.ranks.resize(job.ranks.size());
  out.transfer_sum.assign(matches.steps.size(), 0);
  Spans waits(job.ranks.size(), std::vector<Intervals>(matches.steps.size())), exposed = waits;
  for (const Match& m : matches.all) add_match(job, matches, m, out, waits, exposed);
  for (std::size_t r = 0; r < job.ranks.size(); ++r)
    add_steps(job.ranks[r], matches.step_rows[r], waits[r], exposed[r], out.ranks[r]);
  return out;
}

}  // namespace assay::ranks
