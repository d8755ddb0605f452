// What a metric, an analyzer, a verdict or a word of the reports means: one text for the terminal, for programs and for
// docs/metrics.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "notes/notes.hpp"
#include "plugins/plugins.hpp"
#include "results/stored_results.hpp"

namespace assay::explain {

/// What a format fills of the tables that something is measured from.
struct FilledBy {
  std::string format;  ///< "nsys"
  std::vector<std::string> fills, lacks;
};

struct Example {
  std::string value, dims, report, data;
};

/// Texts that do not apply are empty.
struct Explanation {
  std::string kind;  ///< "metric", "analyzer", "verdict" or "term"
  std::string name, title, definition, unit, unit_meaning, better, formula, source, is_not, analyzer;
  bool extensive = false;
  std::vector<FilledBy> formats;
  std::vector<std::string> metrics;  ///< of an analyzer
  std::optional<Example> example;
};

Explanation of_metric(const MetricSpec& metric, const Plugin& plugin);
Explanation of_analyzer(const Plugin& plugin);
Explanation of_verdict(const notes::VerdictNote& note);

/// The metric, analyzer, verdict or word of this name, in this order. Error (exit 2): there is none, with the nearest.
Result<Explanation> explain(const std::string& name, const Plugins& plugins);
/// The median of the values of a metric in a result takes the place of the example; an explanation of anything else
/// stays as it is. Error (exit 2): the result has no value of it.
Status take_example(const std::vector<StoredQuestion>& result, const std::string& place, Explanation& to);

/// The metrics of all analyzers, then the verdicts.
std::vector<Explanation> reference(const Plugins& plugins);

}  // namespace assay::explain
