// The bootstrap of the main statistic, the ratio of the medians of runs, each the median or mean of its samples.
//
// A resample is never made nor searched: its median is known by its place among the run's sorted samples, which follows
// from how often each was drawn, and the logs of medians are kept. Draws and results are those of `bootstrap_bca` with
// the same statistic, to the bit.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "assay/algo/bootstrap.hpp"

namespace assay {

/// What the value of a run is of its samples.
enum class RunSummary : std::uint8_t { kMedian, kMean };

/// One run of a side.
struct RunSamples {
  std::span<const double> values;  ///< in the order of time; not empty
  RunSummary summary = RunSummary::kMedian;
};

namespace detail {

/// Places of the two values among a run's sorted samples between which the median of a resample lies; equal when their
/// number is odd.
struct MedianPlace {
  std::uint32_t below, above;
};

/// Draws resamples of one run and answers where their medians are.
class MedianDraw {
 public:
  MedianDraw(std::span<const double> sample, std::size_t block)
      : sorted_(sample.begin(), sample.end()), rank_(sample.size()), block_(block) {
    std::sort(sorted_.begin(), sorted_.end());
    for (std::size_t i = 0; i < rank_.size(); ++i)
      rank_[i] =
          static_cast<std::uint32_t>(std::lower_bound(sorted_.begin(), sorted_.end(), sample[i]) - sorted_.begin());
    if (size() > kPacked) {
      counts_.resize(size());
      return;
    }
    full_blocks_ = size() / block_;
    packed_block_ = packed_blocks(block_);
    if (size() % block_ != 0) packed_rest_ = packed_blocks(size() % block_);
  }

  [[nodiscard]] std::size_t size() const { return sorted_.size(); }

  [[nodiscard]] MedianPlace draw(Random& random) {
    return size() > kPacked ? draw_counted(random) : draw_packed(random);
  }

  [[nodiscard]] double median_at(MedianPlace place) const {
    const double below = sorted_[place.below];
    return place.below == place.above ? below : below + (sorted_[place.above] - below) / 2;
  }

 private:
  /// Up to so many samples the counts of a resample fit into the 16 nibbles of one word, and their sums into a nibble.
  static constexpr std::size_t kPacked = 15;
  static constexpr std::uint64_t kEveryNibble = 0x1111111111111111U, kTopBits = kEveryNibble << 3;

  /// By place of its first value: how often a block of `length` values, going round at the end, holds each rank.
  [[nodiscard]] std::vector<std::uint64_t> packed_blocks(std::size_t length) const {
    std::vector<std::uint64_t> out(size());
    for (std::size_t from = 0; from < size(); ++from) {
      for (std::size_t i = 0; i < length; ++i) out[from] += std::uint64_t{1} << (4 * rank_[(from + i) % size()]);
    }
    return out;
  }

  /// A nibble of `sums` is the number of drawn values up to its rank, and begins with so much that its top bit says
  /// whether that is half of them.
  MedianPlace draw_packed(Random& shared) {
    Random random = shared;  // whose state then stays in registers
    const std::size_t n = size();
    std::uint64_t counts = 0;
    for (std::size_t b = full_blocks_; b > 0; --b) counts += packed_block_[random.index(n)];
    if (!packed_rest_.empty()) counts += packed_rest_[random.index(n)];
    shared = random;
    const std::uint64_t sums = counts * kEveryNibble;
    const auto first_with = [&](std::size_t least) {
      return static_cast<std::uint32_t>(std::countr_zero((sums + kEveryNibble * (8 - least)) & kTopBits)) / 4;
    };
    const std::uint32_t above = first_with(n / 2 + 1);
    return {n % 2 == 1 ? above : first_with(n / 2), above};
  }

  MedianPlace draw_counted(Random& shared) {
    Random random = shared;
    const std::size_t n = size();
    std::fill(counts_.begin(), counts_.end(), 0);
    for (std::size_t i = 0; i < n;) {
      std::size_t from = random.index(n);
      for (const std::size_t last = std::min(n, i + block_); i < last; ++i) {
        ++counts_[rank_[from]];
        from = from + 1 == n ? 0 : from + 1;
      }
    }
    shared = random;
    std::size_t sum = 0;
    std::uint32_t rank = 0;
    while ((sum += counts_[rank]) < (n + 1) / 2) ++rank;
    const std::uint32_t below = rank;
    while (sum < n / 2 + 1) sum += counts_[++rank];
    return {below, rank};
  }

  std::vector<double> sorted_;
  std::vector<std::uint32_t> rank_;  ///< of each sample in the order of time; equal ones share the lowest
  std::size_t block_, full_blocks_ = 0;
  std::vector<std::uint64_t> packed_block_, packed_rest_;
  std::vector<std::uint32_t> counts_;
};

/// The log of the median of one side's runs: observed, resampled, and without some samples.
class ResampledSide {
 public:
  /// `blocks` are those of these runs.
  ResampledSide(std::span<const RunSamples> runs, std::span<const std::size_t> blocks) : runs_(runs), blocks_(blocks) {
    std::size_t outcomes = 1;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const std::size_t n = runs[r].values.size();
      medians_.emplace_back(runs[r].values, blocks[r]);
      observed_.push_back(summary(runs[r].summary, {runs[r].values.begin(), runs[r].values.end()}));
      factor_.push_back(outcomes);
      const std::size_t of_run = n % 2 == 1 ? n : n * n;
      outcomes = runs[r].summary == RunSummary::kMean || outcomes > kKept / of_run ? 0 : outcomes * of_run;
    }
    drawn_ = observed_;
    places_.resize(runs.size());
    kept_.assign(outcomes, std::numeric_limits<double>::quiet_NaN());
  }

  [[nodiscard]] double observed() const { return log_median(observed_); }

  double draw(Random& random) {
    if (kept_.empty()) return draw_unkept(random);
    std::size_t outcome = 0;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      places_[r] = medians_[r].draw(random);
      const std::size_t n = medians_[r].size();
      outcome += factor_[r] * (n % 2 == 1 ? places_[r].above : places_[r].below * n + places_[r].above);
    }
    double& known = kept_[outcome];
    if (std::isnan(known)) {
      for (std::size_t r = 0; r < runs_.size(); ++r) drawn_[r] = medians_[r].median_at(places_[r]);
      known = log_median(drawn_);
    }
    return known;
  }

  [[nodiscard]] double without(std::size_t run, std::size_t first, std::size_t last) const {
    const std::span<const double> all = runs_[run].values;
    std::vector<double> rest(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
    rest.insert(rest.end(), all.begin() + static_cast<std::ptrdiff_t>(last), all.end());
    std::vector<double> values = observed_;
    values[run] = summary(runs_[run].summary, std::move(rest));
    return log_median(std::move(values));
  }

 private:
  static constexpr std::size_t kKept = 65536;  // combinations of medians of which the log is kept, at most

  static double summary(RunSummary kind, std::vector<double> samples) {
    return kind == RunSummary::kMean ? mean(samples) : median_in_place(samples);
  }
  static double log_median(std::vector<double> values) { return std::log(median_in_place(values)); }

  double draw_unkept(Random& random) {
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      drawn_[r] = runs_[r].summary == RunSummary::kMean ? draw_mean(r, random)
                                                        : medians_[r].median_at(medians_[r].draw(random));
    }
    return log_median(drawn_);
  }

  double draw_mean(std::size_t run, Random& random) const {
    const std::span<const double> sample = runs_[run].values;
    const std::size_t n = sample.size();
    double sum = 0;
    for (std::size_t i = 0; i < n;) {
      std::size_t from = random.index(n);
      for (const std::size_t last = std::min(n, i + blocks_[run]); i < last; ++i) {
        sum += sample[from];
        from = from + 1 == n ? 0 : from + 1;
      }
    }
    return sum / static_cast<double>(n);
  }

  std::span<const RunSamples> runs_;
  std::span<const std::size_t> blocks_;
  std::vector<MedianDraw> medians_;
  std::vector<double> observed_, drawn_;  ///< values of the runs
  std::vector<std::size_t> factor_;       ///< of a run's outcome in that of the side
  std::vector<MedianPlace> places_;
  std::vector<double> kept_;  ///< by outcome of the side, NaN: not met yet; empty: too many, or a mean among the runs
};

}  // namespace detail

/// BCa interval of log(median(treated) / median(base)), or of log(median(treated)) when `base` is empty; each run has
/// its median or mean as its value and is resampled on its own, as `bootstrap_bca` says. NaN bounds when there is no
/// treated run, a run has no samples or one that is NaN, or when the statistic is not finite somewhere.
inline Bounds bootstrap_log_ratio(std::span<const RunSamples> base, std::span<const RunSamples> treated,
                                  const BootstrapPlan& plan) {
  detail::BlockLengths lengths;
  for (const std::span<const RunSamples> side : {base, treated}) {
    for (const RunSamples& run : side) {
      if (run.values.empty() ||
          std::any_of(run.values.begin(), run.values.end(), [](double x) { return std::isnan(x); }))
        return {};
      lengths.add(run.values, plan);
    }
  }
  if (treated.empty()) return {};
  const std::span<const std::size_t> blocks = lengths.blocks;
  detail::ResampledSide denominator(base, blocks.first(base.size()));
  detail::ResampledSide numerator(treated, blocks.subspan(base.size()));
  const auto ratio = [&](double top, double bottom) { return base.empty() ? top : top - bottom; };
  const double bottom = base.empty() ? 0 : denominator.observed(), top = numerator.observed();
  const auto replicate = [&](Random& random) {
    const double drawn = base.empty() ? 0 : denominator.draw(random);  // base first: the order of the draws
    return ratio(numerator.draw(random), drawn);
  };
  const auto without = [&](std::size_t s, std::size_t first, std::size_t last) {
    return s < base.size() ? ratio(top, denominator.without(s, first, last))
                           : ratio(numerator.without(s - base.size(), first, last), bottom);
  };
  return detail::bca_interval(lengths, ratio(top, bottom), plan, replicate, without);
}

}  // namespace assay
