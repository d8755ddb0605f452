// Cells: the runs with equal labels, which are repeats of each other.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/algo/matching.hpp"
#include "assay/algo/participation.hpp"

namespace assay {

/// A condition on a label: its value is one of `values`.
struct LabelCondition {
  std::string label;
  std::vector<std::string> values;
};

/// Parses option texts "label=a|b" (OptionType::kConditionList).
std::vector<LabelCondition> conditions_of(std::span<const Str> texts);

/// Whether a report meets every condition; true without conditions. A report without the label has the value "".
bool meets(const StudyView& view, std::size_t report, const std::vector<LabelCondition>& where);

/// Runs with equal labels.
struct Cell {
  std::vector<std::pair<std::string, std::string>> labels;  ///< in TOML order, or as requested
  Runs runs;                                                ///< never empty
  std::string apart{};  ///< why it is separate from another cell with equal `per` values (kept_apart); empty: there is
                        ///< none
};

/// Result of cells_of.
struct Cells {
  std::vector<Cell> cells;                ///< by label order values
  std::vector<UnmatchedReport> left_out;  ///< runs that meet the conditions but are in no cell; by report
};

/// Position of a report among the values of named labels, one entry per name.
struct NamedKey {
  std::vector<double> order;  ///< LabelValueTable::order
  std::vector<std::pair<std::string, std::string>> labels;
};

/// Key of a report for the labels `names`, in their order; empty if it has no value for one of them.
std::optional<NamedKey> named_key(const StudyView& view, std::size_t report, std::span<const std::string> names);

/// One cell per set of equal non-descriptive labels, of believed runs that meet the conditions. If labels are declared,
/// a run without any is in no cell, since it is unknown which runs it repeats. If none are declared, every run is its
/// own cell.
Cells cells_of(const StudyView& view, const std::vector<LabelCondition>& where);

/// One cell per set of labels that are equal except for those in `varies`. A cell is named by its values of `per` and
/// of the other labels that distinguish cells. Runs without a label of `per` or `varies` are left out.
Cells cells_of(const StudyView& view, const std::vector<LabelCondition>& where, std::span<const std::string> per,
               std::span<const std::string> varies);

}  // namespace assay
