// Verdicts on the labels of every report, rule by rule; the first rule that can decide does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/study.hpp"
#include "rules.hpp"

namespace assay::labels {

enum class LabelVerdict { kBorneOut, kContradicted, kNotBorneOut, kUnverifiable };

/// "borne_out", "contradicted", "not_borne_out", "unverifiable", as in facts.
std::string_view verdict_word(LabelVerdict verdict);

/// Whether a verdict means that a label is not to be trusted.
constexpr bool accuses(LabelVerdict verdict) {
  return verdict == LabelVerdict::kContradicted || verdict == LabelVerdict::kNotBorneOut;
}

/// What is known about one label of one report.
struct Judgement {
  bool stated = false;                  ///< the report has a value for the label, possibly by default
  std::optional<LabelVerdict> verdict;  ///< empty: not stated, or a default on which the trace has no evidence
  std::string reason;                   ///< a clause: the expected value and that of the trace
  std::optional<double> trace;          ///< value according to the trace
  bool conflict = false;  ///< this label or another one, of this run or another one, is wrong, and it is unknown which
  bool unlike_declared = false;  ///< it changed other things than declared; the runs are recorded, so it is trusted
  std::string_view evidence;     ///< metric whose facts support the verdict; empty: none
};

/// The judged labels of a study. Reports of [noise] are not judged.
class Bench {
 public:
  explicit Bench(const StudyView& view);

  [[nodiscard]] const StudyView& view() const { return *view_; }
  [[nodiscard]] std::size_t reports() const { return judgements_.size(); }
  [[nodiscard]] std::size_t labels() const { return static_cast<std::size_t>(view_->study().labels->rows); }
  [[nodiscard]] const Judgement& at(std::size_t report, std::size_t label) const { return judgements_[report][label]; }

  [[nodiscard]] std::string_view name(std::size_t label) const { return view_->study().labels->name[label]; }
  [[nodiscard]] std::uint32_t changes(std::size_t label) const { return view_->study().labels->changes[label]; }
  [[nodiscard]] std::string_view text(std::size_t report, std::size_t label) const;
  /// Value of a numeric label, if it is an integer.
  [[nodiscard]] std::optional<double> number(std::size_t report, std::string_view label) const;
  [[nodiscard]] std::optional<std::int64_t> whole(std::size_t report, std::string_view label) const;
  [[nodiscard]] bool has_default(std::size_t report, std::size_t label) const;
  /// "name", "default" or "results"; values implied by words of a name count as stated by the name.
  [[nodiscard]] std::string_view stated_by(std::size_t report, std::size_t label) const;
  /// Value of a fact of the report.
  [[nodiscard]] std::optional<double> fact(std::size_t report, std::string_view metric) const {
    return view_->value(static_cast<Row>(report), metric);
  }

  /// Decides, unless an earlier rule did. Labels that the report does not state are ignored.
  void decide(std::size_t report, std::size_t label, Judgement judgement);
  void decide(std::size_t report, std::string_view label, Judgement judgement);
  /// Records why a rule could not decide, for later rules.
  void doubt(std::size_t report, std::size_t label, std::string reason);
  /// Marks a label as possibly wrong where it is unknown whether it, another label or another run is: unverifiable,
  /// unless a rule has decided.
  void dispute(std::size_t report, std::size_t label, std::string reason);
  /// Records the value of an unstated label according to the trace.
  void show(std::size_t report, std::string_view label, double value);

  /// Whether a label that is not descriptive is contradicted or in conflict. Such a report is no evidence against
  /// others.
  [[nodiscard]] bool doubted(std::size_t report) const;
  /// Whether two reports agree in every label that declares a change, except one.
  [[nodiscard]] bool equal_but(std::size_t a, std::size_t b, std::size_t label) const;
  /// Whether graph launches may hide kernels of the report, so that they cannot be counted.
  [[nodiscard]] bool graphs_hide_kernels(std::size_t report) const;
  /// Whether the run was made by `assay record`: the journal numbers its block.
  [[nodiscard]] bool is_recorded(std::size_t report) const;
  /// Device model and rank in a job, as far as known: equal programs run alike only with equal ones.
  [[nodiscard]] std::string folder_of(std::size_t report) const;

 private:
  const StudyView* view_;
  std::vector<std::vector<Judgement>> judgements_;
};

/// A verdict with its reason, for Bench::decide.
Judgement judged(LabelVerdict verdict, std::string reason, std::string_view evidence = {},
                 std::optional<double> trace = std::nullopt);

/// Runs all rules. Afterwards every label that is stated by a report's name or judged by a rule has a verdict. Throws
/// std::invalid_argument if a rule refers to an undeclared label.
Bench judge(const StudyView& view, const Rules& rules);

// The rules, in the order in which they are applied.
void check_named(Bench& bench, const Rules& rules);  ///< single.cpp, like all that look at a single report
void check_device(Bench& bench, const Rules& rules);
void check_input_size(Bench& bench, const Rules& rules);  ///< input_size.cpp
void check_compile(Bench& bench, const Rules& rules);
void check_pipeline(Bench& bench, const Rules& rules);
void check_precision(Bench& bench, const Rules& rules);  ///< kernel_kinds.cpp, like those below
void check_attention(Bench& bench, const Rules& rules);
void check_widths(Bench& bench, const Rules& rules);  ///< shapes.cpp, like those below
void check_launches(Bench& bench, const Rules& rules);
void check_linear(Bench& bench, const Rules& rules);     ///< linear.cpp
void check_conflicts(Bench& bench, const Rules& rules);  ///< conflicts.cpp
void check_partners(Bench& bench, const Rules& rules);   ///< partners.cpp

}  // namespace assay::labels
