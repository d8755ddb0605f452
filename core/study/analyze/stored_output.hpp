// What is kept of one report in the result cache and in parts of a run, as bytes and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/report_sink.hpp"

namespace assay {

/// What one view of a report says before any analyzer sees it.
struct ViewIssues {
  std::optional<std::string> missing;  ///< why there is no view: its window is not there
  std::vector<OwnedIssue> issues;      ///< of the file and the view
};

std::string to_bytes(const ViewIssues& view);
std::string to_bytes(const AnalyzerOutput& output);
std::string to_bytes(const std::vector<OwnedTable>& tables);
/// All that one report gave, before it is concluded, for a part of a run; without notes.
std::string to_bytes(const ReportResult& result);

/// Nothing when the bytes are not, to the last one, such a value; also when text is not UTF-8, a number of a fact is
/// not finite, a table is ragged, or something was not declared by `by`.
std::optional<ViewIssues> view_from_bytes(std::string_view bytes);
std::optional<AnalyzerOutput> output_from_bytes(std::string_view bytes, const Descriptor& by);
/// As those, but for what was declared: whoever keeps results knows by whom they were made.
std::optional<ReportResult> result_from_bytes(std::string_view bytes);

}  // namespace assay
