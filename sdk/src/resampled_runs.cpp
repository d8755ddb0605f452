#include "assay/detail/resampled_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "assay/detail/resample_median.hpp"

namespace assay {
namespace {

double summary_of(RunSummary kind, std::vector<double> samples) {
  return kind == RunSummary::kMean ? mean(samples) : median_in_place(samples);
}

/// A run and its resamples, which are never materialised.
class ResampledRun {
 public:
  /// `block`: values per block, at least 1.
  ResampledRun(const RunSamples& run, std::size_t block)
      : values_(run.values), summary_(run.summary), block_(block), series_(values_.begin(), values_.end()) {
    // Blocks wrap around at the end of the series, so it goes on with its beginning.
    series_.insert(series_.end(), values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(block_ - 1));
    if (summary_ == RunSummary::kMean) return;
    sorted_.assign(values_.begin(), values_.end());
    std::ranges::sort(sorted_);
    if (block_ == 1) {  // of most runs
      medians_.emplace(sorted_);
      return;
    }
    for (const double value : series_)
      rank_.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(sorted_, value) - sorted_.begin()));
    counts_.resize(values_.size());
  }

  [[nodiscard]] double observed() const { return summary_of(summary_, {values_.begin(), values_.end()}); }

  /// The median without the values first .. last - 1.
  [[nodiscard]] double without(std::size_t first, std::size_t last) const {
    std::vector<double> rest(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(first));
    rest.insert(rest.end(), values_.begin() + static_cast<std::ptrdiff_t>(last), values_.end());
    return summary_of(summary_, std::move(rest));
  }

  double draw(Random& random) {
    if (medians_) return medians_->draw(random);
    return summary_ == RunSummary::kMean ? draw_mean(random) : draw_median(random);
  }

 private:
  /// Calls `visit` with the place and the length of each block of a resample.
  template <class Visit>
  void each_block(Random& shared, Visit&& visit) const {
    Random random = shared;  // a local copy keeps its state in registers
    const std::size_t n = values_.size(), last = n % block_;
    for (std::size_t left = n / block_; left > 0; --left) visit(random.index(n), block_);
    if (last > 0) visit(random.index(n), last);
    shared = random;
  }

  double draw_mean(Random& random) const {
    double sum = 0;
    each_block(random, [&](std::size_t from, std::size_t length) {
      for (std::size_t i = from; i < from + length; ++i) sum += series_[i];
    });
    return sum / static_cast<double>(values_.size());
  }

  double draw_median(Random& random) {
    std::ranges::fill(counts_, 0);
    std::uint32_t* const counts = counts_.data();
    each_block(random, [counts, ranks = rank_.data()](std::size_t from, std::size_t length) {
      for (std::size_t i = from; i < from + length; ++i) ++counts[ranks[i]];
    });
    const std::size_t n = values_.size();
    std::size_t sum = 0, rank = 0;
    while ((sum += counts[rank]) < (n + 1) / 2) ++rank;
    const double below = sorted_[rank];
    if (sum >= n / 2 + 1) return below;
    while (sum < n / 2 + 1) sum += counts[++rank];
    return below + (sorted_[rank] - below) / 2;
  }

  std::span<const double> values_;
  RunSummary summary_;
  std::size_t block_;
  std::vector<double> series_, sorted_;
  std::vector<std::uint32_t> rank_;        ///< of each value of the series; equal values share the lowest
  std::vector<std::uint32_t> counts_;      ///< by rank
  std::optional<ResampleMedian> medians_;  ///< of independent values
};

/// The log of the median over the runs of one side: observed, resampled, and without some samples.
class ResampledSide {
 public:
  /// `blocks` are the block lengths of these runs.
  ResampledSide(std::span<const RunSamples> runs, std::span<const std::size_t> blocks) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
      runs_.emplace_back(runs[r], blocks[r]);
      observed_.push_back(runs_.back().observed());
    }
    drawn_.resize(runs.size());
  }

  [[nodiscard]] double observed() const { return log_median(observed_); }

  double draw(Random& random) {
    for (std::size_t r = 0; r < runs_.size(); ++r) drawn_[r] = runs_[r].draw(random);
    return std::log(median_in_place(drawn_));
  }

  [[nodiscard]] double without(std::size_t run, std::size_t first, std::size_t last) const {
    std::vector<double> values = observed_;
    values[run] = runs_[run].without(first, last);
    return log_median(std::move(values));
  }

 private:
  static double log_median(std::vector<double> values) { return std::log(median_in_place(values)); }

  std::vector<ResampledRun> runs_;
  std::vector<double> observed_, drawn_;  ///< values of the runs
};

}  // namespace

Bounds bootstrap_log_ratio(std::span<const RunSamples> base, std::span<const RunSamples> treated,
                           const BootstrapPlan& plan) {
  detail::BlockLengths lengths;
  for (const std::span<const RunSamples> side : {base, treated}) {
    for (const RunSamples& run : side) {
      if (run.values.empty() || std::ranges::any_of(run.values, [](double x) { return std::isnan(x); })) return {};
      lengths.add(run.values, plan);
    }
  }
  if (treated.empty()) return {};
  const std::span<const std::size_t> blocks = lengths.blocks;
  ResampledSide denominator(base, blocks.first(base.size()));
  ResampledSide numerator(treated, blocks.subspan(base.size()));
  const auto ratio = [&](double top, double bottom) { return base.empty() ? top : top - bottom; };
  const double bottom = base.empty() ? 0 : denominator.observed(), top = numerator.observed();
  const auto replicate = [&](Random& random) {
    const double drawn = base.empty() ? 0 : denominator.draw(random);  // base first: fixes the order of the random
                                                                       // draws
    return ratio(numerator.draw(random), drawn);
  };
  const auto without = [&](std::size_t s, std::size_t first, std::size_t last) {
    return s < base.size() ? ratio(top, denominator.without(s, first, last))
                           : ratio(numerator.without(s - base.size(), first, last), bottom);
  };
  return detail::bca_interval(lengths, ratio(top, bottom), plan, replicate, without);
}

}  // namespace assay
