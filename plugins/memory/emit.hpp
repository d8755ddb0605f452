// What the analyzer emits of one report.
#pragma once

#include "assay/output.hpp"
#include "assay/report.hpp"

namespace assay::memory {

/// `stacks`: at most so many facts and rows of stacks.
void emit_report(const Report& report, std::size_t stacks, ReportSink& sink);

}  // namespace assay::memory
