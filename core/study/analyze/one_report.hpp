// One analyzer on one report, and the merging of what several gave.
#pragma once

#include <optional>

#include "analyze/report_sink.hpp"
#include "assay/report.hpp"

namespace assay {

/// The skip of an analyzer whose needs the report does not meet; nothing: it meets them.
std::optional<AnalyzerOutput> unmet_need(const Descriptor& declared, const Report& report);

/// Checks the needs of `declared` against the report and calls `analyze`. An unmet need gives one skip; a failure drops
/// whatever was emitted and gives one skip with `failed`. `stream` takes the tables; null: they are in the output.
/// Thread-safe.
AnalyzerOutput run_analyzer(const Descriptor& declared, const Analyzer& analyzer, const Report& report,
                            TableStream* stream = nullptr);

/// Adds what one analyzer gave.
void add_output(ReportResult& result, AnalyzerOutput output);

/// Adds the report's own issues.
void add_issues(ReportResult& result, const IssueTable& issues);

/// Brings everything into the documented order.
void sort_result(ReportResult& result);

}  // namespace assay
