// The picture of a step: what the host and the device do in the median one.
#pragma once

#include "assay/algo/kernel_classes.hpp"
#include "assay/output.hpp"
#include "assay/report.hpp"

namespace assay::step_items {

/// Emits the table `strip`: of the whole step of median length, of the process that launches most; without steps, of
/// the capture. Nothing if nothing was launched.
void emit_picture(const Report& report, const NameRules& classes, ReportSink& sink);

}  // namespace assay::step_items
