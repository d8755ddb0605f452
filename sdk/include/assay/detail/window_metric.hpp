// Length of the measured part of a run, for hosts that relate it to the duration of the run.
#pragma once

#include <string_view>

namespace assay {

/// Metric without dims, in ns, of each report: end minus start of its window (run_summary).
inline constexpr std::string_view kWindowLengthMetric = "window.duration_ns";

}  // namespace assay
