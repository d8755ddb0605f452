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

#include "assay/detail/bootstrap.hpp"

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

}  // namespace detail

/// BCa interval of log(median(treated) / median(base)), or of log(median(treated)) when `base` is empty; each run has
/// its median or mean as its value and is resampled on its own, as `bootstrap_bca` says. NaN bounds when there is no
/// treated run, a run has no samples or one that is NaN, or when the statistic is not finite somewhere.
Bounds bootstrap_log_ratio(std::span<const RunSamples> base, std::span<const RunSamples> treated,
                           const BootstrapPlan& plan);

}  // namespace assay
