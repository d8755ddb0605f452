// The measurements of one run as study rows.
#pragma once

#include "algo/step_items.hpp"
#include "assay/output.hpp"

namespace assay::step_items {

void emit_rows(const RunMeasure& run, ReportSink& sink);

}  // namespace assay::step_items
