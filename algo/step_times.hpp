// Which metric is the time of a step: what a gate judges unless metrics are named.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "algo/replay/metrics.hpp"

namespace assay {

/// The best first: times that the program took itself, times of a profile, rates of work, and the capture of a program
/// without steps. Parts and shares are none: they may grow in a program that gets faster.
inline constexpr std::string_view kStepTimes[] = {
    "forward.program_ns",   "runner.pass_time_ns",    "runner.throughput_per_s",  replay::kPeriodMetric, "step.time_ns",
    "serving.tokens_per_s", "serving.requests_per_s", "throughput.samples_per_s", replay::kCaptureMetric};

/// Place of a metric in kStepTimes; its size if the metric is none of them.
inline std::size_t step_time_rank(std::string_view metric) {
  return static_cast<std::size_t>(std::ranges::find(kStepTimes, metric) - std::begin(kStepTimes));
}

}  // namespace assay
