// What a gate makes of verdicts: what fails, what warns, and what somebody waived until a day.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/cases.hpp"
#include "result.hpp"

namespace assay::ci {

/// The worse, the larger.
enum class Action : std::uint8_t { kPass, kWaived, kWarn, kUndecided, kFail };
std::string_view action_name(Action action);  ///< "pass", "waived", "warn", "undecided", "fail"

using Day = std::chrono::sys_days;
std::string day_text(Day day);                       ///< "2026-12-31"
std::optional<Day> read_day(std::string_view text);  ///< nothing: it is none
Day today();                                         ///< in UTC

/// Globs; an empty one fits everything.
struct Which {
  std::string question, claim, metric;
  [[nodiscard]] bool fits(const Case& one) const;
  [[nodiscard]] std::string str() const;  ///< "question 'rq1', claim 'flat'"; "everything"
};

using Actions = std::array<std::optional<Action>, 4>;  ///< by Verdict

/// One [[rule]]. Of several that fit, the last one that names the verdict holds.
struct Rule {
  Which which;
  Actions on;
  SourcePos pos;
};

/// One [[waiver]]: what would fail is let pass up to and with a day.
struct Waiver {
  Which which;
  Day until;
  std::string reason;
  SourcePos pos;
};

struct Policy {
  std::string file;  ///< empty: none was given
  Actions on = {Action::kPass, Action::kFail, Action::kPass, Action::kPass};
  Action undecided = Action::kUndecided;  ///< where nothing at all is decided
  int warn_days = 14;                     ///< waivers that end within so many days are warned of
  std::vector<Rule> rules;
  std::vector<Waiver> waivers;
  std::vector<std::string> allow;  ///< [compare] allow: budgets as --allow takes them

  /// What a file says in the place of this one's. Error (exit 2): begins with file:line:column.
  [[nodiscard]] Result<Policy> with(const std::filesystem::path& file) const;
};

/// What became of one case.
struct Answer {
  Case one;
  Action action = Action::kPass;
  const Waiver* waiver = nullptr;  ///< that lets it pass, or would if it had not expired; borrowed from the policy
  bool expired = false;
};

struct GateResult {
  std::vector<Answer> answers;       ///< in the order of the cases
  std::vector<std::string> remarks;  ///< on waivers: one that ends soon, fits nothing or is needed no more
  Action worst = Action::kPass;      ///< of the answers, and of nothing being decided
  bool none_decided = false;         ///< and the policy minds
  [[nodiscard]] std::vector<const Answer*> with(Action action) const;
};

GateResult gate(const Policy& policy, const Judged& judged, Day day);

/// "refuted", "refuted; waived until 2026-12-31: ticket 41", "inconclusive", ...: what is to be said of it in few
/// words.
std::string state_of(const Answer& answer);

/// One sentence for what fails: "2 claims refuted (a: b, c: d)".
std::string failure_text(const GateResult& gate);

}  // namespace assay::ci
