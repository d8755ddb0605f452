#include "budgets.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "algo/plain_times.hpp"
#include "answer.hpp"
#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "run_design.hpp"

namespace assay::difference {
namespace {

/// What a budget may be of, and the kinds of items whose time it is; none: all of them.
struct BudgetSubject {
  std::string_view name, words;
  std::vector<ItemKind> kinds;
};

const std::vector<BudgetSubject>& subjects() {
  static const std::vector<BudgetSubject> kSubjects = {
      {"step", "step time", {}},
      {"kernels", "kernel time", {ItemKind::kKernel, ItemKind::kGraph}},
      {"copies", "copy time", {ItemKind::kCopy, ItemKind::kSet}},
      {"communication", "communication time", {ItemKind::kCommunication}},
      {"idle", "idle time", {ItemKind::kIdle}}};
  return kSubjects;
}

const char* word_of(Verdict verdict) {
  return verdict == Verdict::kSupported ? "passed" : verdict == Verdict::kRefuted ? "failed" : "undecided";
}

/// "step time within budget (+2 %): failed, +8.6 ms of 42.3 ms".
std::string headline_of(const Budget& budget, Verdict verdict, const std::string& measured) {
  std::string allowed = budget.text.substr(budget.text.find('=') + 1);
  const std::size_t unit = allowed.find_first_not_of("+-.e0123456789");
  if (unit != std::string::npos) allowed.insert(unit, " ");
  return filled("{} within budget ({}): {}, {}",
                {std::string(std::ranges::find(subjects(), budget.what, &BudgetSubject::name)->words), allowed,
                 word_of(verdict), measured});
}

/// ns per step of each run.
std::vector<double> subject_times(const Side& side, const std::string& what) {
  const std::vector<ItemKind>& kinds = std::ranges::find(subjects(), what, &BudgetSubject::name)->kinds;
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

/// Empty unless all runs have times.
std::vector<PlainTimes> plain_steps(const StudyView& view, std::string_view sheet, const Side& side) {
  std::vector<PlainTimes> out;
  for (const SideRun& run : side.runs) {
    std::vector<PlainTimes> times = plain_times(view, run.report, {run.step_name}, sheet);
    if (times.empty()) times = plain_times(view, run.report, {run.step_word}, sheet);
    if (times.empty()) return {};
    out.push_back(std::move(times.front()));
  }
  return out;
}

}  // namespace

void add_plain_steps(const StudyView& view, std::string_view sheet, Comparison& c) {
  const std::vector<PlainTimes> before = plain_steps(view, sheet, c.before), after = plain_steps(view, sheet, c.after);
  for (const PlainTimes& b : before) {
    for (const PlainTimes& a : after)
      if (a.source == b.source && a.ns == b.ns) return;  // one row for runs of one name: of which side is not known
  }
  if (before.empty() || after.empty()) return;
  for (const PlainTimes& times : before) c.plain_before.push_back(mean(times.ns));
  for (const PlainTimes& times : after) c.plain_after.push_back(mean(times.ns));
  const bool single = before.size() == 1 && after.size() == 1;
  const auto bounds = [&](const PlainTimes& first, const std::vector<double>& runs) {
    return median_bounds(single ? first.ns : runs);
  };
  c.plain_changed = !bounds(before.front(), c.plain_before).overlap(bounds(after.front(), c.plain_after));
}

Budget read_budget(std::string_view given) {
  if (given.empty()) return {"step", 0, 0, "step=0", false};
  const std::string text(given);
  const auto refuse = [&](const std::string& why) {
    return std::invalid_argument(filled("'{}' {}; expected such as step=+2%, kernels=+0.5ms or idle=0", {text, why}));
  };
  const std::size_t at = text.find('=');
  if (at == std::string::npos) throw refuse("has no amount");
  Budget budget{text.substr(0, at), 0, 0, text};
  if (std::ranges::find(subjects(), budget.what, &BudgetSubject::name) == subjects().end())
    throw refuse("does not name step, kernels, copies, communication or idle");
  std::string amount = text.substr(at + 1);
  if (amount.starts_with('+')) amount.erase(0, 1);
  double value = 0;
  const auto [end, problem] = std::from_chars(amount.data(), amount.data() + amount.size(), value);
  const std::string unit(end, static_cast<const char*>(amount.data() + amount.size()));
  if (problem != std::errc() || !std::isfinite(value)) throw refuse("has no number");
  if (unit == "%") {
    budget.share = value / 100;
  } else if (unit == "ns" || unit == "us" || unit == "ms" || unit == "s") {
    budget.ns = value * (unit == "ns" ? 1 : unit == "us" ? 1e3 : unit == "ms" ? 1e6 : 1e9);
  } else if (!(unit.empty() && value == 0)) {
    throw refuse("has no known unit (%, ns, us, ms, s)");
  }
  return budget;
}

BudgetAnswer judge_budget(const Comparison& c, const Budget& budget, std::size_t among) {
  constexpr double kLeftOpen = 0.02;  // of the step: without a budget a change may be this large and not shown
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  BudgetAnswer out{{}, {}, {}, kNothing, kNothing, kNothing};
  const auto undecided = [&](const std::string& why) {
    out.verdict = Verdict::kInconclusive;
    out.sentence = why;
    out.headline = headline_of(budget, out.verdict, why);
    return out;
  };
  if (!c.comparable) return undecided("the sides are not comparable (" + c.unlike.front() + ")");
  const RunDesign design(c.before, c.after);
  const bool plain = budget.what == "step" && !c.plain_before.empty();
  const std::vector<double> before = plain ? c.plain_before : subject_times(c.before, budget.what);
  std::vector<double> after = plain ? c.plain_after : subject_times(c.after, budget.what);
  const double took = mean(before), allowed = budget.ns + budget.share * took;
  for (double& value : after) value -= allowed;
  const DifferenceTest over = judge(design.values_of(before, after), kTick, c.step_error / static_cast<double>(among));
  if (!over.half) return undecided("with one run per side a change cannot be told from noise; give at least 3 of each");
  const double most = over.difference + *over.half;
  const bool worse = over.difference - *over.half > 0, within = most <= (budget.given ? 0 : kLeftOpen * took);
  const std::size_t runs = std::max(c.before.runs.size(), c.after.runs.size());
  const std::string word = worse    ? "worse"
                           : within ? (budget.given ? "within" : "not shown to be worse")
                           : over.more_runs > runs
                               ? "open, " + std::to_string(over.more_runs) + " runs per side would decide"
                               : "open";
  const auto time = [](double ns) { return signed_time(static_cast<std::int64_t>(std::llround(ns))); };
  out.change = over.difference + allowed;
  out.low = out.change - *over.half;
  out.high = out.change + *over.half;
  out.sentence = filled("{} {} [{}, {}] of {}, allowed {}: {}",
                        {plain ? "step without a profiler" : budget.what, time(out.change), time(out.low),
                         time(out.high), quantity(took, "ns"), time(allowed), word});
  out.verdict = worse ? Verdict::kRefuted : within ? Verdict::kSupported : Verdict::kInconclusive;
  out.headline = headline_of(budget, out.verdict, time(out.change) + " of " + quantity(took, "ns"));
  return out;
}

}  // namespace assay::difference
