// Notes on metrics, analyzers and verdicts that plugins do not declare themselves, for report.html and `assay
// describe`. The texts are in notes.json.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::notes {

struct MetricNote {
  std::vector<std::string> metrics;  ///< globs
  std::vector<std::string> tables;   ///< tables of the report model that it is measured from
  std::string source;                ///< other sources; empty: none
  std::string formula;               ///< empty: see the definition
  std::string is_not;                ///< what it may be mistaken for
};

struct AnalyzerNote {
  std::string id, is_not;
};

struct VerdictNote {
  std::string name, definition, formula, is_not;
};

/// Null if there is no note, as for third-party analyzers.
const MetricNote* metric_note(std::string_view metric);
const AnalyzerNote* analyzer_note(std::string_view id);
/// "nanoseconds"; empty if the unit is unknown.
std::string_view unit_meaning(std::string_view unit);
std::span<const MetricNote> metrics();
std::span<const VerdictNote> verdicts();

}  // namespace assay::notes
