#include "stage_order.hpp"

#include <algorithm>

#include "assay/algo/summary.hpp"

namespace assay::pipeline {
namespace {

/// Compute of a rank before its first message, over that of the first stage: casts and fills, not a microbatch.
constexpr double kLittleWork = 0.1;
/// Shortest delay from one stage to the next, over the median: ranks that get their data at once begin at once.
constexpr double kLeastDelay = 0.1;

/// Ranks by begin of compute in a step; empty if they are no chain.
std::vector<std::uint32_t> order_in(const JobRows& job, std::size_t s) {
  const std::vector<stages::RankStep>& ranks = job.steps[s].ranks;
  std::vector<double> before;
  std::vector<std::pair<double, std::uint32_t>> begins;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (job.unnamed[s][r].empty()) return {};
    const auto message = static_cast<std::int64_t>(job.unnamed[s][r].front());
    double work = 0;
    for (std::int64_t e = 0; e <= message; ++e)
      work += static_cast<double>(ranks[r].events[static_cast<std::size_t>(e)].work_before);
    before.push_back(work);
    const std::vector<Piece>& pieces = job.pieces[s][r];
    const auto next = std::ranges::find_if(pieces, [&](const Piece& piece) { return piece.event > message; });
    if (next == pieces.end()) return {};
    begins.emplace_back(static_cast<double>(next->time.start - ranks[r].window.start), r);
  }
  const auto leads = static_cast<std::uint32_t>(std::ranges::max_element(before) - before.begin());
  begins[leads].first = 0;
  std::ranges::sort(begins);
  std::vector<double> delays;
  for (std::size_t i = 1; i < begins.size(); ++i) {
    if (before[begins[i].second] > kLittleWork * before[leads]) return {};
    delays.push_back(begins[i].first - begins[i - 1].first);
  }
  if (*std::ranges::min_element(delays) <= kLeastDelay * median(delays)) return {};
  std::vector<std::uint32_t> order;
  for (const auto& [begin, r] : begins) order.push_back(r);
  return order;
}

}  // namespace

std::vector<stages::Chain> chain_by_begins(const JobRows& job, std::size_t first) {
  const std::vector<std::uint32_t> order = order_in(job, first);
  for (std::size_t s = first; s < job.steps.size(); ++s) {
    if (order.empty() || order_in(job, s) != order) return {};
  }
  return {{order, false}};
}

std::vector<std::vector<std::int64_t>> unnamed_waits(const JobRows& job, std::size_t step) {
  std::vector<std::vector<std::int64_t>> waits;
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    const std::vector<stages::CommEvent>& events = job.steps[step].ranks[r].events;
    waits.emplace_back(events.size());
    for (const std::uint32_t e : job.unnamed[step][r]) waits[r][e] = events[e].time.end - events[e].time.start;
  }
  return waits;
}

}  // namespace assay::pipeline
