// Matched pairs: reports that are equal in every label but the one under test (statistics.md, Matched pairs).
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/algo/participation.hpp"
#include "assay/study.hpp"

namespace assay {

/// One set of equal labels with the reports of both sides (rows of Study::reports, ascending); several a side are
/// replicates, or ranks of one job (`as_runs` tells).
struct Stratum {
  std::vector<std::pair<std::string, std::string>> labels;  ///< those that are matched, in the order of the TOML
  std::vector<std::size_t> base, treated;
};

/// A report of the question that joined no pair, and why (a clause: "no report with compile=none and ...").
struct Unmatched {
  std::size_t report;
  std::string reason;
};

struct Matching {
  std::vector<Stratum> strata;       ///< by label order values; both sides of each are non-empty
  std::vector<Unmatched> unmatched;  ///< by report
};

namespace detail {

/// Places a report among others: a missing value first, then the label's order, then its text.
using LabelKey = std::vector<std::tuple<bool, double, std::string>>;

inline LabelKey key_without(const StudyView& view, std::size_t report, std::size_t label_under_test) {
  const LabelTable& labels = *view.study().labels;
  const LabelValueTable& values = *view.study().label_values;
  LabelKey key;
  for (std::size_t l = 0; l < labels.rows; ++l) {
    if (l == label_under_test || labels.descriptive[l] != 0) continue;
    const auto row = view.label_value(report, l);
    key.emplace_back(row.has_value(), row ? values.order[*row] : 0, row ? std::string(values.text[*row].view()) : "");
  }
  return key;
}

inline std::vector<std::pair<std::string, std::string>> labels_without(const StudyView& view, std::size_t report,
                                                                       std::size_t label_under_test) {
  const LabelTable& labels = *view.study().labels;
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t l = 0; l < labels.rows; ++l) {
    if (l == label_under_test || labels.descriptive[l] != 0) continue;
    if (const auto row = view.label_value(report, l)) {
      out.emplace_back(labels.name[l].view(), view.study().label_values->text[*row].view());
    }
  }
  return out;
}

}  // namespace detail

/// Pairs the question's reports with `label` at `base_value` with those at `treated_value` that are equal in every
/// other label that does not only describe. Reports with a third value take no part and are not listed; noise reports
/// neither. Reports that are not believed are taken out and listed. Throws std::invalid_argument for a label that is
/// not declared.
inline Matching match_pairs(const StudyView& view, std::string_view label, std::string_view base_value,
                            std::string_view treated_value) {
  const auto tested = view.label(label);
  if (!tested) throw std::invalid_argument("label '" + std::string(label) + "' is not declared");
  Matching matching;
  std::map<detail::LabelKey, Stratum> strata;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (view.is_noise(r)) continue;
    const auto row = view.label_value(r, *tested);
    if (!row) {
      matching.unmatched.push_back({r, "it has no value of the label " + std::string(label)});
      continue;
    }
    const std::string_view value = view.study().label_values->text[*row];
    if (value != base_value && value != treated_value) continue;
    if (!view.believed(r)) {
      matching.unmatched.push_back({r, std::string(view.doubt(r))});
      continue;
    }
    Stratum& stratum = strata[detail::key_without(view, r, *tested)];
    (value == base_value ? stratum.base : stratum.treated).push_back(r);
  }
  for (auto& [key, stratum] : strata) {
    if (!stratum.base.empty() && !stratum.treated.empty()) {
      stratum.labels = detail::labels_without(view, stratum.base.front(), *tested);
      matching.strata.push_back(std::move(stratum));
      continue;
    }
    const std::string_view missing = stratum.base.empty() ? base_value : treated_value;
    const std::string reason =
        "no report with " + std::string(label) + "=" + std::string(missing) + " has its other labels";
    for (const std::size_t r : stratum.base) matching.unmatched.push_back({r, reason});
    for (const std::size_t r : stratum.treated) matching.unmatched.push_back({r, reason});
  }
  std::sort(matching.unmatched.begin(), matching.unmatched.end(),
            [](const Unmatched& a, const Unmatched& b) { return a.report < b.report; });
  return matching;
}

/// Two values of one label that are compared.
struct LabelPair {
  std::string label, base, treated;
  std::string name = treated;  ///< what it is called beside the others

  /// "compile default / none", or its own name.
  [[nodiscard]] std::string over() const { return name == treated ? label + " " + treated + " / " + base : name; }
};

/// The pairs of a label that participants have values of: `base` (empty: the value that sorts first) with each of
/// `treated` (empty: with all others, in the label's order).
inline std::vector<LabelPair> label_pairs(const StudyView& view, std::string_view label, std::string_view base,
                                          std::vector<std::string> treated = {}) {
  const std::vector<std::string> values = view.values_of(label);
  if (base.empty() && values.empty()) return {};
  const std::string first(base.empty() ? values.front() : base);
  if (treated.empty()) treated = values;
  std::erase(treated, first);
  std::vector<LabelPair> out;
  for (std::string& value : treated) out.push_back({std::string(label), first, std::move(value)});
  return out;
}

/// Strata of several pairs.
struct PairMatching {
  std::vector<std::vector<Stratum>> strata;  ///< by pair
  std::vector<Unmatched> unmatched;          ///< by report: those in no stratum of any pair, once, with a reason
};

/// Matches every pair; a run that lacks a partner for one and has one for another takes part and is not listed.
inline PairMatching match_pairs(const StudyView& view, const std::vector<LabelPair>& pairs) {
  PairMatching out;
  std::map<std::size_t, std::string> alone;
  for (const LabelPair& pair : pairs) {
    Matching matching = match_pairs(view, pair.label, pair.base, pair.treated);
    for (Unmatched& u : matching.unmatched) alone.emplace(u.report, std::move(u.reason));
    out.strata.push_back(std::move(matching.strata));
  }
  for (const std::vector<Stratum>& strata : out.strata) {
    for (const Stratum& stratum : strata) {
      for (const auto* side : {&stratum.base, &stratum.treated}) {
        for (const std::size_t report : *side) alone.erase(report);
      }
    }
  }
  for (auto& [report, reason] : alone) out.unmatched.push_back({report, std::move(reason)});
  return out;
}

}  // namespace assay
