#include "difference/gate.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "assay/quantity.hpp"
#include "difference/answer.hpp"
#include "difference/run_design.hpp"

namespace assay::compare {
namespace {
using difference::ItemKind;

/// What a budget may be of, and the kinds of items whose time it is; none: all of them.
struct BudgetSubject {
  std::string_view name, words;
  std::vector<ItemKind> kinds;
};

const std::vector<BudgetSubject>& things() {
  static const std::vector<BudgetSubject> kThings = {
      {"step", "step time", {}},
      {"kernels", "kernel time", {ItemKind::kKernel, ItemKind::kGraph}},
      {"copies", "copy time", {ItemKind::kCopy, ItemKind::kSet}},
      {"communication", "communication time", {ItemKind::kCommunication}},
      {"idle", "idle time", {ItemKind::kIdle}}};
  return kThings;
}

const char* word_of(GateOutcome outcome) {
  constexpr const char* kWords[] = {"passed", "undecided", "failed"};
  return kWords[static_cast<int>(outcome)];
}

/// "step time within budget (+2 %): failed, +8.6 ms of 42.3 ms".
std::string headline_of(const Budget& budget, GateOutcome outcome, const std::string& measured) {
  std::string allowed = budget.text.substr(budget.text.find('=') + 1);
  const std::size_t unit = allowed.find_first_not_of("+-.e0123456789");
  if (unit != std::string::npos) allowed.insert(unit, " ");
  return std::string(std::ranges::find(things(), budget.what, &BudgetSubject::name)->words) + " within budget (" +
         allowed + "): " + word_of(outcome) + ", " + measured;
}

/// ns per step of each run.
std::vector<double> values_of(const difference::Side& side, const std::string& what) {
  const std::vector<ItemKind>& kinds = std::ranges::find(things(), what, &BudgetSubject::name)->kinds;
  std::vector<double> values;
  for (std::size_t r = 0; r < side.runs.size(); ++r) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < side.items.size(); ++i) {
      if (kinds.empty() || std::ranges::find(kinds, side.items[i].key.kind) != kinds.end()) sum += side.wall[i][r];
    }
    values.push_back(static_cast<double>(sum) / static_cast<double>(side.runs[r].steps()));
  }
  return values;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

Result<Budget> read_budget(const std::string& text) {
  const auto refuse = [&](const std::string& why) {
    return Error{"--allow: '" + text + "' " + why}.at(text).advise(
        "expected such as step=+2%, kernels=+0.5ms or idle=0");
  };
  const std::size_t at = text.find('=');
  if (at == std::string::npos) return refuse("has no amount");
  Budget budget{text.substr(0, at), 0, 0, text};
  if (std::ranges::find(things(), budget.what, &BudgetSubject::name) == things().end())
    return refuse("does not name step, kernels, copies, communication or idle");
  std::string amount = text.substr(at + 1);
  if (amount.starts_with('+')) amount.erase(0, 1);
  double value = 0;
  const auto [end, problem] = std::from_chars(amount.data(), amount.data() + amount.size(), value);
  const std::string unit(end, static_cast<const char*>(amount.data() + amount.size()));
  if (problem != std::errc() || !std::isfinite(value)) return refuse("has no number");
  if (unit == "%") {
    budget.share = value / 100;
  } else if (unit == "ns" || unit == "us" || unit == "ms" || unit == "s") {
    budget.ns = value * (unit == "ns" ? 1 : unit == "us" ? 1e3 : unit == "ms" ? 1e6 : 1e9);
  } else if (!(unit.empty() && value == 0)) {
    return refuse("has no known unit (%, ns, us, ms, s)");
  }
  return budget;
}

GateAnswer gate(const difference::Comparison& c, const std::vector<Budget>& given) {
  const std::vector<Budget> budgets = given.empty() ? std::vector<Budget>{{"step", 0, 0, "step=0"}} : given;
  const auto undecided = [&](const std::string& why) {
    constexpr GateOutcome kOpen = GateOutcome::kUndecided;
    const Budget& first = budgets.front();
    return GateAnswer{kOpen, "Gate undecided: " + why, {{first.what, kOpen, why, headline_of(first, kOpen, why)}}};
  };
  if (!c.comparable) return undecided("the sides are not the same work (" + c.unlike.front() + ")");
  const difference::RunDesign design(c.before, c.after);
  GateAnswer out;
  for (const Budget& budget : budgets) {
    const std::vector<double> before = values_of(c.before, budget.what);
    std::vector<double> after = values_of(c.after, budget.what);
    const double mean = mean_of(before), allowed = budget.ns + budget.share * mean;
    for (double& value : after) value -= allowed;
    const double error = c.step_error / static_cast<double>(budgets.size());
    const difference::DifferenceTest over =
        difference::judge(design.values_of(before, after), difference::kTick, error);
    if (!over.half)
      return undecided("with one run per side a change cannot be told from noise; give at least 3 of each");
    const bool worse = over.difference - *over.half > 0, within = over.difference + *over.half <= 0;
    const std::size_t runs = std::max(c.before.runs.size(), c.after.runs.size());
    const std::string word = worse           ? "worse"
                             : within        ? "within"
                             : given.empty() ? "not shown to be worse"
                             : over.more_runs > runs
                                 ? "open, " + std::to_string(over.more_runs) + " runs per side would decide"
                                 : "open";
    const auto time = [](double ns) { return difference::signed_time(static_cast<std::int64_t>(std::llround(ns))); };
    const double change = over.difference + allowed;
    const std::string sentence = budget.what + " " + time(change) + " [" + time(change - *over.half) + ", " +
                                 time(change + *over.half) + "] of " + quantity(mean, "ns") + ", allowed " +
                                 time(allowed) + ": " + word;
    const GateOutcome outcome = worse                     ? GateOutcome::kFailed
                                : within || given.empty() ? GateOutcome::kPassed
                                                          : GateOutcome::kUndecided;
    out.sentence += (out.sentence.empty() ? "" : "; ") + sentence;
    out.budgets.push_back(
        {budget.what, outcome, sentence, headline_of(budget, outcome, time(change) + " of " + quantity(mean, "ns"))});
    out.outcome = std::max(out.outcome, outcome);
  }
  out.sentence = std::string("Gate ") + word_of(out.outcome) + ": " + out.sentence;
  return out;
}

}  // namespace assay::compare
