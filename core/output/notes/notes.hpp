// Notes on metrics, analyzers and verdicts that plugins do not declare themselves. The page, `assay explain` and
// docs/metrics.md all take them from here. notes.json holds the texts; examples.json is made from the bundled profiles
// (tests/guide/explain_docs.py).
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

/// One value measured in the bundled profiles.
struct MetricExample {
  std::string metric, value, dims, report, data;
};

/// Null: nobody has written one, as of an analyzer of somebody else.
const MetricNote* of_metric(std::string_view metric);
const AnalyzerNote* of_analyzer(std::string_view id);
const MetricExample* example_of(std::string_view metric);
/// "nanoseconds"; empty where the unit is not known.
std::string_view unit_meaning(std::string_view unit);
std::span<const MetricNote> metrics();
std::span<const VerdictNote> verdicts();

}  // namespace assay::notes
