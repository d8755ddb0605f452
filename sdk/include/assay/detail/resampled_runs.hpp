// The bootstrap of the main statistic, the ratio of the medians of runs, each the median or mean of its samples.
//
// A resample of a short run is never made: which of its samples its median lies between has a distribution that follows
// from the blocks that can be drawn, and one random number draws from that instead of one a block. The median of a
// longer one is known by its place among the run's sorted samples, which follows from how often each was drawn; there,
// and of means, draws and results are those of `bootstrap_bca` with the same statistic, to the bit.
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

/// Where the median of a resample of one run lies, drawn at random.
class MedianDraw {
 public:
  /// Up to so many samples the distribution of the place is worth its time, which grows with their number's fourth
  /// power.
  static constexpr std::size_t kShort = 64;

  /// `block`: values of a block, at least 1.
  MedianDraw(std::span<const double> sample, std::size_t block);

  [[nodiscard]] std::size_t size() const { return sorted_.size(); }

  [[nodiscard]] MedianPlace draw(Random& random) {
    if (cells_.empty()) return draw_counted(random);
    const double at = random.uniform() * static_cast<double>(cells_.size());
    const auto cell = static_cast<std::size_t>(at);
    const Cell& drawn = cells_[cell];
    return at - static_cast<double>(cell) < drawn.share ? drawn.own : drawn.other;
  }

  [[nodiscard]] double median_at(MedianPlace place) const {
    const double below = sorted_[place.below];
    return place.below == place.above ? below : below + (sorted_[place.above] - below) / 2;
  }

  /// Of a short run: each place that the median can have, and its probability.
  struct Chance {
    MedianPlace place;
    double probability;
  };
  [[nodiscard]] std::vector<Chance> chances() const;

 private:
  /// One of equally probable cells, two places a cell (Walker's alias method; Vose 1991).
  struct Cell {
    MedianPlace own, other;
    double share;  ///< of `own` within the cell
  };

  /// The probability that a resample holds `least` to `most` values of ranks up to `rank`, and none of the ranks after
  /// it up to `empty_to`.
  [[nodiscard]] double probability(std::size_t rank, std::size_t empty_to, std::size_t least, std::size_t most) const;
  void make_cells();
  MedianPlace draw_counted(Random& shared);

  std::vector<double> sorted_;
  std::vector<std::uint32_t> rank_;  ///< of each sample in the order of time; equal ones share the lowest
  std::size_t block_;
  std::vector<Cell> cells_;            ///< of a short run
  std::vector<std::uint32_t> counts_;  ///< of a longer one
};

}  // namespace detail

/// BCa interval of log(median(treated) / median(base)), or of log(median(treated)) when `base` is empty; each run has
/// its median or mean as its value and is resampled on its own, as `bootstrap_bca` says. NaN bounds when there is no
/// treated run, a run has no samples or one that is NaN, or when the statistic is not finite somewhere.
Bounds bootstrap_log_ratio(std::span<const RunSamples> base, std::span<const RunSamples> treated,
                           const BootstrapPlan& plan);

}  // namespace assay
