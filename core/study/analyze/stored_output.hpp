// Serializes the results of one report for the result cache and for parts of a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/report_sink.hpp"

namespace assay {

/// Issues and fingerprint of one view of a report, before any analyzer runs.
struct ViewIssues {
  std::optional<std::string> missing;  ///< why there is no view: its window is missing
  std::vector<OwnedIssue> issues;      ///< of the file and the view
  std::string fingerprint;             ///< empty: it has none, or no question needs it of the host
};

std::string to_bytes(const ViewIssues& view);
std::string to_bytes(const AnalyzerOutput& output);
std::string to_bytes(const std::vector<OwnedTable>& tables);
/// Serializes all results of one report before it is concluded, for a part of a run; without notes.
std::string to_bytes(const ReportResult& result);

/// Empty unless the bytes are exactly one such value; also empty if text is not UTF-8, a fact is not finite, columns of
/// a table differ in length, or something is not declared by `by`.
std::optional<ViewIssues> view_from_bytes(std::string_view bytes);
std::optional<AnalyzerOutput> output_from_bytes(std::string_view bytes, const Descriptor& by);
/// Like output_from_bytes, but does not check declarations: the caller knows which plugins produced the results.
std::optional<ReportResult> result_from_bytes(std::string_view bytes);

}  // namespace assay
