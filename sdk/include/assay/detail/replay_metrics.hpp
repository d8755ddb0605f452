// Metrics of a run that a replay predicts.
#pragma once

#include <string_view>

namespace assay::replay {

/// From the start of an iteration to that of the next.
inline constexpr std::string_view kPeriodMetric = "iteration.period_ns";
/// Length of a capture without iterations.
inline constexpr std::string_view kCaptureMetric = "window.duration_ns";

}  // namespace assay::replay
