// Runs run_summary over built reports and studies, through its descriptor.
#pragma once

#include <string>

#include "assay/testing/report_builder.hpp"
#include "plugins/analyzers.hpp"

namespace assay::testing {

inline Recorder analyzed(ReportBuilder& builder, const OptionInputs& options = {}) {
  return under_test::run_summary::analyzed(builder.build(), options);
}

/// A kernel with its launching call; the call takes 2 ns and ends `ahead` ns before the kernel starts.
inline Row launched_kernel(ReportBuilder& b, std::int64_t start, std::int64_t end, KernelOptions options = {},
                           std::int64_t ahead = 5, std::uint32_t thread = 0) {
  options.call = b.call(CallKind::kKernelLaunch, start - ahead - 2, start - ahead, thread);
  return b.kernel("k", start, end, options);
}

/// Reason of the first skip whose metrics (a comma-separated list) contain `metric`; empty when there is none.
inline std::string why_skipped(const Recorder& recorder, std::string_view metric) {
  for (const RecordedSkip& skip : recorder.skips) {
    if (skip.metric.find(metric) != std::string::npos) return skip.reason;
  }
  return {};
}

}  // namespace assay::testing
