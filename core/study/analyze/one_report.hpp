// Runs one analyzer on one report, and merges the outputs of several.
#pragma once

#include <optional>

#include "analyze/report_sink.hpp"
#include "assay/report.hpp"

namespace assay {

/// Skip of an analyzer whose needs the report does not meet; empty if it meets them.
std::optional<AnalyzerOutput> unmet_need(const Descriptor& declared, const Report& report);

/// Checks the needs of `declared` against the report and calls `analyze`. An unmet need yields one skip; a failure
/// drops all output and yields one skip with `failed`. `stream` receives the tables; null: they are in the output.
/// Thread-safe.
AnalyzerOutput run_analyzer(const Descriptor& declared, const Analyzer& analyzer, const Report& report,
                            TableStream* stream = nullptr);

/// Adds the output of one analyzer.
void add_output(ReportResult& result, AnalyzerOutput output);

/// Adds the report's own issues.
void add_issues(ReportResult& result, const IssueTable& issues);

/// Sorts everything into the documented order.
void sort_result(ReportResult& result);

}  // namespace assay
