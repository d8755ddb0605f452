// The analyzers of this tree, linked into one program. Each has here what it hands out, through its descriptor, as the
// host has it.
#pragma once

#include <stdexcept>
#include <string>

#include "assay/testing/report_builder.hpp"
#include "assay/testing/run_analyzer.hpp"
#include "assay/testing/study_builder.hpp"

#define ASSAY_UNDER_TEST(id)                                                                           \
  extern "C" {                                                                                         \
  extern const assay::Descriptor assay_plugin_##id;                                                    \
  }                                                                                                    \
  namespace assay::under_test::id {                                                                    \
  inline const Descriptor& descriptor = assay_plugin_##id;                                             \
  inline testing::Recorder analyzed(const Report& report, const testing::OptionInputs& options = {}) { \
    return testing::analyzed_by(descriptor, report, options);                                          \
  }                                                                                                    \
  inline testing::JobRecorder gathered(const Job& job, const testing::OptionInputs& options = {}) {    \
    return testing::gathered_by(descriptor, job, options);                                             \
  }                                                                                                    \
  inline testing::Recorder concluded(const Study& study, const testing::OptionInputs& options = {}) {  \
    return testing::concluded_by(descriptor, study, options);                                          \
  }                                                                                                    \
  }

ASSAY_UNDER_TEST(architecture_cliff)
ASSAY_UNDER_TEST(attention_softmax_matmul)
ASSAY_UNDER_TEST(claim_verdicts)
ASSAY_UNDER_TEST(communication)
ASSAY_UNDER_TEST(compilation_delta)
ASSAY_UNDER_TEST(critical_path)
ASSAY_UNDER_TEST(energy)
ASSAY_UNDER_TEST(forward_timing)
ASSAY_UNDER_TEST(gpu_metrics)
ASSAY_UNDER_TEST(compile)
ASSAY_UNDER_TEST(hang)
ASSAY_UNDER_TEST(idle_causes)
ASSAY_UNDER_TEST(kernel_bound)
ASSAY_UNDER_TEST(kernel_breakdown)
ASSAY_UNDER_TEST(label_check)
ASSAY_UNDER_TEST(label_effect)
ASSAY_UNDER_TEST(latency_text)
ASSAY_UNDER_TEST(memory)
ASSAY_UNDER_TEST(nsys_stats)
ASSAY_UNDER_TEST(numa_sensitivity)
ASSAY_UNDER_TEST(operator_roofline)
ASSAY_UNDER_TEST(overview)
ASSAY_UNDER_TEST(pipeline)
ASSAY_UNDER_TEST(pipeline_variation)
ASSAY_UNDER_TEST(ranges)
ASSAY_UNDER_TEST(ranks)
ASSAY_UNDER_TEST(resolution_scaling)
ASSAY_UNDER_TEST(result_delta)
ASSAY_UNDER_TEST(run_summary)
ASSAY_UNDER_TEST(runner_results)
ASSAY_UNDER_TEST(serving)
ASSAY_UNDER_TEST(stacks)
ASSAY_UNDER_TEST(stall_lines)
ASSAY_UNDER_TEST(start_phases)
ASSAY_UNDER_TEST(step_breakdown)
ASSAY_UNDER_TEST(step_difference)
ASSAY_UNDER_TEST(step_items)
ASSAY_UNDER_TEST(token_reduction_overhead)

#undef ASSAY_UNDER_TEST

namespace assay {

/// The first finding whose title has the part.
inline const testing::RecordedFinding& finding(const testing::Recorder& recorder, std::string_view part) {
  for (const auto& one : recorder.findings) {
    if (one.title.find(part) != std::string::npos) return one;
  }
  throw std::runtime_error("no finding has " + std::string(part));
}

}  // namespace assay
