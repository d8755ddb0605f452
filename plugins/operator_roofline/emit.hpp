// Facts and tables of one report.
#pragma once

#include "assay/sdk.hpp"
#include "calls.hpp"
#include "steps.hpp"

namespace assay::roofline {

void emit_operators(const OperatorCalls& calls, std::size_t top, ReportSink& sink);
void emit_steps(const StepUse& use, ReportSink& sink);
void emit_peaks(const Peaks& peaks, ReportSink& sink);

/// One row per operator with its shapes.
Table operator_table(const OperatorCalls& calls);
/// One row per module that launched kernels, by the classes of a trace with modules; empty without.
std::optional<Table> module_table(const Report& report, const OperatorCalls& calls);

/// Names of the metrics' dims.
inline constexpr std::string_view kOperator = "operator", kShapes = "shapes";

}  // namespace assay::roofline
