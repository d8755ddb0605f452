// What label_check said, for its tests.
#pragma once

#include <optional>
#include <string>

#include "plugins/analyzers.hpp"
#include "assay/testing/study_builder.hpp"

namespace assay::testing {

/// Verdict on a label of a report; empty when there is none.
inline std::string verdict(const Recorder& r, const StudyBuilder& s, const std::string& path,
                           const std::string& label) {
  for (const auto& fact : r.facts) {
    if (fact.metric != "label.verdict" || fact.report != static_cast<Row>(s.row(path))) continue;
    if (fact.dims.starts_with("label=" + label + ";verdict=")) return fact.dims.substr(label.size() + 15);
  }
  return {};
}

inline std::optional<double> shown(const Recorder& r, const StudyBuilder& s, const std::string& path,
                                   const std::string& label) {
  for (const auto& fact : r.facts) {
    if (fact.metric == "label.trace_value" && fact.report == static_cast<Row>(s.row(path)) &&
        fact.dims == "label=" + label)
      return fact.value;
  }
  return std::nullopt;
}

}  // namespace assay::testing
