// The bootstrap of the main statistic, the ratio of the medians of runs, each the median or mean of its samples. Draws
// and results are those of `bootstrap_bca` with the same statistic, to the bit, in a quarter of its time: a median is
// found by its place among the run's sorted samples, which follows from how often each was drawn.
#pragma once

#include <cstdint>
#include <span>

#include "assay/detail/bootstrap.hpp"

namespace assay {

/// What the value of a run is of its samples.
enum class RunSummary : std::uint8_t { kMedian, kMean };

/// One run of a side.
struct RunSamples {
  std::span<const double> values;  ///< in the order of time; not empty
  RunSummary summary = RunSummary::kMedian;
};

/// BCa interval of log(median(treated) / median(base)), or of log(median(treated)) when `base` is empty; each run has
/// its median or mean as its value and is resampled on its own, as `bootstrap_bca` says. NaN bounds when there is no
/// treated run, a run has no samples or one that is NaN, or when the statistic is not finite somewhere.
Bounds bootstrap_log_ratio(std::span<const RunSamples> base, std::span<const RunSamples> treated,
                           const BootstrapPlan& plan);

}  // namespace assay
