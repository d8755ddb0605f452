// Length of what was measured of a run, for hosts that set it against the time that the run took.
#pragma once

#include <string_view>

namespace assay {

/// Metric without dims, ns, of each report: end minus start of its window (run_summary).
inline constexpr std::string_view kWindowLengthMetric = "window.duration_ns";

}  // namespace assay
