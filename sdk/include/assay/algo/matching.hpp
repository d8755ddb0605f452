// Matched pairs: reports with equal labels except the one under test (statistics.md, Matched pairs).
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
#include "assay/detail/alike.hpp"
#include "assay/study.hpp"
#include "assay/words.hpp"

namespace assay {

/// One set of equal labels with the runs of both sides; several per side are repeats.
struct Stratum {
  std::vector<std::pair<std::string, std::string>> labels;  ///< matched labels, in TOML order
  Runs base, treated;
  std::string apart{};  ///< why other runs are separate from it (kept_apart); match_pairs leaves it empty
};

/// Result of match_pairs for one pair of values.
struct Matching {
  std::vector<Stratum> strata;             ///< by label order values; both sides of each are non-empty
  std::vector<UnmatchedReport> unmatched;  ///< by report
};

/// Pairs the question's reports with `label` at `base_value` with those at `treated_value` that are equal in every
/// other non-descriptive label. Ignores reports with a third value and noise reports; lists reports that are not
/// believed. Throws std::invalid_argument for an undeclared label.
Matching match_pairs(const StudyView& view, std::string_view label, std::string_view base_value,
                     std::string_view treated_value);

/// Two values of one label to compare.
struct LabelPair {
  std::string label, base, treated;
  std::string name = treated;  ///< its name among several pairs

  /// "compile default / none" if `name` is the treated value, else `name`.
  [[nodiscard]] std::string over() const {
    return name == treated ? filled("{} {} / {}", {label, treated, base}) : name;
  }
};

/// Pairs of a label: `base` (empty: the first value in label order) with each of `treated` (empty: all values of
/// participants, in label order), except with itself. Empty if `base` is empty and no participant has a value. Given
/// values are not checked.
std::vector<LabelPair> label_pairs(const StudyView& view, std::string_view label, std::string_view base,
                                   std::vector<std::string> treated = {});

/// Strata of several pairs.
struct PairMatching {
  std::vector<std::vector<Stratum>> strata;  ///< by pair
  std::vector<UnmatchedReport> unmatched;    ///< by report: those in no stratum of any pair, without duplicates,
                                             ///< with a reason
};

/// Matches every pair; a run with a partner in at least one pair takes part and is not in `unmatched`. Throws
/// std::invalid_argument for an undeclared label.
PairMatching match_pairs(const StudyView& view, const std::vector<LabelPair>& pairs);

}  // namespace assay
