#include "critical.hpp"

#include <algorithm>

namespace assay::ranks {
namespace {

constexpr std::int64_t kLeastWait = 1000;  // ns

/// An exposed wait of one rank, and where the path goes on.
struct Detour {
  std::int64_t begin;    ///< of the collective on the waiting rank, on the first rank's clock
  std::size_t last;      ///< the rank that came last
  std::int64_t arrival;  ///< its start
};

using Detours = std::vector<std::vector<std::vector<Detour>>>;  ///< [rank][step], by begin

Detours find_detours(const JobRows& job, const Matches& matches, const Waits& waits, const Clocks& clocks) {
  Detours out(job.ranks.size(), std::vector<std::vector<Detour>>(matches.steps.size()));
  Intervals bare;
  for (std::size_t i = 0; i < matches.all.size(); ++i) {
    const Match& m = matches.all[i];
    if (m.step == 0 || !tells(job, matches, m)) continue;
    const Group& group = matches.groups[m.group];
    const std::size_t last = group.members[waits.last[i]];
    const std::int64_t arrival = clocks.on_first(last, job.ranks[last].begin[matches.row(m, waits.last[i])]);
    for (std::uint32_t k = 0; k < group.members.size(); ++k) {
      const RankRows& rank = job.ranks[group.members[k]];
      const std::uint32_t row = matches.row(m, k);
      const std::int64_t wait = rank.duration(row) - waits.transfer[i];
      if (wait <= kLeastWait) continue;
      bare.clear();
      rank.add_uncovered(row, wait, bare);
      if (measure(bare) <= kLeastWait) continue;
      out[group.members[k]][m.step].push_back({clocks.on_first(group.members[k], rank.begin[row]), last, arrival});
    }
  }
  for (auto& steps : out) {
    for (auto& detours : steps) {
      std::stable_sort(detours.begin(), detours.end(),
                       [](const Detour& a, const Detour& b) { return a.begin < b.begin; });
    }
  }
  return out;
}

}  // namespace

std::vector<std::vector<double>> critical_path(const JobRows& job, const Matches& matches, const Waits& waits,
                                               const Clocks& clocks) {
  const Detours detours = find_detours(job, matches, waits, clocks);
  std::vector<std::vector<double>> out(job.ranks.size(), std::vector<double>(matches.steps.size(), 0));
  const auto start_of = [&](std::size_t r, std::size_t s) {
    return clocks.on_first(r, job.ranks[r].start[matches.step_rows[r][s]]);
  };
  for (std::size_t s = 1; s < matches.steps.size(); ++s) {
    std::size_t rank = 0;
    std::int64_t time = 0;
    for (std::size_t r = 0; r < job.ranks.size(); ++r) {
      const std::int64_t end = clocks.on_first(r, job.ranks[r].end[matches.step_rows[r][s]]);
      if (r == 0 || end > time) time = end, rank = r;
    }
    while (true) {
      const std::vector<Detour>& own = detours[rank][s];
      // The last wait that began before the path's place and that leads back in time.
      auto at = std::partition_point(own.begin(), own.end(), [&](const Detour& d) { return d.begin < time; });
      while (at != own.begin() && (at - 1)->arrival >= time) --at;
      if (at == own.begin()) break;
      const Detour& next = *(at - 1);
      out[rank][s] += static_cast<double>(time - next.arrival);
      time = next.arrival, rank = next.last;
    }
    out[rank][s] += static_cast<double>(std::max<std::int64_t>(0, time - start_of(rank, s)));
  }
  return out;
}

}  // namespace assay::ranks
