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
inline std::vector<LabelCondition> conditions_of(std::span<const Str> texts) {
  std::vector<LabelCondition> out;
  for (const Str& text : texts) {
    const std::size_t equals = text.view().find('=');
    LabelCondition& condition = out.emplace_back(LabelCondition{std::string(text.view().substr(0, equals)), {}});
    std::string_view rest = text.view().substr(std::min(text.view().size(), equals + 1));
    while (true) {
      const std::size_t bar = rest.find('|');
      condition.values.emplace_back(rest.substr(0, bar));
      if (bar == std::string_view::npos) break;
      rest.remove_prefix(bar + 1);
    }
  }
  return out;
}

/// Whether a report meets every condition.
inline bool meets(const StudyView& view, std::size_t report, const std::vector<LabelCondition>& where) {
  return std::all_of(where.begin(), where.end(), [&](const LabelCondition& condition) {
    const auto value = view.label_text(report, condition.label);
    return std::find(condition.values.begin(), condition.values.end(), value) != condition.values.end();
  });
}

/// Runs that agree in the labels that the cell is of.
struct Cell {
  std::vector<std::pair<std::string, std::string>> labels;  ///< in the order of the TOML, or as asked
  std::vector<RunReports> runs;                             ///< one element a run: the reports of a job are one

  [[nodiscard]] std::vector<std::size_t> reports() const {
    std::vector<std::size_t> out;
    for (const RunReports& run : runs) out.insert(out.end(), run.begin(), run.end());
    return out;
  }
};

struct Cells {
  std::vector<Cell> cells;          ///< by label order values
  std::vector<Unmatched> left_out;  ///< runs that meet the conditions and are in no cell; by report
};

/// Where a report stands among the values of named labels.
struct NamedKey {
  std::vector<double> order;
  std::vector<std::pair<std::string, std::string>> labels;
};

/// Nothing when the report has no value of one of them.
inline std::optional<NamedKey> named_key(const StudyView& view, std::size_t report,
                                         std::span<const std::string> names) {
  NamedKey key;
  for (const std::string& name : names) {
    const auto label = view.label(name);
    const auto row = label ? view.label_value(report, *label) : std::nullopt;
    if (!row) return std::nullopt;
    key.order.push_back(view.study().label_values->order[*row]);
    key.labels.emplace_back(name, view.study().label_values->text[*row].view());
  }
  return key;
}

namespace detail {

/// Runs that meet the conditions and may be in a cell; those that are not believed are left out, said.
inline std::vector<RunReports> runs_where(const StudyView& view, const std::vector<LabelCondition>& where,
                                          std::vector<Unmatched>& left_out) {
  std::vector<std::size_t> reports;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (view.is_noise(r) || !meets(view, r, where)) continue;
    if (view.believed(r)) {
      reports.push_back(r);
    } else {
      left_out.push_back({r, std::string(view.doubt(r))});
    }
  }
  return as_runs(view, reports);
}

inline void sort_by_report(std::vector<Unmatched>& runs) {
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Unmatched& a, const Unmatched& b) { return a.report < b.report; });
}

}  // namespace detail

/// One cell a set of equal labels that do not only describe, of believed runs that meet the conditions. Where labels
/// are declared a run without any is in no cell: nothing says of which runs it is a replicate. Where none are every run
/// is its own.
inline Cells cells_of(const StudyView& view, const std::vector<LabelCondition>& where) {
  constexpr std::size_t kNoLabel = std::numeric_limits<std::size_t>::max();
  const bool declared = declares_labels(view);
  Cells out;
  std::map<std::pair<detail::LabelKey, std::size_t>, Cell> cells;
  for (RunReports& run : detail::runs_where(view, where, out.left_out)) {
    const std::size_t first = run.front();
    if (declared && !view.named(first)) {
      for (const std::size_t r : run) {
        out.left_out.push_back({r, "its name gives it no label, so that nothing says which runs are its replicates"});
      }
      continue;
    }
    Cell& cell = cells[{detail::key_without(view, first, kNoLabel), declared ? 0 : view.job(first)}];
    if (cell.runs.empty()) cell.labels = detail::labels_without(view, first, kNoLabel);
    cell.runs.push_back(std::move(run));
  }
  for (auto& [key, cell] : cells) out.cells.push_back(std::move(cell));
  detail::sort_by_report(out.left_out);
  return out;
}

/// One cell a combination of the values of `per`; runs that lack one of these labels are left out.
inline Cells cells_of(const StudyView& view, const std::vector<LabelCondition>& where,
                      std::span<const std::string> per) {
  Cells out;
  std::map<std::vector<double>, Cell> cells;
  for (RunReports& run : detail::runs_where(view, where, out.left_out)) {
    const auto key = named_key(view, run.front(), per);
    if (!key) {
      for (const std::size_t r : run)
        out.left_out.push_back({r, "its name lacks a label by which runs are told apart"});
      continue;
    }
    Cell& cell = cells.try_emplace(key->order, Cell{key->labels, {}}).first->second;
    cell.runs.push_back(std::move(run));
  }
  for (auto& [key, cell] : cells) out.cells.push_back(std::move(cell));
  detail::sort_by_report(out.left_out);
  return out;
}

}  // namespace assay
