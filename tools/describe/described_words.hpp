// Metrics, verdicts and terms explained in words: what `describe` prints for a name that is not an analyzer.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "plugins/plugins.hpp"

namespace assay {

struct DescribedWord {
  std::string name;
  std::string kind;      ///< "metric", "verdict" or "term"
  std::string analyzer;  ///< of a metric
  std::string title, definition;
  /// "unit", "formula", ... with their texts, none of them empty.
  std::vector<std::pair<std::string, std::string>> lines;
};

/// Metrics of all analyzers by name, then verdicts, then terms used in output.
std::vector<DescribedWord> described_words(const Plugins& plugins);

/// Writes metrics and verdicts as Markdown: docs/metrics.md of a release.
void write_reference(const std::vector<DescribedWord>& words, std::ostream& to);

}  // namespace assay
