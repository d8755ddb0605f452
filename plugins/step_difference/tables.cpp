#include "tables.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "algo/page_sections.hpp"
#include "answer.hpp"
#include "assay/plot.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"

namespace assay::difference {
namespace {

constexpr double kLeast = 0.005;  ///< of a step: smaller differences are said as one
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr page::SectionView kPairs{
    .table = "pairs",
    .columns =
        "report=pair|runs_before=runs|runs_after=after|median_before_ns=before|median_after_ns=after|change=|"
        "status|most=most of it",
    .unknown_empty = true};
constexpr page::SectionView kDifferences{.table = "differences",
                                         .columns = "what=|where|before|after|difference|status?|why?",
                                         .units = "text|text|ns|ns|ns|text|text",
                                         .unknown_empty = true};
constexpr page::SectionView kWaterfall{
    .table = "waterfall", .columns = "label|note|from|to", .units = "text|text|ns|ns", .plot = "waterfall"};
constexpr page::SectionView kAccountLines{
    .table = "accounts", .columns = "account=|a step", .units = "text|ns", .unknown_empty = true};
constexpr page::SectionView kWaits{.table = "blocking_calls",
                                   .columns = "call=|before|after|time before=time in them before|time after=after",
                                   .units = "text|calls|calls|ns|ns",
                                   .unknown_empty = true};
constexpr page::SectionView kClasses{
    .table = "by_class", .columns = "class=|before|after|difference", .units = "text|ns|ns|ns", .unknown_empty = true};
#define ASSAY_COUNTS "|count before?|count after?=after"
#define ASSAY_HOST "|median before=host before|median after=after|change="
#define ASSAY_GPU "|GPU before|GPU after=after"
constexpr page::SectionView kPhases{
    .table = "phases", .columns = "phase=" ASSAY_HOST ASSAY_GPU ASSAY_COUNTS, .unknown_empty = true};
constexpr page::SectionView kDevicePhases{
    .table = "phases",
    .columns = "phase=" ASSAY_GPU "|GPU change=|median before=host before|median after=after" ASSAY_COUNTS,
    .unknown_empty = true};
constexpr page::SectionView kPlainPhases{
    .table = "phases",
    .columns =
        "phase=|plain before=no profiler before|plain after=after|plain change=" ASSAY_HOST ASSAY_GPU ASSAY_COUNTS,
    .unknown_empty = true};
#undef ASSAY_HOST
#undef ASSAY_COUNTS
#undef ASSAY_GPU

double real(std::int64_t ns) { return static_cast<double>(ns); }

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "; ") + text;
  return out;
}

void add_section(const std::string& title, const std::vector<std::string>& sentences, page::Sections& to) {
  if (sentences.empty()) return;
  to.section(title);
  for (const std::string& sentence : sentences) to.add_sentence(sentence);
}

void add_differences(const Comparison& c, page::Sections& to) {
  to.section("Largest differences of a step", kDifferences);
  std::set<std::string> unknown;
  bool any = false;
  const double least = kLeast * std::max(c.median_before, c.median_after);
  std::int64_t small = 0, noise = c.noise;
  std::size_t small_count = 0, noise_count = c.noise_count;
  for (const Finding& f : c.findings) {
    if (!is_shown(c, f) || (f.amount.difference == 0 && !f.told)) continue;
    if (std::abs(real(f.amount.difference)) < least && any) {
      small += f.amount.difference;
      ++small_count;
      continue;
    }
    if (!f.unknown.empty()) unknown.insert(f.unknown);
    to.line({f.title, short_place(f.place), real(f.amount.before), real(f.amount.after), real(f.amount.difference),
             f.certainty == "single run" ? "" : f.certainty, joined(f.why)});
    any = true;
  }
  for (const std::string& what : unknown) to.add_sentence("Not known" + what);
  if (!c.step.half) {
    small += std::exchange(noise, 0);
    small_count += std::exchange(noise_count, 0);
  }
  if (small_count > 0) to.add_sentence(counted(small_count, "smaller one") + ", net " + signed_time(small));
  if (noise_count > 0)
    to.add_sentence(std::to_string(noise_count) + " more within the noise of repeat runs, net " + signed_time(noise));
  if (!any && small_count + noise_count == 0) to.add_sentence("none");
  if (!c.pace.reason.empty()) to.add_sentence(c.pace.reason);
  const SideRun &before = c.before.runs.front(), &after = c.after.runs.front();
  // What is called a step needs no word.
  if (before.step_word != "step" && !before.step_name.empty() && before.step_name == after.step_name)
    to.add_sentence("A step is a range " + before.step_name + "; --steps names others");
}

/// From the mean step before to the one after, over the causes that make most of the difference.
void add_waterfall(const Comparison& c, page::Sections& to) {
  constexpr double kMost = 0.95;
  constexpr std::size_t kCauses = 8;
  const auto runs = [](const Side& side) { return counted(side.runs.size(), "run"); };
  to.section(filled("From {} to {}", {c.before.name, c.after.name}), kWaterfall);
  double at = real(c.accounts.step.before);
  const double end = real(c.accounts.step.after), whole = end - at;
  to.line({c.before.name, runs(c.before), 0.0, at});
  std::size_t others = c.findings.size() + c.noise_count, causes = 0;
  for (const Finding& f : c.findings) {
    if (causes == kCauses || std::abs(end - at) <= (1 - kMost) * std::abs(whole) || !is_shown(c, f)) break;
    const double next = at + real(f.amount.difference);
    to.line({f.title, short_place(f.place), at, next});
    at = next;
    --others;
    ++causes;
  }
  to.line({std::string("everything else"), counted(others, "difference"), at, end});
  to.line({c.after.name, runs(c.after), 0.0, end});
}

void add_accounts(const Comparison& c, page::Sections& to) {
  to.section("Where the time went", kAccountLines);
  std::int64_t small = 0;
  const auto largest = std::ranges::max_element(c.accounts.lines, {}, [](std::int64_t ns) { return std::abs(ns); });
  for (std::size_t i = 0; i < kAccounts; ++i) {
    // What rounding leaves is in the largest, so that the lines sum to the step.
    const bool most = &c.accounts.lines[i] == &*largest;
    const std::int64_t ns = c.accounts.lines[i] + (most ? c.accounts.rounding : 0);
    if (std::abs(real(ns)) < kLeast * std::max(c.median_before, c.median_after))
      small += ns;
    else
      to.line({std::string(account_name(static_cast<DifferenceTerm>(i))), real(ns)});
  }
  if (small != 0) to.line({std::string("all else"), real(small)});
  to.line({std::string("the step"), real(c.accounts.step.difference)});
}

std::string phase_change_text(const PhaseChange& p) {
  if (!p.both()) return {};
  const std::string ratio = times_text(p.ratio(), 2);
  return p.changed() && !ratio.starts_with("1.00x") ? ratio : "no clear change";
}

void add_phases(const Comparison& c, page::Sections& to) {
  if (c.phases.size() < 2) return;
  const bool plain = std::ranges::any_of(c.phases, [](const auto& p) { return p.plain_ratio().has_value(); });
  to.section(filled("Phases of a {}, medians", {c.before.runs.front().step_word}), plain                ? kPlainPhases
                                                                                   : is_device_bound(c) ? kDevicePhases
                                                                                                        : kPhases);
}

/// Change of the GPU time that a phase launches: "2.77x faster", "no clear change", "no GPU work".
std::string device_change_text(const PhaseChange& p) {
  constexpr double kNoWork = 0.01, kAlike = 0.05;
  if (!p.both()) return {};
  if (p.before.gpu < kNoWork * p.before.median && p.after.gpu < kNoWork * p.after.median) return "no GPU work";
  if (p.before.gpu <= 0 || p.after.gpu <= 0) return {};
  const double ratio = p.after.gpu / p.before.gpu;
  return std::abs(std::log(ratio)) < kAlike ? "no clear change" : times_text(ratio, 2);
}

/// Phases of all comparisons, indented by depth.
Table phase_table(const std::vector<Comparison>& comparisons) {
  struct Line {
    const std::string* pair;
    const PhaseChange* phase;
  };
  std::vector<Line> lines;
  for (const Comparison& c : comparisons) {
    for (const PhaseChange& phase : c.phases) lines.push_back({&c.name, &phase});
  }
  const auto known = [](double ns) { return ns > 0 ? ns : kNan; };
  Table table("phases", "Ranges in the steps, medians on the host");
  const auto both = [&](const std::string& name, const char* unit, auto&& of) {
    table.column(name + " before", unit, lines, [&](const Line& l) { return of(l.phase->before); });
    table.column(name + " after", unit, lines, [&](const Line& l) { return of(l.phase->after); });
  };
  table.column("report", "", lines, [](const Line& l) { return *l.pair; })
      .column("path", "", lines, [](const Line& l) { return l.phase->path; })
      .column("phase", "", lines, [](const Line& l) {
        const auto depth = static_cast<std::size_t>(std::ranges::count(l.phase->path, '/'));
        return std::string(2 * depth, ' ') + l.phase->path.substr(l.phase->path.rfind('/') + 1);
      });
  both("count", "1", [](const PhaseSide& side) { return side.count; });
  both("median", "ns", [&](const PhaseSide& side) { return known(side.median); });
  table.column("change", "", lines, [](const Line& l) { return phase_change_text(*l.phase); });
  both("plain", "ns", [](const PhaseSide& side) { return side.plain.value_or(kNan); });
  table.column("plain change", "", lines, [](const Line& l) {
    const auto ratio = l.phase->plain_ratio();
    return !ratio ? std::string() : l.phase->plain_changed() ? times_text(*ratio, 2) : "no clear change";
  });
  both("GPU", "ns", [&](const PhaseSide& side) { return known(side.gpu); });
  table.column("GPU change", "", lines, [](const Line& l) { return device_change_text(*l.phase); });
  both("launches", "1", [](const PhaseSide& side) { return side.launches; });
  both("share", "ratio", [](const PhaseSide& side) { return side.share; });
  return table;
}

void add_classes(const Comparison& c, page::Sections& to) {
  std::map<std::string, StepAmount> classes;
  for (std::size_t r = 0; r < c.alignment.rows.size(); ++r) {
    const Item& item = item_of(c, c.alignment.rows[r]);
    const bool kernel = item.key.kind == ItemKind::kKernel && !item.traits.kernel_class.empty();
    classes[kernel ? item.traits.kernel_class : std::string(step_items::kind_name(item.key.kind))].add(
        c.accounts.rows[r]);
  }
  if (classes.size() < 2) return;
  std::vector<std::pair<std::string, StepAmount>> sorted(classes.begin(), classes.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(), [](const auto& g) { return std::abs(g.second.difference); });
  to.section("By class", kClasses);
  for (const auto& [name, sum] : sorted) {
    if (std::abs(real(sum.difference)) >= kLeast * std::max(c.median_before, c.median_after))
      to.line({name, real(sum.before), real(sum.after), real(sum.difference)});
  }
}

void add_waits_of(const Comparison& c, page::Sections& to) {
  if (c.waits.empty()) return;
  to.section("Blocking calls per step", kWaits);
  for (const WaitChange& w : c.waits) {
    const std::string note = w.after == 0 ? " (gone)" : w.before == 0 ? " (new)" : "";
    to.line(
        {w.name + (w.place.empty() ? "" : " in " + w.place) + note, w.before, w.after, w.host_before, w.host_after});
  }
}

void add_page(const Comparison& c, page::Sections& to) {
  to.page(c.name, answer(c));
  add_section("Caveats", cautions(c), to);
  add_phases(c, to);
  // Of a change that cannot be told, a picture would show noise; one of the mean alone would contradict the answer.
  if (c.comparable && (c.step_told || !c.step.half) && !is_small(c) &&
      (c.accounts.step.difference > 0) == (c.ratio > 1))
    add_waterfall(c, to);
  add_differences(c, to);
  add_accounts(c, to);
  add_classes(c, to);
  add_waits_of(c, to);
  if (const std::vector<std::string> more = lacks(c); !more.empty()) {
    to.section("What to try");
    for (const std::string& one : more) to.add_advice({one});
  }
}

std::string status_of(const Comparison& c) {
  return !c.comparable ? "not comparable"
         : c.step_told ? "significant"
         : c.step.half ? "within the noise"
                       : "single run";
}

/// "12 pairs: 1.31x faster (geometric mean; 1.10x faster to 1.62x faster); 10 significant".
std::string overview_headline(const std::vector<Comparison>& comparisons) {
  std::vector<double> ratios;
  std::size_t told = 0;
  for (const Comparison& c : comparisons) {
    if (c.comparable) {
      ratios.push_back(c.ratio);
      told += c.step_told ? 1 : 0;
    }
  }
  std::string text = counted(comparisons.size(), "pair");
  if (ratios.empty()) return text;
  const auto [least, most] = std::ranges::minmax_element(ratios);
  if (*least == 1 && *most == 1) return text + ": no difference";
  double logs = 0;
  for (const double ratio : ratios) logs += std::log(ratio);
  return filled("{}: {} (geometric mean; {} to {}); {} significant",
                {text, times_text(std::exp(logs / real(std::ssize(ratios))), 2), times_text(*least, 2),
                 times_text(*most, 2), std::to_string(told)});
}

/// The largest change in the direction of the step's.
std::string most_of_it(const Comparison& c) {
  const auto along = [&](const Finding& f) {
    return (f.amount.difference < 0) == (c.accounts.step.difference < 0) && is_shown(c, f);
  };
  const auto largest = std::ranges::find_if(c.findings, along);
  return largest == c.findings.end() ? std::string() : finding_text(*largest);
}

std::string step_change_text(const Comparison& c) {
  if (!c.comparable) return "-";
  return c.ratio == 1 ? "no difference" : times_text(c.ratio, std::max(c.ratio, 1 / c.ratio) < 1.1 ? 3 : 2);
}

void add_overview(const std::vector<Comparison>& comparisons, const std::vector<std::string>& unpaired,
                  page::Sections& to) {
  constexpr std::size_t kNamed = 3;
  to.page("", overview_headline(comparisons));
  to.section("Pairs of equal labels", kPairs);
  to.section("Next");
  std::vector<std::string> named = unpaired;
  if (named.size() > kNamed) {
    named.resize(kNamed);
    named.push_back(std::to_string(unpaired.size() - kNamed) + " more");
  }
  if (!named.empty()) to.add_sentence("Without a partner: " + listed(named) + "; each is left out");
  to.add_sentence("-v shows each pair; -o OUT writes all");
}

/// All numbers of each comparison, for programs.
Table pair_table(const std::vector<Comparison>& all) {
  const auto bound = [](double sign) {
    return
        [sign](const Comparison& c) { return c.step.half ? std::exp(c.step.difference + sign * *c.step.half) : kNan; };
  };
  const auto text = [](auto&& of) { return [of](const Comparison& c) -> std::string { return of(c); }; };
  Table table("pairs", "Sides that are compared");
  table.column("report", "", all, &Comparison::name)
      .column("labels", "", all, &Comparison::cell)
      .column("before", "", all, text([](const Comparison& c) { return c.before.name; }))
      .column("after", "", all, text([](const Comparison& c) { return c.after.name; }))
      .column("rank", "", all, text([](const Comparison& c) { return c.pace.rank; }))
      .column("answer", "", all, text(&answer))
      .column("change", "", all, text(&step_change_text))
      .column("status", "", all, text(&status_of))
      .column("most", "", all, text(&most_of_it))
      .column("runs_before", "1", all, [](const Comparison& c) { return std::ssize(c.before.runs); })
      .column("runs_after", "1", all, [](const Comparison& c) { return std::ssize(c.after.runs); })
      .column("steps_before", "1", all, [](const Comparison& c) { return c.before.steps; })
      .column("steps_after", "1", all, [](const Comparison& c) { return c.after.steps; })
      .column("step_before_ns", "ns", all, [](const Comparison& c) { return c.accounts.step.before; })
      .column("step_after_ns", "ns", all, [](const Comparison& c) { return c.accounts.step.after; })
      .column("difference_ns", "ns", all, [](const Comparison& c) { return c.accounts.step.difference; })
      .column("rounding_ns", "ns", all, [](const Comparison& c) { return c.accounts.rounding; })
      .column("median_before_ns", "ns", all, &Comparison::median_before)
      .column("median_after_ns", "ns", all, &Comparison::median_after)
      .column("ratio", "1", all, &Comparison::ratio)
      .column("ratio_low", "1", all, bound(-1))
      .column("ratio_high", "1", all, bound(1))
      .column("level", "ratio", all, [](const Comparison& c) { return 1 - c.step_error; })
      .column("welch_p", "1", all, [](const Comparison& c) { return c.run_tests.welch; })
      .column("mann_whitney_p", "1", all, [](const Comparison& c) { return c.run_tests.mann_whitney; })
      .column("matched", "ratio", all, [](const Comparison& c) { return c.alignment.aligned(); })
      .column("tested", "1", all, &Comparison::tested)
      .column("within_noise", "1", all, &Comparison::noise_count)
      .column("within_noise_ns", "ns", all, &Comparison::noise);
  return table;
}

/// All items of both sides; the differences of a pair and its rounding add up to that of its step.
Table item_table(const std::vector<Comparison>& all) {
  struct Line {
    const Comparison* pair;
    const AlignedItem* row;
    StepAmount amount;
  };
  std::vector<Line> lines;
  for (const Comparison& c : all) {
    for (std::size_t r = 0; r < c.alignment.rows.size(); ++r)
      lines.push_back({&c, &c.alignment.rows[r], c.accounts.rows[r]});
  }
  const auto key = [](auto&& of) {
    return [of](const Line& l) -> std::string { return of(item_of(*l.pair, *l.row)); };
  };
  Table table("items", "What a step is made of on both sides");
  table.column("report", "", lines, [](const Line& l) { return l.pair->name; })
      .column("kind", "", lines, key([](const Item& i) { return std::string(step_items::kind_name(i.key.kind)); }))
      .column("path", "", lines, key([](const Item& i) { return i.key.path; }))
      .column("operator", "", lines, key([](const Item& i) { return i.key.op; }))
      .column("name", "", lines, key([](const Item& i) { return i.key.name; }))
      .column("shape", "", lines, key([](const Item& i) { return i.key.shape; }))
      .column("class", "", lines, key([](const Item& i) { return i.traits.kernel_class; }))
      .column("match", "", lines, [](const Line& l) { return std::string(match_name(l.row->match)); })
      .column("before_ns", "ns", lines, [](const Line& l) { return l.amount.before; })
      .column("after_ns", "ns", lines, [](const Line& l) { return l.amount.after; })
      .column("difference_ns", "ns", lines, [](const Line& l) { return l.amount.difference; });
  return table;
}

/// From the step before to the step after, with the largest changes stacked. `number`: of the comparison, from 0.
Plot waterfall(const Comparison& c, std::size_t number) {
  constexpr std::size_t kBars = 12;
  std::vector<std::string> names, kinds;
  std::vector<double> ends, lows, highs;
  auto at = static_cast<double>(c.accounts.step.before);
  const auto add = [&](const std::string& name, double change, const std::string& kind) {
    const double to = at + change;
    names.push_back(name);
    kinds.push_back(kind);
    ends.push_back(to);
    lows.push_back(std::min(at, to));
    highs.push_back(std::max(at, to));
    at = to;
  };
  add("before", 0, "step");
  auto rest = static_cast<double>(c.accounts.step.difference);
  std::vector<const Finding*> largest;
  for (const Finding& f : c.findings) largest.push_back(&f);
  std::ranges::stable_sort(largest, std::ranges::greater(),
                           [](const Finding* f) { return std::abs(f->amount.difference); });
  for (std::size_t i = 0; i < std::min(kBars, largest.size()); ++i) {
    const auto change = static_cast<double>(largest[i]->amount.difference);
    add(std::to_string(i + 1) + " " + finding_text(*largest[i]), change, change > 0 ? "longer" : "shorter");
    rest -= change;
  }
  add("all others", rest, rest > 0 ? "longer" : "shorter");
  add("after", 0, "step");
  Plot plot;
  plot.id = number == 0 ? "waterfall" : "waterfall_" + std::to_string(number + 1);
  plot.title = "From before to after: " + c.name;
  plot.caption = "Each line starts at the step time before a change and ends at the step time after it.";
  plot.x = {"mean step", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.y = {"", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "change";
  Table data(plot.id, plot.title);
  data.add("change", "", names);
  data.add("kind", "", kinds);
  data.add("step", "ns", ends);
  data.add("from", "ns", lows);
  data.add("to", "ns", highs);
  plot.layers.push_back({PlotMark::kPoint, std::move(data), {"step", "change", "from", "to", "kind"}});
  return plot;
}

}  // namespace

void emit_tables(const std::vector<Comparison>& comparisons, const std::vector<std::string>& unpaired,
                 StudySink& sink) {
  page::Sections sections;
  if (comparisons.size() > 1) add_overview(comparisons, unpaired, sections);
  for (const Comparison& c : comparisons) add_page(c, sections);
  sections.emit(sink);
  sink.table(phase_table(comparisons));
  sink.table(pair_table(comparisons));
  sink.table(item_table(comparisons));
  for (std::size_t c = 0; c < comparisons.size(); ++c) sink.plot(waterfall(comparisons[c], c));
}

}  // namespace assay::difference
