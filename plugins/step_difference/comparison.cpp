#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "algo/short_name.hpp"
#include "assay/algo/stats.hpp"
#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "conditions.hpp"
#include "portable_name.hpp"
#include "run_design.hpp"
#include "why.hpp"

namespace assay::difference {
namespace {

constexpr double kMinShare = 0.001;  ///< of a step; smaller changes are tested together

/// ns per step of each run, for some rows.
std::vector<double> run_values(const Side& side, const std::vector<std::uint32_t>& items) {
  std::vector<double> values;
  for (std::size_t r = 0; r < side.runs.size(); ++r) {
    std::int64_t sum = 0;
    for (const std::uint32_t item : items) sum += side.wall[item][r];
    values.push_back(static_cast<double>(sum) / static_cast<double>(side.runs[r].steps()));
  }
  return values;
}

/// Launches per step, if equal in all runs of a side; else NaN.
double constant_count(const Side& side, std::uint32_t item) {
  if (item == kNoItem) return 0;
  double count = -1;
  for (std::size_t r = 0; r < side.runs.size(); ++r) {
    const double own = static_cast<double>(side.counts[item][r]) / static_cast<double>(side.runs[r].steps());
    if (count >= 0 && own != count) return std::nan("");
    count = own;
  }
  return count;
}

bool is_structural(const Comparison& c, const Change& change) {
  return std::any_of(change.rows.begin(), change.rows.end(), [&](std::uint32_t r) {
    const AlignedItem& row = c.alignment.rows[r];
    if (item_of(c, row).key.kind == ItemKind::kIdle) return false;
    const double b = constant_count(c.before, row.before), a = constant_count(c.after, row.after);
    return std::isfinite(b) && std::isfinite(a) && b != a;
  });
}

std::string short_kernel(const Item& item) {
  if (item.key.kind == ItemKind::kCopy) {
    const std::string bytes = item.key.shape.substr(0, item.key.shape.find(' '));
    return "copy " + item.key.name +
           (bytes.empty() ? "" : " of " + quantity(std::strtod(bytes.c_str(), nullptr), "bytes"));
  }
  if (item.key.kind == ItemKind::kSet) return "memset";
  const std::string& name = item.traits.base.empty() ? item.key.name : item.traits.base;
  return short_name(name);
}

std::string idle_title(const Item& item) {
  if (item.key.op == "stated") return "idle: " + item.key.name;
  const bool in_call = item.key.op == "sync" || item.key.op == "api";
  if (!item.key.name.empty()) return (in_call ? "idle in " : "idle after ") + short_name(item.key.name);
  return "idle: " + std::string(step_items::idle_words(item.key.op));
}

/// Kernel class with most time among items; empty if most of it is unclassified.
std::string class_of_most(const std::vector<const Item*>& items) {
  std::map<std::string, std::int64_t> times;
  std::int64_t all = 0;
  for (const Item* item : items) {
    times[item->traits.kernel_class] += item->sums.device;
    all += item->sums.device;
  }
  for (const auto& [name, time] : times) {
    if (2 * time > all && name != "unknown" && !name.empty()) return name;
  }
  return {};
}

/// Up to two names, the one with most time first.
std::string names_of_most(std::vector<const Item*> items) {
  std::stable_sort(items.begin(), items.end(),
                   [](const Item* a, const Item* b) { return a->sums.device > b->sums.device; });
  std::vector<std::string> names;
  for (const Item* item : items) {
    const std::string name = short_kernel(*item);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string out = names.empty() ? "" : names[0];
  if (names.size() == 2) out += " and " + names[1];
  if (names.size() > 2) out += " and " + std::to_string(names.size() - 1) + " others";
  return out;
}

void name_finding(const Comparison& c, Finding& finding) {
  const Change& change = c.alignment.changes[finding.change];
  std::vector<const Item*> gone, fresh, all;
  for (const std::uint32_t r : change.rows) {
    const AlignedItem& row = c.alignment.rows[r];
    const Item& item = item_of(c, row);
    all.push_back(&item);
    if (row.match == Match::kGone) gone.push_back(&item);
    if (row.match == Match::kNew) fresh.push_back(&item);
  }
  const auto largest = *std::max_element(all.begin(), all.end(),
                                         [](const Item* a, const Item* b) { return a->sums.wall < b->sums.wall; });
  finding.place = largest->key.path;
  finding.kind = largest->key.kind;
  if (largest->key.kind == ItemKind::kIdle) {
    finding.title = idle_title(*largest);
    return;
  }
  if (!largest->key.op.empty()) finding.place += (finding.place.empty() ? "" : "/") + largest->key.op;
  if (change.replaced) {
    const std::string of_fresh = class_of_most(fresh);
    const std::string kernel_class = of_fresh.empty() || of_fresh == "fill" ? class_of_most(gone) : of_fresh;
    finding.title = (kernel_class.empty() ? "" : kernel_class + ": ") +
                    (gone.size() == 1 ? short_kernel(*gone.front()) + " is now "
                                      : std::to_string(gone.size()) + " kernels are now ") +
                    names_of_most(fresh);
    return;
  }
  finding.title = names_of_most(all);
  const std::string kernel_class = class_of_most(all);
  if (largest->key.kind == ItemKind::kKernel && !kernel_class.empty()) finding.title += " (" + kernel_class + ")";
}

void add_findings(Comparison& c, const RunDesign& design) {
  const double least = kMinShare * static_cast<double>(c.accounts.step.before);
  std::vector<Finding> structural;
  std::vector<double> p;
  for (std::uint32_t i = 0; i < c.alignment.changes.size(); ++i) {
    Finding finding;
    finding.change = i;
    std::vector<std::uint32_t> b, a;
    for (const std::uint32_t r : c.alignment.changes[i].rows) {
      const AlignedItem& row = c.alignment.rows[r];
      if (row.before != kNoItem) b.push_back(row.before);
      if (row.after != kNoItem) a.push_back(row.after);
      finding.amount.add(c.accounts.rows[r]);
    }
    finding.structural = is_structural(c, c.alignment.changes[i]);
    RunValues values = design.values_of(run_values(c.before, b), run_values(c.after, a));
    values.part = true;
    finding.judged = judge(values, kTick, c.changes_error);
    name_finding(c, finding);
    const bool is_small = static_cast<double>(std::max(finding.amount.before, finding.amount.after)) < least;
    if (!is_small) {
      p.push_back(finding.judged.p);
      c.findings.push_back(std::move(finding));
    } else if (finding.structural) {
      structural.push_back(std::move(finding));
    } else {
      c.noise += finding.amount.difference;
      ++c.noise_count;
    }
  }
  c.tested = p.size();
  const std::vector<bool> told = significant_by_holm(p, c.changes_error);
  for (std::size_t i = 0; i < c.findings.size(); ++i) c.findings[i].told = told[i] || c.findings[i].structural;
  for (Finding& finding : structural) {
    finding.told = true;
    c.findings.push_back(std::move(finding));
  }
}

bool has_single_runs(const Comparison& c) { return c.before.runs.size() < 2 && c.after.runs.size() < 2; }

void word_findings(Comparison& c) {
  for (Finding& finding : c.findings) {
    const Change& change = c.alignment.changes[finding.change];
    const auto all_are = [&](Match match) {
      return std::all_of(change.rows.begin(), change.rows.end(),
                         [&](std::uint32_t r) { return c.alignment.rows[r].match == match; });
    };
    const bool idle = item_of(c, c.alignment.rows[change.rows.front()]).key.kind == ItemKind::kIdle;
    finding.certainty = change.replaced                  ? "replaced"
                        : !idle && all_are(Match::kNew)  ? "new"
                        : !idle && all_are(Match::kGone) ? "removed"
                        : finding.structural             ? "other number of launches"
                        : finding.told                   ? "significant"
                        : !finding.judged.half           ? "single run"
                                                         : "within the noise";
  }
  std::stable_sort(c.findings.begin(), c.findings.end(), [&](const Finding& a, const Finding& b) {
    const bool shown_a = a.told || has_single_runs(c), shown_b = b.told || has_single_runs(c);
    if (shown_a != shown_b) return shown_a;
    return std::abs(a.amount.difference) > std::abs(b.amount.difference);
  });
  for (const Finding& finding : c.findings) {
    if (finding.told || has_single_runs(c)) continue;
    c.noise += finding.amount.difference;
    ++c.noise_count;
  }
}

void add_step(Comparison& c, const RunDesign& design) {
  std::vector<double> logs[2];
  int side_number = 0;
  for (const Side* side : {&c.before, &c.after}) {
    for (const SideRun& run : side->runs) {
      const std::vector<double> steps(run.step_times.begin(), run.step_times.end());
      logs[side_number].push_back(std::log(median(steps)));
    }
    ++side_number;
  }
  c.median_before = std::exp(mean(logs[0]));
  c.median_after = std::exp(mean(logs[1]));
  std::vector<double> times[2];
  for (std::size_t i = 0; i < 2; ++i) {
    for (const double log : logs[i]) times[i].push_back(std::exp(log));
  }
  c.run_tests = run_tests(times[0], times[1]);
  RunValues values = design.values_of(logs[0], logs[1]);
  values.logs = true;
  c.in_blocks = values.paired;
  c.order_text = design.order_text();
  c.step = judge(values, 1e-9, c.step_error);
  c.ratio = std::exp(c.step.difference);
  c.step_told = c.step.significant_at(c.step_error);
}

void add_waits(Comparison& c) {
  std::map<std::pair<std::string, std::string>, WaitChange> waits;
  for (const Side* side : {&c.before, &c.after}) {
    const bool is_before = side == &c.before;
    for (const SideRun& run : side->runs) {
      for (const WaitingCall& wait : run.waits) {
        WaitChange& change = waits[{wait.path, std::string(portable_call(wait.name))}];
        if (change.name.empty()) {
          change.name = wait.name;
          change.place = wait.path;
        }
        const auto steps = static_cast<double>(side->steps);
        (is_before ? change.before : change.after) += static_cast<double>(wait.count) / steps;
        (is_before ? change.host_before : change.host_after) += static_cast<double>(wait.host) / steps;
      }
    }
  }
  for (auto& [key, wait] : waits) c.waits.push_back(std::move(wait));
}

}  // namespace

Comparison compare(Side before, Side after, std::size_t among, JobPace pace) {
  Comparison c;
  c.pace = std::move(pace);
  c.step_error = kStepError / static_cast<double>(among);
  c.changes_error = kChangesError / static_cast<double>(among);
  c.before = std::move(before);
  c.after = std::move(after);
  const bool operators_before = knows_operators(c.before), operators_after = knows_operators(c.after);
  add_recorded(c);
  if (operators_before && !operators_after) forget_operators(c.before);
  if (operators_after && !operators_before) forget_operators(c.after);
  c.alignment = align(c.before, c.after);
  c.accounts = accounts_of(c.before, c.after, c.alignment);
  const RunDesign design(c.before, c.after);
  add_step(c, design);
  c.phases = phase_changes(c.before, c.after, design, c.step_error, c.step_told);
  add_waits(c);
  add_findings(c, design);
  word_findings(c);
  add_conditions(c);
  add_reasons(c);
  return c;
}

}  // namespace assay::difference
