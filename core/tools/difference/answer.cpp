#include "difference/answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/detail/short_name.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "difference/conditions.hpp"

namespace assay::difference {
namespace {

constexpr double kWorthNaming = 0.1;     ///< share of the difference from which a cause is in the answer
constexpr double kWorthCounting = 0.01;  ///< likewise, from which one without a verdict is counted
constexpr std::size_t kMostCauses = 3;
constexpr std::size_t kPlaceParts = 2;  ///< of a path, its innermost
constexpr std::string_view kModule = "nn.Module: ";
constexpr double kMostShare = 1.2;     ///< of the difference; a larger one is said as a time
constexpr std::size_t kMostOpen = 2;   ///< differences whose runs to decide are said
constexpr double kMeanIsMedian = 0.1;  ///< of the difference of the median steps
constexpr double kLeastAligned = 0.9;  ///< of kernel time; below it that is said first

/// Places after the point, so that a small change is told from none.
int places(double ratio) { return std::abs(std::log(ratio)) < 0.1 ? 3 : 2; }

std::string times(double ratio) { return fixed(std::max(ratio, 1 / ratio), places(ratio)) + "x"; }

std::string percent_of(double share) { return fixed(100 * share, 0) + " %"; }

std::string runs_text(const Comparison& c) {
  const std::size_t b = c.before.runs.size(), a = c.after.runs.size();
  if (b == 1 && a == 1) return "one run per side";
  return b == a ? std::to_string(b) + " runs per side"
                : std::to_string(b) + (b == 1 ? " run" : " runs") + " before, " + std::to_string(a) + " after";
}

/// Whether the steps of both sides are equal to the nanosecond, as those of a file and itself: no factor says that.
bool is_equal(const Comparison& c) { return c.accounts.step.difference == 0 && c.ratio == 1 && !c.step_told; }

std::string speed_text(const Comparison& c) {
  if (is_equal(c)) return "no difference per step";
  return times(c.ratio) + (c.ratio > 1 ? " slower" : " faster") + " per step";
}

/// [lo, hi] of the factor by which a step is slower or faster.
std::string interval_text(const Comparison& c) {
  if (!c.step.half || !interval_tells(std::exp(-*c.step.half), std::exp(*c.step.half))) return "";
  const double size = std::abs(c.step.difference), half = *c.step.half;
  const int digits = places(c.ratio);
  return " [" + fixed(std::exp(size - half), digits) + ", " + fixed(std::exp(size + half), digits) + "]";
}

bool is_shown(const Comparison& c, const Finding& finding) { return finding.told || !c.step.half; }

std::string reason_of(const Finding& finding) {
  if (finding.why.empty() || finding.why.front().starts_with("not known")) return {};
  return ", since " + finding.why.front();
}

/// What a cause belongs to in the answer.
enum class Field : std::uint8_t { kKernels, kCommunication, kCopies, kIdle };

Field field_of(const Finding& finding) {
  return finding.kind == Kind::kIdle                                 ? Field::kIdle
         : finding.kind == Kind::kCommunication                      ? Field::kCommunication
         : finding.kind == Kind::kCopy || finding.kind == Kind::kSet ? Field::kCopies
                                                                     : Field::kKernels;
}

/// Causes of one field and of one direction, largest first.
struct Causes {
  Field field = Field::kKernels;
  std::vector<const Finding*> findings;
  std::int64_t sum = 0;  ///< ns of a mean step
};

/// Those whose time changed in the direction of `sign` (0: in any), the largest sum first.
std::vector<Causes> causes_of(const Comparison& c, std::int64_t sign) {
  std::vector<Causes> out;
  const double least = kWorthCounting * std::abs(static_cast<double>(c.accounts.step.difference));
  for (const Finding& finding : c.findings) {
    // Without a spread everything differs, so only what makes a part of the difference is counted.
    if (!finding.told && std::abs(static_cast<double>(finding.amount.difference)) < least) continue;
    const bool along = sign == 0 || (finding.amount.difference > 0) == (sign > 0);
    if (!is_shown(c, finding) || !along || finding.amount.difference == 0) continue;
    const Field field = field_of(finding);
    auto at = std::find_if(out.begin(), out.end(), [&](const Causes& causes) { return causes.field == field; });
    if (at == out.end()) at = out.insert(out.end(), {field, {}, 0});
    at->findings.push_back(&finding), at->sum += finding.amount.difference;
  }
  const auto larger = [](const Finding* a, const Finding* b) {
    return std::abs(a->amount.difference) > std::abs(b->amount.difference);
  };
  for (Causes& causes : out) std::stable_sort(causes.findings.begin(), causes.findings.end(), larger);
  std::stable_sort(out.begin(), out.end(),
                   [](const Causes& a, const Causes& b) { return std::abs(a.sum) > std::abs(b.sum); });
  return out;
}

/// "a (+6.1 ms), b (+0.4 ms) and 2 more"; what is small beside the first is only counted.
std::string list_of(const Causes& causes, std::size_t most) {
  const double least = kWorthNaming * std::abs(static_cast<double>(causes.findings.front()->amount.difference));
  std::vector<std::string> texts;
  for (const Finding* finding : causes.findings) {
    const double size = std::abs(static_cast<double>(finding->amount.difference));
    if (texts.size() == most || (size < least && !texts.empty())) break;
    texts.push_back(said(*finding) + " " + signed_time(finding->amount.difference) +
                    (causes.field == Field::kKernels ? "" : reason_of(*finding)));
  }
  if (const std::size_t more = causes.findings.size() - texts.size(); more > 0)
    texts.push_back(std::to_string(more) + " more");
  return listed(texts);
}

bool is_kernel(const Comparison& c, const AlignedItem& row) {
  const Kind kind = (row.before != kNoItem ? c.before.items[row.before] : c.after.items[row.after]).key.kind;
  return kind == Kind::kKernel || kind == Kind::kGraph;
}

/// "3 of 412 kernels": of all that either side has.
std::string kernels_text(const Comparison& c, const Causes& causes) {
  std::size_t changed = 0;
  for (const Finding* finding : causes.findings) changed += c.alignment.changes[finding->change].rows.size();
  const auto all = static_cast<std::size_t>(std::count_if(c.alignment.rows.begin(), c.alignment.rows.end(),
                                                          [&](const AlignedItem& row) { return is_kernel(c, row); }));
  return counted_of(changed, all, "kernel");
}

std::string field_text(const Comparison& c, const Causes& causes) {
  // Of unlike sides nearly everything differs, and no list of it is a cause.
  const std::string list = list_of(causes, c.comparable ? kMostCauses : 1);
  switch (causes.field) {
    case Field::kKernels:
      return "in " + kernels_text(c, causes) + " (" + list + ")";
    case Field::kCommunication:
      return "in exposed communication (" + list + ")";
    case Field::kCopies:
      return "in exposed copies (" + list + ")";
    case Field::kIdle:
      break;
  }
  return "in idle time (" + list + ")";
}

/// Whether the mean step changed by another amount than the median step, which the answer's first number is of.
bool mean_differs(const Comparison& c) {
  const double medians = c.median_after - c.median_before;
  return std::abs(static_cast<double>(c.accounts.step.difference) - medians) > kMeanIsMedian * std::abs(medians);
}

/// "84 % of it "; where much else changed against it, the time says more.
std::string share_of(double share, const Causes& causes, bool first) {
  if (share > kMostShare) return signed_time(causes.sum) + " ";
  return percent_of(share) + (first ? " of it " : " ");
}

/// What is told although the step as a whole is not.
std::string told_anyway(const Comparison& c) {
  std::string out;
  for (const Causes& causes : causes_of(c, 0))
    out += (out.empty() ? ". What did change: " : ", ") + signed_time(causes.sum) + " " + field_text(c, causes);
  for (const WaitChange& wait : c.waits) {
    if ((wait.before > 0) == (wait.after > 0)) continue;
    out += (out.empty() ? ". What did change: " : ", ") + short_name(wait.name) +
           (wait.place.empty() ? "" : " in " + short_place(wait.place)) +
           (wait.before > 0 ? " is gone (" : " is new (") +
           quantity(std::max(wait.host_before, wait.host_after), "ns") + " of the host)";
  }
  if (out.empty() && !c.step.half) return "; nor of any kernel, copy or idle time";
  if (out.empty()) return "; no change of any kernel, copy or idle time exceeds the noise either";
  return out + "; kernel time " + signed_time(c.accounts.device_after - c.accounts.device_before) + " per step";
}

/// What the shares that follow are of, where that is not what was said before.
std::string of_the_mean(const Comparison& c) {
  if (!mean_differs(c)) return {};
  return "; of the " + signed_time(c.accounts.step.difference) + " of the mean step (" +
         quantity(static_cast<double>(c.accounts.step.before), "ns") + " to " +
         quantity(static_cast<double>(c.accounts.step.after), "ns") + ")";
}

std::string cause_text(const Comparison& c) {
  const auto total = static_cast<double>(c.accounts.step.difference);
  if (is_equal(c)) return told_anyway(c);
  std::string along, against;
  for (const Causes& causes : causes_of(c, c.accounts.step.difference)) {
    const double share = static_cast<double>(causes.sum) / total;
    if (share < kWorthNaming) break;
    along +=
        (along.empty() ? of_the_mean(c) + ": " : ", ") + share_of(share, causes, along.empty()) + field_text(c, causes);
  }
  if (along.empty()) {
    const std::int64_t sign = c.accounts.step.difference < 0 ? -1 : 1;
    const auto largest = std::max_element(std::begin(c.accounts.lines), std::end(c.accounts.lines),
                                          [&](std::int64_t a, std::int64_t b) { return sign * a < sign * b; });
    const auto account = static_cast<Account>(largest - std::begin(c.accounts.lines));
    return ", the largest part in " + std::string(account_name(account)) + " (" + signed_time(*largest) +
           "), but no single cause exceeds the noise";
  }
  for (const Causes& causes : causes_of(c, -c.accounts.step.difference)) {
    const double share = static_cast<double>(causes.sum) / total;
    if (-share < kWorthNaming) break;
    against +=
        (against.empty() ? "; in the other direction " : ", ") + signed_time(causes.sum) + " " + field_text(c, causes);
  }
  return along + against;
}

/// "; same launch shapes, same device, same clock": as far as it is known.
std::string same_text(const Comparison& c) {
  if (!c.unlike.empty()) return {};
  std::string out = "; same launch shapes";
  const auto known = [&](std::string_view what) {
    return std::any_of(c.conditions.begin(), c.conditions.end(),
                       [&](const Condition& condition) { return condition.what == what && condition.same; });
  };
  if (known("device")) out += ", same device";
  if (known(kClockCondition)) out += ", same clock";
  return out;
}

/// Share of kernel time in kernels that some runs of a side have and others have not.
double share_of_some_runs(const Side& side) {
  std::int64_t all = 0, some = 0;
  for (std::size_t i = 0; i < side.items.size(); ++i) {
    const Item& item = side.items[i];
    if (item.key.kind != Kind::kKernel) continue;
    all += item.sums.device;
    if (std::ranges::count(side.counts[i], 0) > 0) some += item.sums.device;
  }
  return all > 0 ? static_cast<double>(some) / static_cast<double>(all) : 0;
}

/// Names of the files that stand on both sides, a few of them.
std::vector<std::string> on_both_sides(const Comparison& c) {
  constexpr std::size_t kMaxNamed = 3;
  std::map<std::string, std::string> before;
  for (const RunMeasure& run : c.before.runs) before.emplace(run.file, run.name);
  std::vector<std::string> names;
  for (const RunMeasure& run : c.after.runs) {
    const auto own = before.find(run.file);
    if (!run.file.empty() && own != before.end()) names.push_back(own->second);
  }
  const std::size_t more = names.size() - std::min(kMaxNamed, names.size());
  if (more > 0) names.erase(names.begin() + kMaxNamed, names.end()), names.push_back(std::to_string(more) + " more");
  return names;
}

}  // namespace

std::string signed_time(std::int64_t ns) {
  return (ns > 0 ? "+" : ns < 0 ? "-" : "") + quantity(std::abs(static_cast<double>(ns)), "ns");
}

std::string short_place(const std::string& place) {
  std::string out;
  std::size_t parts = 0;
  for (std::size_t end = place.size(); end > 0 && parts < kPlaceParts; ++parts) {
    const std::size_t slash = place.rfind('/', end - 1);
    const std::size_t from = slash == std::string::npos ? 0 : slash + 1;
    std::string part = place.substr(from, end - from);
    if (part.starts_with(kModule)) part.erase(0, kModule.size());
    out = short_name(part) + (out.empty() ? "" : "/" + out);
    end = slash == std::string::npos ? 0 : slash;
  }
  return out;
}

std::string said(const Finding& finding) {
  return finding.title + (finding.place.empty() ? "" : " in " + short_place(finding.place));
}

std::string answer(const Comparison& c) {
  const std::string sizes = " (median " + quantity(c.median_before, "ns") + " to " + quantity(c.median_after, "ns") +
                            ", " + runs_text(c) + ")";
  if (!c.comparable)
    return "The sides differ too much (" + c.unlike.front() + ") to be a change of one program: " + speed_text(c) +
           sizes + cause_text(c);
  if (!c.step.half)
    return speed_text(c) + sizes + (is_equal(c) ? "" : ", without a spread to compare it with") + cause_text(c) +
           same_text(c);
  if (c.step_told) return speed_text(c) + interval_text(c) + sizes + cause_text(c) + same_text(c);
  const double half = *c.step.half, d = c.step.difference;
  const std::string interval = interval_tells(std::exp(-half), std::exp(half))
                                   ? " [" + fixed(std::exp(d - half), 3) + ", " + fixed(std::exp(d + half), 3) + "]"
                                   : "";
  return "No change of the step exceeds the noise: " + fixed(c.ratio, 3) + "x" + interval + " the time" + sizes +
         told_anyway(c) + same_text(c);
}

std::vector<std::string> cautions(const Comparison& c) {
  std::vector<std::string> out;
  if (c.alignment.aligned() < kLeastAligned) {
    const Share &b = c.alignment.before, &a = c.alignment.after;
    out.push_back("Of kernel time, " + percent_of(b.partner) + " before and " + percent_of(a.partner) +
                  " after is aligned kernel by kernel; with kernels that replace others " + percent_of(b.place) +
                  " and " + percent_of(a.place));
  }
  for (const Side* side : {&c.before, &c.after}) {
    if (const double share = share_of_some_runs(*side); share > 1 - kLeastAligned)
      out.push_back("The runs of " + side->name + " are not of one program: " + percent_of(share) +
                    " of their kernel time is in kernels that not all of them have; name the profiles of one");
  }
  if (const std::vector<std::string> both = on_both_sides(c); !both.empty())
    out.push_back("On both sides " + std::string(both.size() == 1 ? "is" : "are") + " " + listed(both) +
                  ": a profile does not differ from itself");
  for (const std::string& unlike : c.unlike) out.push_back("The sides differ: " + unlike);
  const double means = static_cast<double>(c.accounts.step.difference), medians = c.median_after - c.median_before;
  if (means * medians < 0) {
    out.push_back("Mean and median disagree: the mean step changed by " + signed_time(c.accounts.step.difference) +
                  ", the median step by " + signed_time(static_cast<std::int64_t>(medians)));
  }
  for (const Side* side : {&c.before, &c.after}) {
    for (const std::string& left_out : side->left_out) out.push_back(side->name + " is without " + left_out);
    if (side->runs.front().step_source == "the whole capture")
      out.push_back("The profiles of " + side->name +
                    " name no steps, so the whole capture counts as one; --steps names the ranges that are steps");
  }
  return out;
}

std::vector<std::string> lacks(const Comparison& c) {
  std::vector<std::string> out;
  if (!c.step.half) {
    out.emplace_back(
        "One run per side has no spread: kernels that are new or gone are certain, times are not. Record at "
        "least 3 runs of each and name their folders");
    return out;
  }
  const std::size_t runs = std::min(c.before.runs.size(), c.after.runs.size());
  const auto add = [&](const std::string& what, std::size_t needed) {
    if (needed > runs) {
      out.push_back("About " + counted(needed - runs, "more run") + " per side would decide " + what +
                    ", if the difference and the spread stay as they are");
    }
  };
  if (!c.step_told && c.step.more_runs == 0)
    out.emplace_back("A difference of the step this small would take more than 500 runs per side to tell");
  if (!c.step_told) add("the difference of the step", c.step.more_runs);
  std::size_t open = 0;
  for (const Finding& finding : c.findings) {
    if (finding.told || finding.judged.more_runs == 0 || open == kMostOpen) continue;
    add(said(finding) + " (" + signed_time(finding.amount.difference) + ")", finding.judged.more_runs), ++open;
  }
  return out;
}

std::string_view account_name(Account account) {
  constexpr std::string_view names[] = {
      "kernels: time per call", "kernels: number of launches", "kernels: new",    "kernels: gone",
      "exposed communication",  "exposed copies and sets",     "idle: host code", "idle: API calls and launches",
      "idle: synchronisation",  "idle: other device work",     "idle: other"};
  return names[static_cast<std::size_t>(account)];
}

}  // namespace assay::difference
