// Facts and tables of one report.
#pragma once

#include <vector>

#include "assay/output.hpp"
#include "collectives.hpp"

namespace assay::communication {

/// A step with its parts.
struct MeasuredStep {
  const DeviceStep* step = nullptr;
  StepParts parts;
};

/// The steps to average: all with work except the first of them, or that one if it is the only one.
std::vector<MeasuredStep> averaged(const std::vector<MeasuredStep>& steps);

void emit_steps(const std::vector<MeasuredStep>& all, ReportSink& sink);
void emit_capture(const StepParts& parts, ReportSink& sink);
/// `first` is excluded, as in steps.
void emit_collectives(const Collectives& collectives, std::size_t first, ReportSink& sink);

}  // namespace assay::communication
