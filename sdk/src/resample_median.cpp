#include "assay/detail/resample_median.hpp"

#include <cmath>
#include <cstddef>

#include "assay/detail/beta.hpp"

namespace assay {
namespace {

/// Rarer ones cannot be told from never in 2^53 steps of a uniform number.
constexpr double kNever = 1e-18;

/// P(the k-th smallest of n draws is one of the first `places` of n values), k from 1 on.
double chance_within(std::size_t k, std::size_t places, std::size_t n) {
  if (places == 0) return 0;
  if (places >= n) return 1;
  return beta_cdf(static_cast<double>(places) / static_cast<double>(n), static_cast<double>(k),
                  static_cast<double>(n - k + 1));
}

}  // namespace

std::vector<ResampleMedian::WeightedMedian> ResampleMedian::medians_of_odd(std::span<const double> sorted) {
  const std::size_t n = sorted.size(), middle = n / 2 + 1;
  std::vector<WeightedMedian> out;
  double before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double within = chance_within(middle, i + 1, n);
    if (within - before > kNever) out.push_back({sorted[i], within - before});
    before = within;
  }
  return out;
}

std::vector<ResampleMedian::WeightedMedian> ResampleMedian::medians_of_even(std::span<const double> sorted) {
  const std::size_t n = sorted.size(), half = n / 2;
  const auto count = static_cast<double>(n), draws = static_cast<double>(half);
  const double log_choices = std::lgamma(count + 1) - 2 * std::lgamma(draws + 1);
  // Log of P(half of the draws are below place i + 1, the largest of them at place i), without the choice of the half;
  // by symmetry of the upper half and place n - 1 - i too.
  std::vector<double> log_edge(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto below = static_cast<double>(i);
    log_edge[i] = draws * std::log((below + 1) / count) + std::log1p(-std::pow(below / (below + 1), draws));
  }
  std::vector<WeightedMedian> out;
  const auto add = [&](double median, double probability) {
    if (probability > kNever) out.push_back({median, probability});
  };
  for (std::size_t i = 0; i < n; ++i) {
    double apart = 0;  // the lower one is at i, the upper one behind it
    for (std::size_t j = i + 1; j < n; ++j) {
      const double both = std::exp(log_choices + log_edge[i] + log_edge[n - 1 - j]);
      if (both <= kNever && apart > 0) break;
      apart += both;
      add(sorted[i] + (sorted[j] - sorted[i]) / 2, both);
    }
    add(sorted[i], chance_within(half, i + 1, n) - chance_within(half, i, n) - apart);
  }
  return out;
}

ResampleMedian::ResampleMedian(std::span<const double> sorted) {
  const std::vector<WeightedMedian> medians = sorted.size() % 2 == 1 ? medians_of_odd(sorted) : medians_of_even(sorted);
  double sum = 0;
  for (const WeightedMedian& one : medians) sum += one.probability;
  // Vose's construction: whoever has less than an even share is filled up from one that has more.
  std::vector<double> share;
  std::vector<std::size_t> less, more;
  for (std::size_t o = 0; o < medians.size(); ++o) {
    share.push_back(medians[o].probability / sum * static_cast<double>(medians.size()));
    (share[o] < 1 ? less : more).push_back(o);
    outcomes_.push_back({static_cast<double>(o + 1), {medians[o].median, medians[o].median}});
  }
  while (!less.empty() && !more.empty()) {
    const std::size_t small = less.back(), large = more.back();
    less.pop_back();
    outcomes_[small].until = static_cast<double>(small) + share[small];
    outcomes_[small].medians[1] = medians[large].median;
    share[large] -= 1 - share[small];
    if (share[large] >= 1) continue;
    more.pop_back();
    less.push_back(large);
  }
}

}  // namespace assay
