// The picture of a step: what the host and the device do in the median one.
#pragma once

#include "algo/account/account.hpp"
#include "assay/algo/kernel_classes.hpp"
#include "assay/algo/steps.hpp"
#include "assay/output.hpp"
#include "assay/report.hpp"

namespace assay::step_items {

/// Emits the table `strip`: of the whole step of median length, of the process that launches most; without steps, of
/// the capture. Nothing if nothing was launched.
void emit_picture(const Report& report, const step::Steps& steps, const account::Account& account,
                  const NameRules& classes, ReportSink& sink);

}  // namespace assay::step_items
