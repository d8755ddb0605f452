// Which metric of a run is what a replay predicts.
#pragma once

#include <string_view>

namespace assay::replay {

/// From the start of an iteration to that of the next.
inline constexpr std::string_view kPeriodMetric = "iteration.period_ns";
/// Of a capture without iterations its length.
inline constexpr std::string_view kCaptureMetric = "window.duration_ns";

}  // namespace assay::replay
