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
#include "assay/detail/alike.hpp"
#include "assay/study.hpp"

namespace assay {

/// One set of equal labels with the runs of both sides; several a side are replicates.
struct Stratum {
  std::vector<std::pair<std::string, std::string>> labels;  ///< those that are matched, in the order of the TOML
  Runs base, treated;
  std::string apart{};  ///< what keeps other runs from it (kept_apart); empty where nothing does
};

struct Matching {
  std::vector<Stratum> strata;       ///< by label order values; both sides of each are non-empty
  std::vector<UnmatchedReport> unmatched;  ///< by report
};

/// Pairs the question's reports with `label` at `base_value` with those at `treated_value` that are equal in every
/// other label that does not only describe. Reports with a third value take no part and are not listed; noise reports
/// neither. Reports that are not believed are taken out and listed. Throws std::invalid_argument for a label that is
/// not declared.
Matching match_pairs(const StudyView& view, std::string_view label, std::string_view base_value,
                     std::string_view treated_value);

/// Two values of one label that are compared.
struct LabelPair {
  std::string label, base, treated;
  std::string name = treated;  ///< what it is called beside the others

  /// "compile default / none", or its own name.
  [[nodiscard]] std::string over() const { return name == treated ? label + " " + treated + " / " + base : name; }
};

/// The pairs of a label that participants have values of: `base` (empty: the value that sorts first) with each of
/// `treated` (empty: with all others, in the label's order).
std::vector<LabelPair> label_pairs(const StudyView& view, std::string_view label, std::string_view base,
                                   std::vector<std::string> treated = {});

/// Strata of several pairs.
struct PairMatching {
  std::vector<std::vector<Stratum>> strata;  ///< by pair
  std::vector<UnmatchedReport> unmatched;          ///< by report: those in no stratum of any pair, once, with a reason
};

/// Matches every pair; a run that lacks a partner for one and has one for another takes part and is not listed.
PairMatching match_pairs(const StudyView& view, const std::vector<LabelPair>& pairs);

}  // namespace assay
