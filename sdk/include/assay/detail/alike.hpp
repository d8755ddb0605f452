// Decides which runs are alike; every comparison and every pooling of runs uses it.
//
// Runs are alike if they belong to the question, are believed, and agree in every label that is not merely descriptive,
// except those the comparison varies (the label under test, an axis, blocks). What reports state about their recording
// (device, clock, driver, format) are labels too if the reports differ in them. Runs that are not alike are never
// compared, pooled or fitted together; a run that is left alone for that reason is reported with it. Pairs
// (matching.hpp), cells (cells.hpp) and sweeps (sweeps.hpp) are built from these groups only; for runs of unequal
// length see lengths.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/algo/participation.hpp"
#include "assay/study.hpp"
#include "assay/words.hpp"

namespace assay {

/// A report of the question that takes no part, and why (a clause: "no report with compile=none and ...").
struct UnmatchedReport {
  std::size_t report;
  std::string reason;
  std::string apart{};  ///< result of kept_apart, if that is the reason; part of `reason`
};

/// Reports that are alike, as runs: the ranks of a job are one run. Only the gate creates them, and functions that
/// compare or pool runs (lengths.hpp, contrast.hpp, values_of_runs) accept nothing else.
class Runs {
 public:
  Runs() = default;  ///< empty

  /// Rows of Study::reports, ascending.
  [[nodiscard]] const std::vector<std::size_t>& reports() const { return reports_; }
  [[nodiscard]] std::size_t front() const { return reports_.front(); }
  [[nodiscard]] bool empty() const { return reports_.empty(); }
  [[nodiscard]] std::size_t size() const { return reports_.size(); }
  [[nodiscard]] std::vector<std::size_t>::const_iterator begin() const { return reports_.begin(); }
  [[nodiscard]] std::vector<std::size_t>::const_iterator end() const { return reports_.end(); }

  /// Those for which `keep(report)` is true; they stay alike.
  template <class Keep>
  [[nodiscard]] Runs where(Keep&& keep) const {
    Runs out;
    for (const std::size_t r : reports_) {
      if (keep(r)) out.reports_.push_back(r);
    }
    return out;
  }

 private:
  friend class Gate;
  std::vector<std::size_t> reports_;
};

/// What a comparison varies, and which reports it is about.
struct Alikeness {
  std::vector<std::string> varies;   ///< labels in which alike runs may differ; each run must have a value for them
  std::vector<std::string> needs{};  ///< further labels for which each run must have a value
  std::function<bool(std::size_t)> speaks_of{};  ///< filter of reports; null: all
};

/// Alike runs.
struct RunGroup {
  LabelTexts labels;  ///< common labels, in TOML order
  Runs runs;
};

struct RunGrouping {
  std::vector<RunGroup> groups;  ///< by label order values
  std::vector<UnmatchedReport>
      left_out;  ///< runs that pass the filter and are in no group: not believed, or without a label; by report
};

/// All groups of alike runs. No run has a value for an undeclared label.
RunGrouping alike_groups(const StudyView& view, const Alikeness& alikeness);

/// Why a group is separate from the group that differs from it in the fewest labels: "runs that differ in device (H200,
/// not H100) are never compared"; empty if there is no other group. `may` selects the groups to consider.
std::string kept_apart(const StudyView& view, const std::vector<RunGroup>& groups, std::size_t group,
                       const std::function<bool(const RunGroup&)>& may);

/// One value per run in which any report has one (joined_parts). `of` returns the value of a report, or empty.
template <class Of>
std::vector<double> values_of_runs(const StudyView& view, const Runs& runs, Of&& of) {
  std::vector<double> out;
  for (const RunReports& run : as_runs(view, runs.reports())) {
    std::vector<PartOfRun> parts;
    for (const std::size_t r : run) {
      if (const std::optional<double> value = of(r)) parts.push_back({r, *value});
    }
    if (!parts.empty()) out.push_back(joined_parts(view, parts).value);
  }
  return out;
}

}  // namespace assay
