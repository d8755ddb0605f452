#include "straggler.hpp"

#include <algorithm>

#include "assay/algo/summary.hpp"

namespace assay::ranks {
namespace {

constexpr std::vector<double> RankWaits::* kParts[] = {&RankWaits::compute, &RankWaits::copy, &RankWaits::idle,
                                                       &RankWaits::gap};

}  // namespace

Slowdown slowdown_of(const Waits& waits, std::vector<double> RankWaits::* times) {
  Slowdown out;
  const std::size_t ranks = waits.ranks.size(), steps = (waits.ranks[0].*times).size();
  std::vector<double> sums(ranks, 0);
  out.worst_share.assign(ranks, 0);
  for (std::size_t s = 1; s < steps; ++s) {
    double sum = 0;
    std::size_t worst = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      const double time = (waits.ranks[r].*times)[s];
      sum += time, sums[r] += time;
      if (time > (waits.ranks[worst].*times)[s]) worst = r;
    }
    const double mean = sum / static_cast<double>(ranks);
    out.of_steps.push_back(mean > 0 ? (waits.ranks[worst].*times)[s] / mean : 1);
    ++out.worst_share[worst];
  }
  if (out.of_steps.empty()) return out;
  for (double& share : out.worst_share) share /= static_cast<double>(out.of_steps.size());
  out.median = median(out.of_steps);
  out.greatest = static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
  double all = 0;
  for (const double sum : sums) all += sum;
  if (all > 0) out.of_means = sums[out.greatest] * static_cast<double>(ranks) / all;
  return out;
}

std::vector<std::vector<double>> excesses(const Waits& waits) {
  const std::size_t ranks = waits.ranks.size(), steps = waits.ranks[0].own.size();
  std::vector<std::vector<double>> out(ranks, std::vector<double>(std::size(kParts), 0));
  if (ranks < 2 || steps < 2) return out;
  for (std::size_t p = 0; p < std::size(kParts); ++p) {
    std::vector<double> sums(steps, 0);
    for (const RankWaits& rank : waits.ranks) {
      for (std::size_t s = 1; s < steps; ++s) sums[s] += (rank.*kParts[p])[s];
    }
    for (std::size_t r = 0; r < ranks; ++r) {
      std::vector<double> over;
      for (std::size_t s = 1; s < steps; ++s) {
        const double own = (waits.ranks[r].*kParts[p])[s];
        over.push_back(own - (sums[s] - own) / static_cast<double>(ranks - 1));
      }
      out[r][p] = median_in_place(over);
    }
  }
  return out;
}

std::optional<Straggler> find_straggler(const Waits& waits, const Slowdown& own, const Slowdown& cycle,
                                        const std::vector<std::vector<double>>& excess, const Thresholds& thresholds) {
  for (const Slowdown* by : {&own, &cycle}) {
    const std::size_t rank = by->greatest;
    const double share = waits.all > 0 ? waits.ranks[rank].caused / waits.all : 0;
    if (by->of_steps.empty() || by->median < thresholds.slowdown || by->worst_share[rank] < thresholds.steps ||
        share < thresholds.share)
      continue;
    const auto cause = std::max_element(excess[rank].begin(), excess[rank].end()) - excess[rank].begin();
    return Straggler{rank, by->median, by == &cycle, static_cast<Part>(cause)};
  }
  return std::nullopt;
}

}  // namespace assay::ranks
