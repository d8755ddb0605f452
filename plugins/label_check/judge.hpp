// Verdicts on the labels of every report, rule by rule; the first rule that can tell decides.
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

/// "borne_out", "contradicted", "not_borne_out", "unverifiable": as in facts.
std::string_view verdict_word(LabelVerdict verdict);

/// Whether a verdict says that a label is not to be believed.
constexpr bool accuses(LabelVerdict verdict) {
  return verdict == LabelVerdict::kContradicted || verdict == LabelVerdict::kNotBorneOut;
}

/// What is known of one label of one report.
struct Judgement {
  bool stated = false;                  ///< the report of the question has a value for the label, if only by default
  std::optional<LabelVerdict> verdict;  ///< nothing: not stated, or a default of which the trace says nothing
  std::string reason;                   ///< a clause: what was expected and what the trace shows
  std::optional<double> trace;          ///< the value that the trace shows
  bool conflict = false;  ///< it or another label, or it or that of another run, is wrong, and nothing says which
  bool unlike_declared = false;  ///< it changed other things than it declares; the runs are recorded, so it is believed
  std::string_view evidence;     ///< metric whose facts of the report the verdict rests on; empty: none
};

/// The labels of a study under judgement. Reports of the [noise] are not judged.
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
  /// Value of a numeric label; of a whole one.
  [[nodiscard]] std::optional<double> number(std::size_t report, std::string_view label) const;
  [[nodiscard]] std::optional<std::int64_t> whole(std::size_t report, std::string_view label) const;
  [[nodiscard]] bool has_default(std::size_t report, std::size_t label) const;
  /// "name", "default" or "results"; what the words of a name imply is stated by the name.
  [[nodiscard]] std::string_view stated_by(std::size_t report, std::size_t label) const;
  /// Value of a fact of the report.
  [[nodiscard]] std::optional<double> fact(std::size_t report, std::string_view metric) const {
    return view_->value(static_cast<Row>(report), metric);
  }

  /// Decides, unless an earlier rule has; a label that the report does not state is left alone.
  void decide(std::size_t report, std::size_t label, Judgement judgement);
  void decide(std::size_t report, std::string_view label, Judgement judgement);
  /// Says why a rule could not decide, for those that come after.
  void doubt(std::size_t report, std::size_t label, std::string reason);
  /// Says that a label may be wrong and nothing decides whether it or another one, or another run, is: unverifiable,
  /// unless a rule has decided.
  void dispute(std::size_t report, std::size_t label, std::string reason);
  /// Notes what the trace shows of a label that the report does not state.
  void show(std::size_t report, std::string_view label, double value);

  /// Whether a label that does not only describe is contradicted or in conflict: such a report is no evidence against
  /// others.
  [[nodiscard]] bool doubted(std::size_t report) const;
  /// Whether two reports have equal values of every label that declares a change, but for one.
  [[nodiscard]] bool equal_but(std::size_t a, std::size_t b, std::size_t label) const;
  /// Whether launches of graphs may hide kernels of the report, so that they cannot be counted.
  [[nodiscard]] bool graphs_hide_kernels(std::size_t report) const;
  /// Whether `assay record` made the run: the journal numbers its block.
  [[nodiscard]] bool is_recorded(std::size_t report) const;
  /// Kind of device and place in a job, as far as the report says: equal programs run alike only at equal places.
  [[nodiscard]] std::string folder_of(std::size_t report) const;

 private:
  const StudyView* view_;
  std::vector<std::vector<Judgement>> judgements_;
};

/// A verdict with its reason, for Bench::decide.
Judgement judged(LabelVerdict verdict, std::string reason, std::string_view evidence = {},
                 std::optional<double> trace = std::nullopt);

/// Runs all rules. Afterwards every label of a report that its name states, or that a rule could judge, has a verdict.
/// Throws std::invalid_argument when a rule speaks of a label that is not declared.
Bench judge(const StudyView& view, const Rules& rules);

// The rules, in the order in which they are asked.
void check_named(Bench& bench, const Rules& rules);  ///< single.cpp, as all that look at one report alone
void check_device(Bench& bench, const Rules& rules);
void check_input_size(Bench& bench, const Rules& rules);  ///< input_size.cpp
void check_compile(Bench& bench, const Rules& rules);
void check_pipeline(Bench& bench, const Rules& rules);
void check_precision(Bench& bench, const Rules& rules);  ///< kernel_kinds.cpp, as what follows
void check_attention(Bench& bench, const Rules& rules);
void check_widths(Bench& bench, const Rules& rules);  ///< shapes.cpp, as what follows
void check_launches(Bench& bench, const Rules& rules);
void check_linear(Bench& bench, const Rules& rules);     ///< linear.cpp
void check_conflicts(Bench& bench, const Rules& rules);  ///< conflicts.cpp
void check_partners(Bench& bench, const Rules& rules);   ///< partners.cpp

}  // namespace assay::labels
