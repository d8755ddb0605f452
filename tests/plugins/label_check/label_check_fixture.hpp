// What label_check said, for its tests.
#pragma once

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "assay/testing/study_builder.hpp"
#include "plugins/analyzers.hpp"

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

/// "borne_out=12, unverifiable": the verdict on each label of each report, and what its trace shows of it.
inline std::string judged(const Recorder& r, const StudyBuilder& s, const std::vector<std::string>& paths,
                          const std::vector<std::string>& labels) {
  std::ostringstream out;
  for (const std::string& path : paths) {
    for (const std::string& label : labels) {
      out << (out.tellp() > 0 ? ", " : "") << verdict(r, s, path, label);
      if (const auto value = shown(r, s, path, label)) out << '=' << *value;
    }
  }
  return out.str();
}

}  // namespace assay::testing
