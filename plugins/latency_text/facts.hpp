// The numbers of the script as facts.
#pragma once

#include "assay/output.hpp"
#include "script.hpp"

namespace assay::latency {

void emit_facts(const Script& script, Interval host_window, ReportSink& sink);

}  // namespace assay::latency
