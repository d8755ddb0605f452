#include "difference/answer.hpp"

#include <algorithm>
#include <cmath>

#include "assay/quantity.hpp"

namespace assay::difference {
namespace {

constexpr double kWorthNaming = 0.1;  ///< share of the difference from which a cause is in the answer
constexpr std::size_t kMostCauses = 3;
constexpr double kLeastAligned = 0.9;  ///< of kernel time; below it that is said first

std::string times(double ratio) { return fixed(std::max(ratio, 1 / ratio), 2) + "x"; }

std::string percent_of(double share) { return fixed(100 * share, 0) + " %"; }

std::string runs_text(const Comparison& c) {
  const std::size_t b = c.before.runs.size(), a = c.after.runs.size();
  if (b == 1 && a == 1) return "one run a side";
  return b == a ? std::to_string(b) + " runs a side"
                : std::to_string(b) + (b == 1 ? " run" : " runs") + " before, " + std::to_string(a) + " after";
}

/// [lo, hi] of the factor by which a step is slower or faster.
std::string interval_text(const Comparison& c) {
  if (!c.step.half) return "";
  const double size = std::abs(c.step.difference), half = *c.step.half;
  return " [" + fixed(std::exp(size - half), 2) + ", " + fixed(std::exp(size + half), 2) + "]";
}

bool is_shown(const Comparison& c, const Finding& finding) { return finding.told || !c.step.half; }

/// Causes in the direction of `sign`, largest first.
std::vector<const Finding*> causes_of(const Comparison& c, std::int64_t sign, double least) {
  std::vector<const Finding*> out;
  for (const Finding& finding : c.findings) {
    const bool along = sign == 0 || (finding.amount.difference > 0) == (sign > 0);
    if (is_shown(c, finding) && along && std::abs(static_cast<double>(finding.amount.difference)) >= least)
      out.push_back(&finding);
  }
  return out;
}

std::string reason_of(const Finding& finding) {
  if (finding.why.empty() || finding.why.front().starts_with("not known")) return {};
  return ", since " + finding.why.front();
}

std::string list_of(const std::vector<const Finding*>& causes) {
  std::string out;
  for (std::size_t i = 0; i < std::min(causes.size(), kMostCauses); ++i) {
    out += (i == 0                                          ? ""
            : i + 1 == std::min(causes.size(), kMostCauses) ? " and "
                                                            : ", ") +
           said(*causes[i]) + " (" + signed_time(causes[i]->amount.difference) + ")";
    const bool idle = causes[i]->title.starts_with("idle");
    const bool copy = causes[i]->title.starts_with("copy");
    if (idle || copy) out += reason_of(*causes[i]);
  }
  return out;
}

std::string cause_text(const Comparison& c) {
  const double total = static_cast<double>(c.accounts.step.difference);
  std::vector<const Finding*> causes = causes_of(c, c.accounts.step.difference, kWorthNaming * std::abs(total));
  if (causes.empty()) return ", of which no single cause is told from the noise";
  if (causes.size() > kMostCauses) causes.resize(kMostCauses);
  double named = 0;
  for (const Finding* finding : causes) named += static_cast<double>(finding->amount.difference);
  std::string out = ": " + percent_of(named / total) + " of it " + list_of(causes);
  const std::vector<const Finding*> against = causes_of(c, -c.accounts.step.difference, kWorthNaming * std::abs(total));
  if (!against.empty()) out += "; against it " + list_of(against);
  return out;
}

/// What is told although the step as a whole is not.
std::string told_anyway(const Comparison& c) {
  std::vector<const Finding*> causes;
  for (const Finding& finding : c.findings) {
    if (finding.told) causes.push_back(&finding);
  }
  if (causes.empty()) return "; no change of any kernel, copy or idle time is told from the noise either";
  const std::size_t more = causes.size() > kMostCauses ? causes.size() - kMostCauses : 0;
  return ". What did change: " + list_of(causes) + (more > 0 ? ", and " + std::to_string(more) + " more" : "") +
         "; kernel time " + signed_time(c.accounts.device_after - c.accounts.device_before) + " a step";
}

std::string same_text(const Comparison& c) {
  if (!c.unlike.empty()) return {};
  const auto& setup = c.before.runs.front().setup;
  const bool device = std::any_of(setup.begin(), setup.end(), [](const auto& s) { return s.first == "device"; });
  return device ? "; same launch sizes, same device" : "; same launch sizes";
}

}  // namespace

std::string signed_time(std::int64_t ns) {
  return (ns > 0 ? "+" : ns < 0 ? "-" : "") + quantity(std::abs(static_cast<double>(ns)), "ns");
}

std::string said(const Finding& finding) {
  return finding.title + (finding.place.empty() ? "" : " in " + finding.place);
}

std::string answer(const Comparison& c) {
  const std::string sizes = " (" + quantity(static_cast<double>(c.accounts.step.before), "ns") + " to " +
                            quantity(static_cast<double>(c.accounts.step.after), "ns") + ", " + runs_text(c) + ")";
  const std::string word = c.ratio > 1 ? "slower" : "faster";
  if (!c.comparable)
    return "The sides are unlike, so their times are not compared as like: a step takes " + times(c.ratio) + " " +
           (c.ratio > 1 ? "longer" : "less") + sizes + cause_text(c);
  if (!c.step.half)
    return times(c.ratio) + " " + word + " per step" + sizes + ", with no spread to tell it from noise" +
           cause_text(c) + same_text(c);
  if (c.step_told)
    return times(c.ratio) + " " + word + " per step" + interval_text(c) + sizes + cause_text(c) + same_text(c);
  const double half = *c.step.half, d = c.step.difference;
  return "No change of the step is told from the noise: " + fixed(c.ratio, 3) + "x [" + fixed(std::exp(d - half), 3) +
         ", " + fixed(std::exp(d + half), 3) + "] the time" + sizes + told_anyway(c) + same_text(c);
}

std::vector<std::string> cautions(const Comparison& c) {
  std::vector<std::string> out;
  if (c.alignment.aligned() < kLeastAligned) {
    out.push_back("Of kernel time, " + percent_of(c.alignment.aligned_before) + " before and " +
                  percent_of(c.alignment.aligned_after) +
                  " after is aligned: the rest are kernels that only one side has");
  }
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
                    " name no steps, so the whole capture is one; --steps says what "
                    "ranges are steps");
  }
  return out;
}

std::vector<std::string> lacks(const Comparison& c) {
  std::vector<std::string> out;
  if (!c.step.half) {
    out.emplace_back(
        "One run a side has no spread: kernels that are new or gone are certain, times are not. Record at "
        "least 3 runs of each and name their folders");
  } else if (!c.step_told && c.step.more_runs > 0) {
    out.push_back("About " + std::to_string(c.step.more_runs) +
                  " runs a side would tell a difference of the step of this size");
  } else if (!c.step_told) {
    out.emplace_back("A difference of the step this small would take more than 500 runs a side to tell");
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
