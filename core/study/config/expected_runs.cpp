#include "config/expected_runs.hpp"

#include <algorithm>
#include <set>

namespace assay {
namespace {

using Values = ExpectedRun::Values;

/// Product of the axes, the last one varying fastest.
std::vector<Values> product(const MatrixBlock& block) {
  std::vector<Values> cells(1);
  for (const auto& [label, values] : block.values) {
    std::vector<Values> longer;
    for (const Values& cell : cells) {
      for (const std::string& value : values) {
        longer.push_back(cell);
        longer.back().emplace_back(label, value);
      }
    }
    cells = std::move(longer);
  }
  return cells;
}

Values with_defaults(Values values, const std::vector<LabelSpec>& labels) {
  for (const LabelSpec& label : labels) {
    const bool named = std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == label.name; });
    if (!named && label.default_value && !label.descriptive) values.emplace_back(label.name, *label.default_value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

std::vector<ExpectedRun> expected_runs(const Question& question) {
  std::vector<ExpectedRun> runs;
  std::set<Values> seen;
  for (const MatrixBlock& block : question.matrix) {
    for (Values& cell : product(block)) {
      Values filled = with_defaults(cell, question.labels.labels);
      if (seen.insert(filled).second) runs.push_back({std::move(cell), std::move(filled)});
    }
  }
  return runs;
}

}  // namespace assay
