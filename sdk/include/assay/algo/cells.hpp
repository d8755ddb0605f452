// Cells: the runs of equal labels, which are replicates of each other.
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

/// A condition on one label: its value is one of these.
struct LabelCondition {
  std::string label;
  std::vector<std::string> values;
};

/// From the texts "label=a|b" of an option (OptionType::kConditionList).
std::vector<LabelCondition> conditions_of(std::span<const Str> texts);

/// Whether a report meets every condition.
bool meets(const StudyView& view, std::size_t report, const std::vector<LabelCondition>& where);

/// Runs that agree in the labels that the cell is of.
struct Cell {
  std::vector<std::pair<std::string, std::string>> labels;  ///< in the order of the TOML, or as asked
  Runs runs;
  std::string apart{};  ///< what keeps it from another cell of the same `per` values (kept_apart); empty without one
};

struct Cells {
  std::vector<Cell> cells;          ///< by label order values
  std::vector<UnmatchedReport> left_out;  ///< runs that meet the conditions and are in no cell; by report
};

/// Where a report stands among the values of named labels.
struct NamedKey {
  std::vector<double> order;
  std::vector<std::pair<std::string, std::string>> labels;
};

/// Nothing when the report has no value of one of them.
std::optional<NamedKey> named_key(const StudyView& view, std::size_t report, std::span<const std::string> names);

/// One cell a set of equal labels that do not only describe, of believed runs that meet the conditions. Where labels
/// are declared a run without any is in no cell: nothing says of which runs it is a replicate. Where none are every run
/// is its own.
Cells cells_of(const StudyView& view, const std::vector<LabelCondition>& where);

/// One cell a set of labels that are equal but for those that `varies`. A cell is named by its values of `per` and of
/// the labels that else tell cells apart. Runs that lack a label of `per` or `varies` are left out.
Cells cells_of(const StudyView& view, const std::vector<LabelCondition>& where, std::span<const std::string> per,
               std::span<const std::string> varies);

}  // namespace assay
