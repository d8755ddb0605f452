#include "answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "algo/short_name.hpp"
#include "assay/algo/summary.hpp"
#include "assay/detail/text.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "conditions.hpp"

namespace assay::difference {
namespace {

constexpr double kWorthNaming = 0.1;  ///< min share of the difference for a cause in the answer
constexpr std::size_t kMaxCauses = 3;
constexpr std::size_t kMaxCharacters = 180;  ///< max length of an answer; details beyond it are only in the tables
constexpr std::size_t kPlaceParts = 2;       ///< innermost parts of a path that are shown
constexpr std::string_view kModule = "nn.Module: ";
constexpr std::string_view kWaits = " waiting ";
constexpr double kMaxShare = 1.2;         ///< of the difference; a larger one is said as a time
constexpr double kMax = 0.5;              ///< of a cause: a change that makes as much of it is named
constexpr double kMostNew = 0.3;          ///< of the time of new kernels: a class that is named
constexpr std::size_t kMaxOpen = 2;       ///< differences whose runs to decide are said
constexpr std::size_t kMaxMoreRuns = 20;  ///< more would not be recorded
constexpr double kMeanIsMedian = 0.1;     ///< of the difference of the median steps
constexpr double kAllMatched = 0.995;     ///< of kernel time
constexpr double kMinAligned = 0.9;       ///< of kernel time; below it that is said first
constexpr double kWide = 0.25;            ///< of the logarithm of a ratio: an interval that leaves all open
constexpr double kSmall = 0.02;           ///< of a step; repeat runs on an idle machine differ by as much

/// Decimal places that distinguish a small change from none.
int places(double ratio) { return std::abs(std::log(ratio)) < 0.1 ? 3 : 2; }

std::string percent_of(double share) { return fixed(100 * share, 0) + " %"; }

/// "5 + 5 runs".
std::string runs_text(const Comparison& c) {
  const std::size_t b = c.before.runs.size(), a = c.after.runs.size();
  if (b == 1 && a == 1) return "one run a side";
  return filled("{} + {} runs{}", {std::to_string(b), std::to_string(a), c.order_text});
}

/// Whether the steps of both sides are equal to the nanosecond, like those of a file and itself.
bool is_equal(const Comparison& c) { return c.accounts.step.difference == 0 && c.ratio == 1 && !c.step_told; }

std::string step_word(const Comparison& c) {
  const std::string &b = c.before.runs.front().step_word, &a = c.after.runs.front().step_word;
  return b == a && !b.empty() ? b : "step";
}

/// "a step", "an iteration".
std::string a_step(const Comparison& c) { return with_article(step_word(c)); }

/// "147 -> 54.6 ms".
std::string from_to(double before, double after) {
  constexpr double kFar = 1000;
  if (std::max(before / after, after / before) > kFar) return quantity(before, "ns") + " -> " + quantity(after, "ns");
  std::string text = quantity_range(before, after, "ns");
  const std::size_t to = text.find(" to ");
  return to == std::string::npos ? text : text.replace(to, 4, " -> ");
}

/// ", [2.65, 2.72]": the factor by which a step is slower or faster; empty: not known.
std::string interval_text(const Comparison& c) {
  if (!c.step.half || !interval_tells(std::exp(-*c.step.half), std::exp(*c.step.half))) return "";
  const double size = std::abs(c.step.difference), half = *c.step.half;
  const int digits = places(c.ratio);
  return filled(", [{}, {}]", {fixed(std::exp(size - half), digits), fixed(std::exp(size + half), digits)});
}

/// "(147 -> 54.6 ms a step; 5 + 5 runs, [2.65, 2.72])".
std::string sizes_text(const Comparison& c) {
  const std::string sizes = is_equal(c) ? quantity(c.median_before, "ns") : from_to(c.median_before, c.median_after);
  return filled("({} {}; {}{})", {sizes, a_step(c), runs_text(c), c.step_told ? interval_text(c) : ""});
}

/// "2.69x faster", with a question mark unless confirmed.
std::string speed_text(const Comparison& c) {
  return is_equal(c) ? "No difference" : times_text(c.ratio, places(c.ratio)) + (c.step_told ? "" : "?");
}

/// "+0.8", in percent, for a ratio of times.
std::string change_text(double ratio) { return printed("%+.1f", 100 * (ratio - 1)); }

/// A part of the difference of the mean step, in words.
struct Cause {
  std::vector<DifferenceTerm> accounts;
  std::string_view less, more;
  std::int64_t sum = 0;

  [[nodiscard]] std::string_view words() const { return sum < 0 ? less : more; }
};

/// Largest first.
std::vector<Cause> causes_of(const Comparison& c) {
  std::vector<Cause> causes{
      {{DifferenceTerm::kTimePerCall}, "faster kernels", "slower kernels"},
      {{DifferenceTerm::kLaunchCount}, "fewer kernels", "more kernels"},
      {{DifferenceTerm::kNewKernels, DifferenceTerm::kGoneKernels}, "replaced kernels", "replaced kernels"},
      {{DifferenceTerm::kCommunication}, "less exposed communication", "more exposed communication"},
      {{DifferenceTerm::kCopies}, "less exposed copies", "more exposed copies"},
      {{DifferenceTerm::kIdleHost}, "less waiting for host code", "more waiting for host code"},
      {{DifferenceTerm::kIdleLaunch}, "less waiting for launches", "more waiting for launches"},
      {{DifferenceTerm::kIdleCalls}, "less waiting for API calls", "more waiting for API calls"},
      {{DifferenceTerm::kIdleSync}, "less waiting for synchronisation", "more waiting for synchronisation"},
      {{DifferenceTerm::kIdleQueued}, "less waiting for other streams", "more waiting for other streams"},
      {{DifferenceTerm::kIdleOther}, "less idle time at the end", "more idle time at the end"}};
  const auto line = [&](DifferenceTerm account) { return c.accounts.lines[static_cast<std::size_t>(account)]; };
  for (Cause& cause : causes) {
    for (const DifferenceTerm account : cause.accounts) cause.sum += line(account);
  }
  if (line(DifferenceTerm::kGoneKernels) == 0 || line(DifferenceTerm::kNewKernels) == 0) {
    causes[2].less = "kernels that are gone";
    causes[2].more = "new kernels";
  }
  std::ranges::stable_sort(causes, [](const Cause& a, const Cause& b) { return std::abs(a.sum) > std::abs(b.sum); });
  return causes;
}

/// Whether a change belongs to one of a cause's terms.
bool belongs(const Comparison& c, const Finding& finding, const Cause& cause) {
  const Change& change = c.alignment.changes[finding.change];
  const DifferenceTerm account = cause.accounts.front();
  switch (finding.kind) {
    case ItemKind::kIdle:
      return std::ranges::any_of(change.rows, [&](std::uint32_t r) {
        return idle_account(item_of(c, c.alignment.rows[r]).key.op) == account;
      });
    case ItemKind::kCommunication:
      return account == DifferenceTerm::kCommunication;
    case ItemKind::kCopy:
    case ItemKind::kSet:
      return account == DifferenceTerm::kCopies;
    case ItemKind::kKernel:
    case ItemKind::kGraph:
      return account == DifferenceTerm::kTimePerCall || account == DifferenceTerm::kLaunchCount ||
             account == DifferenceTerm::kNewKernels;
  }
  return false;
}

/// " (now attention kernels)": the class with most time of the new kernels that no gone kernel has; empty: none, or it
/// takes little of that time.
std::string new_class(const Comparison& c) {
  std::map<std::string, std::int64_t> came, went;
  std::int64_t all = 0;
  for (std::size_t r = 0; r < c.alignment.rows.size(); ++r) {
    const AlignedItem& row = c.alignment.rows[r];
    const Item& item = item_of(c, row);
    if (item.key.kind != ItemKind::kKernel || (row.before != kNoItem && row.after != kNoItem)) continue;
    const std::int64_t time = c.accounts.rows[r].difference;
    (row.before == kNoItem ? came : went)[item.traits.kernel_class] += time;
    all += row.before == kNoItem ? time : 0;
  }
  for (const auto& [name, time] : came) {
    if (!went.contains(name) && static_cast<double>(time) > kMostNew * static_cast<double>(all))
      return " (now " + name + " kernels)";
  }
  return {};
}

/// " (matmul +16.4 ms)": the class behind most of a change of kernels; empty if there is none.
std::string most_class(const Comparison& c, const Cause& cause) {
  if (cause.accounts.front() > DifferenceTerm::kGoneKernels) return {};
  std::map<std::string, std::int64_t> classes;
  for (std::size_t r = 0; r < c.alignment.rows.size(); ++r) {
    const Item& item = item_of(c, c.alignment.rows[r]);
    if (item.key.kind == ItemKind::kKernel) classes[item.traits.kernel_class] += c.accounts.rows[r].difference;
  }
  for (const auto& [name, sum] : classes) {
    const double share = static_cast<double>(sum) / static_cast<double>(cause.sum);
    if (!name.empty() && share > kMax) return filled(" ({} {})", {name, signed_time(sum)});
  }
  return {};
}

/// " (most in decode_{i})": the change behind most of a cause; empty if there is none.
std::string most_of(const Comparison& c, const Cause& cause) {
  const std::string now = cause.words() == "replaced kernels" ? new_class(c) : "";
  if (!now.empty()) return now;
  const Finding* largest = nullptr;
  for (const Finding& finding : c.findings) {
    const bool along = (finding.amount.difference < 0) == (cause.sum < 0) && finding.amount.difference != 0;
    if (!along || !is_shown(c, finding) || !belongs(c, finding, cause)) continue;
    if (largest == nullptr || std::abs(finding.amount.difference) > std::abs(largest->amount.difference))
      largest = &finding;
  }
  const auto size = [](std::int64_t ns) { return std::abs(static_cast<double>(ns)); };
  if (largest == nullptr || size(largest->amount.difference) < kMax * size(cause.sum)) return most_class(c, cause);
  if (largest->kind != ItemKind::kIdle) return " (" + finding_text(*largest) + ")";
  const ItemKey& key = item_of(c, c.alignment.rows[c.alignment.changes[largest->change].rows.front()]).key;
  if (key.op == "api" && !key.name.empty())
    return filled(" ({}{})", {key.name, largest->place.empty() ? "" : " in " + short_place(largest->place)});
  if (!largest->why.empty()) return " (" + largest->why.front() + ")";
  return largest->place.empty() ? "" : " (most in " + short_place(largest->place) + ")";
}

/// Whether the mean step changed by another amount than the median step, which is the first number of the answer.
bool mean_differs(const Comparison& c) {
  const double medians = c.median_after - c.median_before;
  return std::abs(static_cast<double>(c.accounts.step.difference) - medians) > kMeanIsMedian * std::abs(medians);
}

/// Whether a few slow steps drive the mean the other way than the median step went.
bool disagrees(const Comparison& c) {
  const double means = static_cast<double>(c.accounts.step.difference), medians = c.median_after - c.median_before;
  return means * medians < 0 && std::abs(means) > kMeanIsMedian * std::abs(medians);
}

/// Adds a part unless the text would become too long.
bool append(std::string& text, const std::string& part) {
  if (text.size() + part.size() > kMaxCharacters) return false;
  text += part;
  return true;
}

/// "CUDA graph: 144 launches instead of 33312", if only one side launches graphs.
std::string graph_text(const Comparison& c) {
  const LaunchCounts b = launches_of(c.before), a = launches_of(c.after);
  if ((b.graphs > 0) == (a.graphs > 0)) return {};
  const auto per_step = [](double all, const Side& side) {
    return fixed(all / static_cast<double>(std::max<std::int64_t>(1, side.steps)), 0);
  };
  const auto before = static_cast<double>(b.all), after = static_cast<double>(a.all);
  return filled(
      "{}{} launches instead of {}",
      {a.graphs > 0 ? "CUDA graph: " : "no CUDA graph: ", per_step(after, c.after), per_step(before, c.before)});
}

/// Causes of the difference of the mean step, with their shares.
void append_causes(const Comparison& c, std::string& text) {
  const auto total = static_cast<double>(c.accounts.step.difference);
  if (total == 0) return;
  const std::vector<Cause> causes = causes_of(c);
  const std::string graph = graph_text(c);
  const bool after_graph = !graph.empty() && append(text, ": " + graph);
  std::string said, most, verb_before;
  std::size_t named = 0;
  for (const Cause& cause : causes) {
    const double share = static_cast<double>(cause.sum) / total;
    if (share < kWorthNaming || named == kMaxCauses) continue;
    std::string words(cause.words());
    // "less waiting for host code 74 %, for launches 26 %".
    const std::size_t wait = words.find(kWaits);
    const std::string verb = wait == std::string::npos ? "" : words.substr(0, wait + kWaits.size());
    if (!verb.empty() && verb == verb_before) words.erase(0, verb.size());
    verb_before = verb;
    const std::string part = filled("{}{} {}", {named == 0 ? (after_graph ? "; " : ": ") : ", ", words,
                                                share > kMaxShare ? signed_time(cause.sum) : percent_of(share)});
    if (text.size() + said.size() + part.size() > kMaxCharacters) break;
    if (named++ == 0) most = part + most_of(c, cause);
    said += part;
  }
  if (named > 0) {
    const std::size_t first = said.find(',');
    most += first == std::string::npos ? "" : said.substr(first);
    if (!append(text, most)) text += said;
  }
  if (named > 0 && mean_differs(c)) append(text, " of the mean's " + signed_time(c.accounts.step.difference));
  const auto against = std::ranges::find_if(
      causes, [&](const Cause& cause) { return static_cast<double>(cause.sum) / total < -kWorthNaming; });
  if (against != causes.end())
    append(text, filled("; partly offset by {} ({})", {std::string(against->words()), signed_time(against->sum)}));
}

/// Significant changes of parts, although the change of the whole step is not significant.
void append_told_anyway(const Comparison& c, std::string& text) {
  std::vector<std::string> parts;
  for (const WaitChange& wait : c.waits) {
    if ((wait.before > 0) == (wait.after > 0)) continue;
    parts.push_back(short_name(wait.name) + (wait.place.empty() ? "" : " in " + short_place(wait.place)) +
                    (wait.before > 0 ? " is gone" : " is new"));
  }
  for (const Finding& finding : c.findings) {
    if (finding.told && finding.amount.difference != 0)
      parts.push_back(finding.title + " " + signed_time(finding.amount.difference));
  }
  for (std::size_t i = 0; i < std::min(kMaxCauses, parts.size()); ++i) {
    if (!append(text, (i == 0 ? "; changed: " : ", ") + parts[i])) return;
  }
}

/// Largest factor between the median steps of two runs of one side.
double spread_of(const Side& side) {
  std::vector<double> medians;
  for (const SideRun& run : side.runs)
    medians.push_back(median(std::vector<double>(run.step_times.begin(), run.step_times.end())));
  const auto [least, most] = std::ranges::minmax_element(medians);
  return *least > 0 ? *most / *least : 1;
}

/// For a step whose change cannot be told from noise.
std::string open_answer(const Comparison& c) {
  const double half = *c.step.half, d = c.step.difference;
  std::string text;
  if (interval_tells(std::exp(-half), std::exp(half))) {
    text = filled("{} ({} % [{}, {}] {}; {})",
                  {half > kWide ? "Cannot tell" : "No clear change", change_text(c.ratio),
                   change_text(std::exp(d - half)), change_text(std::exp(d + half)), a_step(c), runs_text(c)});
  } else {
    text = filled(
        "Cannot tell ({} % {}; {}): runs of one side differ up to {}x",
        {change_text(c.ratio), a_step(c), runs_text(c), fixed(std::max(spread_of(c.before), spread_of(c.after)), 1)});
  }
  append_told_anyway(c, text);
  return text;
}

/// "6.53x faster without a profiler (4.58 -> 0.702 ms a decode), 9.58x faster under it (one run a side)"; empty:
/// not measured without one.
std::string plain_text(const Comparison& c) {
  if (c.plain_before.empty() || c.plain_after.empty()) return {};
  const double before = mean(c.plain_before), after = mean(c.plain_after), ratio = after / before;
  return filled("{} without a profiler ({} {}), {} under it ({}{})",
                {c.plain_changed ? times_text(ratio, places(ratio)) : "No clear change", from_to(before, after),
                 a_step(c), times_text(c.ratio, places(c.ratio)), runs_text(c), c.step_told ? interval_text(c) : ""});
}

std::string whole_answer(const Comparison& c) {
  std::string text;
  if (!c.comparable) {
    text = "Not comparable: " + c.unlike.front();
    append(text, filled(" ({} and {} {}; {})",
                        {quantity(c.median_before, "ns"), quantity(c.median_after, "ns"), a_step(c), runs_text(c)}));
    return text;
  }
  if (c.step.half && !c.step_told && !is_equal(c)) return open_answer(c);
  text = plain_text(c);
  if (text.empty() && is_small(c) && !is_equal(c)) {
    text = filled("No clear change ({} % {}; {})", {change_text(c.ratio), a_step(c), runs_text(c)});
    append_told_anyway(c, text);
    return text;
  }
  if (!c.step_told && disagrees(c)) {
    return filled("No clear change {}: the mean changed by {}, the other way, which a few slow ones drive",
                  {sizes_text(c), signed_time(c.accounts.step.difference)});
  }
  if (text.empty()) text = speed_text(c) + " " + sizes_text(c);
  if (!c.pace.rank.empty()) text += ", rank " + c.pace.rank;
  if (is_equal(c))
    append_told_anyway(c, text);
  else
    append_causes(c, text);
  const std::string phases = is_device_bound(c) ? device_phase_text(c.phases, c.ratio) : phase_text(c.phases, c.ratio);
  if (!phases.empty()) append(text, "; " + phases);
  return text;
}

/// Share of kernel time in kernels that only some runs of a side have.
double share_of_some_runs(const Side& side) {
  std::int64_t all = 0, some = 0;
  for (std::size_t i = 0; i < side.items.size(); ++i) {
    const Item& item = side.items[i];
    if (item.key.kind != ItemKind::kKernel) continue;
    all += item.sums.device;
    if (std::ranges::count(side.counts[i], 0) > 0) some += item.sums.device;
  }
  return all > 0 ? static_cast<double>(some) / static_cast<double>(all) : 0;
}

/// Where Welch's test or Mann-Whitney's say something else of the step, and why; empty: they do not.
std::string run_tests_text(const Comparison& c) {
  return unlike_run_tests(c.run_tests, c.step_told,
                          c.in_blocks   ? "whatever its block, and noise that lasts over blocks looks like a change"
                          : c.step_told ? ""
                          : !c.order_text.empty() ? "and these were recorded one side after the other"
                                                  : "at 5 %, where the interval is of 96 % and trusts few runs less");
}

/// A few names of runs that are one recording on both sides: their steps and items are equal.
std::vector<std::string> on_both_sides(const Comparison& c) {
  constexpr std::size_t kMaxNamed = 3;
  const auto equal = [](const SideRun& a, const SideRun& b) {
    return a.step_times == b.step_times && std::ranges::equal(a.items, b.items, [](const Item& x, const Item& y) {
             return x.key == y.key && x.sums == y.sums;
           });
  };
  std::vector<std::string> names;
  for (const SideRun& run : c.after.runs) {
    const auto same = std::ranges::find_if(c.before.runs, [&](const SideRun& b) { return equal(run, b); });
    if (same != c.before.runs.end()) names.push_back(same->name);
  }
  const std::size_t more = names.size() - std::min(kMaxNamed, names.size());
  if (more > 0) {
    names.erase(names.begin() + kMaxNamed, names.end());
    names.push_back(std::to_string(more) + " more");
  }
  return names;
}

}  // namespace

bool is_small(const Comparison& c) { return !c.step.half && std::abs(c.ratio - 1) < kSmall; }

bool is_device_bound(const Comparison& c) {
  std::int64_t idle = 0;
  for (const Item& item : c.before.items) idle += item.key.kind == ItemKind::kIdle ? item.sums.wall : 0;
  return 2 * idle < c.before.time;
}

bool is_shown(const Comparison& c, const Finding& finding) { return finding.told || !c.step.half; }

std::string times_text(double ratio, int digits) {
  return fixed(std::max(ratio, 1 / ratio), digits) + (ratio > 1 ? "x slower" : "x faster");
}

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

std::string finding_text(const Finding& finding) {
  return finding.title + (finding.place.empty() ? "" : " in " + short_place(finding.place));
}

std::string answer(const Comparison& c) {
  std::string text = whole_answer(c);
  const std::size_t blocks = c.order_text.empty() ? std::string::npos : text.find(c.order_text);
  if (text.size() > kMaxCharacters && blocks != std::string::npos) text.erase(blocks, c.order_text.size());
  constexpr std::string_view kCut = "...";
  return text.size() > kMaxCharacters ? short_name(text, kMaxCharacters - kCut.size()) : text;
}

std::vector<std::string> cautions(const Comparison& c) {
  std::vector<std::string> out;
  const Share &b = c.alignment.before, &a = c.alignment.after;
  // Nothing is in doubt where all kernels are matched with those that replace them.
  if (c.alignment.aligned() < kMinAligned && std::min(b.place, a.place) < kAllMatched) {
    out.push_back(
        filled("{} of the kernel time before and {} after is in kernels that the other side does not have; {} and {} "
               "are matched with those that replace them",
               {percent_of(1 - b.partner), percent_of(1 - a.partner), percent_of(b.place), percent_of(a.place)}));
  }
  for (const Side* side : {&c.before, &c.after}) {
    if (const double share = share_of_some_runs(*side); share > 1 - kMinAligned)
      out.push_back(
          filled("The runs of {} are not of one program: {} of their kernel time is in kernels that not all of them "
                 "have; name the profiles of one",
                 {side->name, percent_of(share)}));
  }
  if (const std::vector<std::string> both = on_both_sides(c); !both.empty())
    out.push_back(filled("On both sides {} {}: a profile does not differ from itself",
                         {std::string(both.size() == 1 ? "is" : "are"), listed(both)}));
  for (const std::string& unlike : c.unlike) out.push_back("The sides differ: " + unlike);
  if (const std::string unlike = c.step.half && c.comparable ? run_tests_text(c) : std::string(); !unlike.empty())
    out.push_back(unlike);
  if (c.step_told && disagrees(c)) {
    const double medians = c.median_after - c.median_before;
    out.push_back(filled("The mean step changed by {}, the median step by {}; a few slow steps drive the mean",
                         {signed_time(c.accounts.step.difference), signed_time(static_cast<std::int64_t>(medians))}));
  }
  for (const Side* side : {&c.before, &c.after}) {
    if (side->runs.front().step_source == step_items::kWholeCapture)
      out.push_back("The profiles of " + side->name +
                    " name no steps: the whole capture counts as one; --steps names the ranges that are steps");
  }
  return out;
}

std::vector<std::string> lacks(const Comparison& c) {
  std::vector<std::string> out;
  if (!c.step.half) {
    out.emplace_back("record at least 3 runs of each, and compare the folders: times of one run a side may be noise");
    return out;
  }
  const std::size_t runs = std::min(c.before.runs.size(), c.after.runs.size());
  const auto add = [&](const std::string& what, std::size_t needed) {
    if (needed > runs && needed - runs <= kMaxMoreRuns)
      out.push_back(filled("record about {} a side, to settle {}", {counted(needed - runs, "more run"), what}));
  };
  if (!c.step_told && c.step.more_runs == 0)
    out.emplace_back("leave it: a difference of the step this small would take more than 500 runs a side to tell");
  if (!c.step_told) add("the difference of the step", c.step.more_runs);
  std::size_t open = 0;
  for (const Finding& finding : c.findings) {
    if (finding.told || finding.judged.more_runs == 0 || open == kMaxOpen) continue;
    add(filled("{} ({})", {finding_text(finding), signed_time(finding.amount.difference)}), finding.judged.more_runs);
    ++open;
  }
  return out;
}

std::string_view account_name(DifferenceTerm account) {
  constexpr std::string_view names[] = {"kernels: time per call",
                                        "kernels: number of launches",
                                        "kernels: new",
                                        "kernels: gone",
                                        "exposed communication",
                                        "exposed copies and sets",
                                        "idle: host code",
                                        "idle: launches",
                                        "idle: API calls",
                                        "idle: synchronisation",
                                        "idle: other device work",
                                        "idle: other"};
  return names[static_cast<std::size_t>(account)];
}

}  // namespace assay::difference
