// Notes on metrics, analyzers and verdicts that plugins do not declare themselves: report.html and `assay describe`
// take them from here. notes.json holds the texts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::notes {

struct MetricNote {
  std::vector<std::string> metrics;  ///< globs
  std::vector<std::string> tables;   ///< of the report model, that it is measured from
  std::string source;                ///< what else it comes from; empty: nothing
  std::string formula;               ///< empty: the definition says it
  std::string is_not;                ///< what it is taken for and is not
};

struct AnalyzerNote {
  std::string id, is_not;
};

struct VerdictNote {
  std::string name, definition, formula, is_not;
};

/// Null: nobody has written one, as of an analyzer of somebody else.
const MetricNote* metric_note(std::string_view metric);
const AnalyzerNote* analyzer_note(std::string_view id);
/// "nanoseconds"; empty where the unit is not known.
std::string_view unit_meaning(std::string_view unit);
std::span<const MetricNote> metrics();
std::span<const VerdictNote> verdicts();

}  // namespace assay::notes
