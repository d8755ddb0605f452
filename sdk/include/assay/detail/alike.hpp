// The gate that every comparison and every pooling of runs goes through: which runs are alike.
//
// Runs are alike that belong to the question, are believed, and agree in every label that does not only describe, but
// for those that the comparison lets vary (the label under test, an axis, blocks). What reports say of where they were
// made (device, clock, driver, format) are labels like the declared ones wherever the reports differ in them. Runs that
// are not alike are never compared, pooled or fitted together; whoever is left alone for that is named, with what keeps
// it apart. Pairs (matching.hpp), cells (cells.hpp) and sweeps (sweeps.hpp) are made from these groups and from nothing
// else; how the values of runs of unequal length are compared, lengths.hpp says.
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
  std::string apart{};  ///< what kept_apart says of it, where that is why; part of `reason`
};

/// Reports that are alike, as runs: the ranks of a job are one. Only the gate makes them, and whatever compares or
/// pools runs (lengths.hpp, contrast.hpp, values_of_runs) takes nothing else.
class Runs {
 public:
  Runs() = default;  ///< none

  /// The reports, rows of Study::reports, ascending.
  [[nodiscard]] const std::vector<std::size_t>& reports() const { return reports_; }
  [[nodiscard]] std::size_t front() const { return reports_.front(); }
  [[nodiscard]] bool empty() const { return reports_.empty(); }
  [[nodiscard]] std::size_t size() const { return reports_.size(); }
  [[nodiscard]] std::vector<std::size_t>::const_iterator begin() const { return reports_.begin(); }
  [[nodiscard]] std::vector<std::size_t>::const_iterator end() const { return reports_.end(); }

  /// Those of them for which `keep(report)` holds: what is alike stays so.
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

/// What a comparison lets vary, and whom it speaks of.
struct Alikeness {
  std::vector<std::string> varies;   ///< labels in which alike runs may differ; each run must have a value of them
  std::vector<std::string> needs{};  ///< further labels of which each run must have a value
  std::function<bool(std::size_t)> speaks_of{};  ///< of which reports; nothing: of all
};

/// Alike runs.
struct RunGroup {
  LabelTexts labels;  ///< in which they agree, in the order of the TOML
  Runs runs;
};

struct RunGrouping {
  std::vector<RunGroup> groups;  ///< by label order values
  std::vector<UnmatchedReport>
      left_out;  ///< runs that are spoken of and in no group: disbelieved, or without a label; by report
};

/// All groups of alike runs. A label that is not declared is one that no run has a value of.
RunGrouping alike_groups(const StudyView& view, const Alikeness& alikeness);

/// What keeps a group from the one that differs from it in the fewest labels: "runs that differ in device (H200, not
/// H100) are never compared"; empty where there is no other. `may` says which others count.
std::string kept_apart(const StudyView& view, const std::vector<RunGroup>& groups, std::size_t group,
                       const std::function<bool(const RunGroup&)>& may);

/// One value per run, where any of its reports has one: of a job the median of its ranks. `of`
/// gives that of a report, or nothing.
template <class Of>
std::vector<double> values_of_runs(const StudyView& view, const Runs& runs, Of&& of) {
  std::vector<double> out;
  for (const RunReports& run : as_runs(view, runs.reports())) {
    std::vector<double> values;
    for (const std::size_t r : run) {
      if (const std::optional<double> value = of(r)) values.push_back(*value);
    }
    if (!values.empty()) out.push_back(median_in_place(values));
  }
  return out;
}

}  // namespace assay
