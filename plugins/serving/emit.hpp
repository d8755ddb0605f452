// The results of serving for one report.
#pragma once

#include "assay/output.hpp"
#include "requests.hpp"

namespace assay::serving {

void emit_facts(const Latencies& latencies, ReportSink& sink);
void emit_tables(const Latencies& latencies, ReportSink& sink);

/// Issues about what is not counted.
void emit_left_out(const Phases& phases, const Latencies& latencies, ReportSink& sink);

}  // namespace assay::serving
