// Emits the results of one report.
#pragma once

#include "assay/output.hpp"
#include "assay/report.hpp"

namespace assay::memory {

/// `stacks`: maximum number of facts and rows of stacks.
void emit_report(const Report& report, std::size_t stacks, ReportSink& sink);

}  // namespace assay::memory
