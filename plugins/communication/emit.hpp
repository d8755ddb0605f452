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

/// Steps that are averaged: all that worked but the first of them; that one where there is no other.
std::vector<MeasuredStep> averaged(const std::vector<MeasuredStep>& steps);

void emit_steps(const std::vector<MeasuredStep>& all, ReportSink& sink);
void emit_capture(const StepParts& parts, ReportSink& sink);
/// `first` is left out as of steps.
void emit_collectives(const Collectives& collectives, std::size_t first, ReportSink& sink);

}  // namespace assay::communication
