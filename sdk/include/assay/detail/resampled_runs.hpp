// Bootstrap of the main statistic, the ratio of medians of runs, each the median or mean of its samples. Resamples are
// never made: the median of independent samples is drawn from its exact distribution (resample_median.hpp), that of
// samples in blocks is found by its position among the sorted ones, from the number of times each was drawn, and that
// and means have the bits of `bootstrap_bca` with the same statistic.
#pragma once

#include <cstdint>
#include <span>

#include "assay/detail/bootstrap.hpp"

namespace assay {

/// How the value of a run follows from its samples.
enum class RunSummary : std::uint8_t { kMedian, kMean };

/// One run of a side.
struct RunSamples {
  std::span<const double> values;  ///< in time order; not empty
  RunSummary summary = RunSummary::kMedian;
};

/// BCa interval of log(median(treated) / median(base)), or of log(median(treated)) if `base` is empty; the value of a
/// run is its median or mean, and runs are resampled separately, as in `bootstrap_bca`. NaN bounds if there is no
/// treated run, a run has no samples or a NaN, or the statistic is not finite somewhere.
Bounds bootstrap_log_ratio(std::span<const RunSamples> base, std::span<const RunSamples> treated,
                           const BootstrapPlan& plan);

}  // namespace assay
