#include "difference/page.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "difference/answer.hpp"
#include "render/format.hpp"
#include "render/markdown_parts.hpp"
#include "render/text.hpp"
#include "some_of.hpp"

namespace assay::compare {
namespace {
using difference::Comparison;
using difference::Finding;
using look::PageSection;

constexpr std::size_t kLargest = 10;
constexpr std::size_t kBarWidth = 12;
constexpr std::string_view kNotKnown = "not known";

/// "1.30x slower": how a time changed by its ratio, after over before.
std::string change_text(double ratio, int digits) {
  return fixed(std::max(ratio, 1 / ratio), digits) + (ratio > 1 ? "x slower" : "x faster");
}

std::string time_of(std::int64_t ns) { return quantity(static_cast<double>(ns), "ns"); }

std::string bar(std::int64_t part, std::int64_t largest) {
  if (largest == 0) return {};
  const double share = std::abs(static_cast<double>(part)) / static_cast<double>(largest);
  const auto cells = static_cast<std::size_t>(std::lround(share * kBarWidth));
  std::string out;
  for (std::size_t i = 0; i < std::max<std::size_t>(part != 0 ? 1 : 0, cells); ++i) out += part > 0 ? "▲" : "▼";
  return out;
}

bool is_shown(const Comparison& c, const Finding& finding) { return finding.told || !c.step.half; }

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "; ") + text;
  return out;
}

PageSection largest_part(const Comparison& c, std::size_t from, std::size_t most) {
  PageSection part{
      from == 0 ? "Largest differences of a step" : "Further differences",
      {{""}, {"where"}, {"before", true}, {"after", true}, {"difference", true}, {""}, {"status"}, {"why"}},
      {}};
  part.main = from == 0;
  std::int64_t largest = 0;
  for (const Finding& f : c.findings) {
    if (is_shown(c, f)) largest = std::max(largest, std::abs(f.amount.difference));
  }
  std::set<std::string> unknown;
  std::size_t at = 0;
  for (const Finding& f : c.findings) {
    if (!is_shown(c, f)) continue;
    const bool here = at >= from && at < from + most;
    ++at;
    if (!here) continue;
    const bool known = f.why.empty() || !f.why.front().starts_with(kNotKnown);
    if (!known) unknown.insert(f.why.front().substr(1));
    part.rows.push_back({shortened(one_line(f.title), 56), shortened(one_line(difference::short_place(f.place)), 36),
                         time_of(f.amount.before), time_of(f.amount.after),
                         difference::signed_time(f.amount.difference), bar(f.amount.difference, largest), f.certainty,
                         known ? joined(f.why) : "not known"});
  }
  if (std::ranges::all_of(part.rows, [](const auto& row) { return row.back() == "not known"; })) {
    part.columns.pop_back();
    for (std::vector<std::string>& row : part.rows) row.pop_back();
  }
  for (const std::string& what : unknown) part.sentences.push_back("N" + what);
  if (from == 0 && c.noise_count > 0) {
    part.sentences.push_back(std::to_string(c.noise_count) +
                             (c.step.half ? " more within the noise of repeat runs, net " : " smaller ones, net ") +
                             difference::signed_time(c.noise));
  }
  if (part.rows.empty() && part.sentences.empty()) part.sentences.emplace_back("none");
  const difference::RunMeasure &before = c.before.runs.front(), &after = c.after.runs.front();
  // What is called a step needs no word.
  if (from == 0 && before.step_word != "step" && !before.step_name.empty() && before.step_name == after.step_name)
    part.sentences.push_back("A step is a range " + before.step_name + "; --steps names others");
  return part;
}

PageSection account_part(const Comparison& c) {
  PageSection part{"Where the time went", {{""}, {"a step", true}}, {}, {}, true};
  for (std::size_t i = 0; i < difference::kAccounts; ++i) {
    if (c.accounts.lines[i] == 0) continue;
    part.rows.push_back({std::string(difference::account_name(static_cast<difference::DifferenceTerm>(i))),
                         difference::signed_time(c.accounts.lines[i])});
  }
  part.rows.push_back({"rounding", difference::signed_time(c.accounts.rounding)});
  part.rows.push_back({"the step", difference::signed_time(c.accounts.step.difference)});
  return part;
}

/// Ranges in the steps: medians of the runs' medians, on the host, and what the device does for one.
std::optional<PageSection> phase_part(const Comparison& c, std::size_t most) {
  std::vector<const difference::PhaseChange*> shown;
  for (const difference::PhaseChange& phase : c.phases) shown.push_back(&phase);
  const auto share = [](const difference::PhaseChange* p) { return std::max(p->before.share, p->after.share); };
  std::vector<const difference::PhaseChange*> largest = shown;
  std::ranges::stable_sort(largest, std::greater<>(), share);
  const std::size_t left_out = largest.size() - std::min(most, largest.size());
  largest.resize(largest.size() - left_out);
  std::erase_if(shown, [&](const auto* p) { return std::ranges::find(largest, p) == largest.end(); });
  if (shown.size() < 2) return std::nullopt;
  PageSection part{
      "Phases, median on the host",
      {{""}, {"count before", true}, {"after", true}, {"median before", true}, {"after", true}, {"", true}},
      {},
      {},
      true};
  const bool plain = std::ranges::any_of(shown, [](const auto* p) { return p->plain_ratio().has_value(); });
  const bool gpu = std::ranges::any_of(shown, [](const auto* p) { return p->before.gpu + p->after.gpu > 0; });
  if (plain) part.columns.insert(part.columns.end(), {{"no profiler before", true}, {"after", true}, {"", true}});
  if (gpu) part.columns.insert(part.columns.end(), {{"GPU before", true}, {"after", true}});
  const auto time = [](double ns) { return ns > 0 ? quantity(ns, "ns") : std::string("-"); };
  const auto change = [](std::optional<double> ratio) { return ratio ? change_text(*ratio, 2) : std::string(); };
  for (const difference::PhaseChange* p : shown) {
    const auto depth = static_cast<std::size_t>(std::ranges::count(p->path, '/'));
    const std::string name = std::string(2 * depth, ' ') + p->path.substr(p->path.rfind('/') + 1);
    std::string ratio = change(p->both() ? std::optional(p->ratio()) : std::nullopt);
    if (p->both() && !p->changed()) ratio = p->judged.half ? ratio + ", not significant" : "no clear change";
    std::vector<std::string> row{shortened(one_line(name), 40),  std::to_string(p->before.count),
                                 std::to_string(p->after.count), time(p->before.median),
                                 time(p->after.median),          ratio};
    if (plain) {
      row.push_back(time(p->before.plain.value_or(0))), row.push_back(time(p->after.plain.value_or(0)));
      row.push_back(p->plain_ratio() && !p->plain_changed() ? "no clear change" : change(p->plain_ratio()));
    }
    if (gpu) row.push_back(time(p->before.gpu)), row.push_back(time(p->after.gpu));
    part.rows.push_back(std::move(row));
  }
  if (left_out > 0) part.sentences.push_back("and " + std::to_string(left_out) + " smaller");
  return part;
}

using GroupOf = std::function<std::string(const difference::Item&)>;

/// Sums of rows by what they have in common; nothing where there is only one group.
std::optional<PageSection> group_part(const Comparison& c, const std::string& title, const GroupOf& group_of,
                                      std::size_t most) {
  std::map<std::string, difference::StepAmount> groups;
  for (std::size_t r = 0; r < c.alignment.rows.size(); ++r) {
    const difference::AlignedItem& row = c.alignment.rows[r];
    const difference::Item& item =
        row.before != difference::kNoItem ? c.before.items[row.before] : c.after.items[row.after];
    const std::string group = group_of(item);
    if (group.empty()) continue;
    difference::StepAmount& sum = groups[group];
    const difference::StepAmount& own = c.accounts.rows[r];
    sum.before += own.before, sum.after += own.after, sum.difference += own.difference;
  }
  if (groups.size() < 2) return std::nullopt;
  std::vector<std::pair<std::string, difference::StepAmount>> sorted(groups.begin(), groups.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second.difference) > std::abs(b.second.difference);
  });
  PageSection part{title, {{""}, {"before", true}, {"after", true}, {"difference", true}}, {}, {}, true};
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) {
    const auto& [name, sum] = sorted[i];
    part.rows.push_back({shortened(one_line(name), 40), time_of(sum.before), time_of(sum.after),
                         difference::signed_time(sum.difference)});
  }
  if (sorted.size() > most) part.sentences.push_back("and " + std::to_string(sorted.size() - most) + " more");
  return part;
}

std::optional<PageSection> wait_part(const Comparison& c) {
  PageSection part{"Blocking calls per step",
                   {{""}, {"before", true}, {"after", true}, {"time in them before", true}, {"after", true}},
                   {}};
  for (const difference::WaitChange& w : c.waits) {
    const std::string note = w.after == 0 ? " (gone)" : w.before == 0 ? " (new)" : "";
    part.rows.push_back({w.name + (w.place.empty() ? "" : " in " + w.place) + note, fixed(w.before, 1),
                         fixed(w.after, 1), quantity(w.host_before, "ns"), quantity(w.host_after, "ns")});
  }
  if (part.rows.empty()) return std::nullopt;
  return part;
}

PageSection condition_part(const Comparison& c) {
  PageSection part{"What the sides have in common", {{""}, {""}, {"before"}, {"after"}}, {}, {}, true};
  for (const difference::Condition& condition : c.conditions)
    part.rows.push_back({condition.what, condition.said, condition.before, condition.after});
  return part;
}

/// The outer parts of a path.
std::string outer_parts(const std::string& path, std::size_t parts) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < parts && end != std::string::npos; ++i) end = path.find('/', end + (i > 0 ? 1 : 0));
  return path.empty() ? std::string("(no range)") : path.substr(0, end);
}

/// How many parts of paths tell places apart: as few as make four places.
std::size_t telling_parts(const Comparison& c) {
  constexpr std::size_t kEnough = 4, kDeepest = 6;
  for (std::size_t parts = 1; parts < kDeepest; ++parts) {
    std::set<std::string> places;
    for (const difference::Side* side : {&c.before, &c.after}) {
      for (const difference::Item& item : side->items) places.insert(outer_parts(item.key.path, parts));
    }
    if (places.size() >= kEnough) return parts;
  }
  return kDeepest;
}

std::string class_or_kind(const difference::Item& item) {
  const bool kernel = item.key.kind == difference::ItemKind::kKernel;
  return kernel ? item.traits.kernel_class : std::string(difference::kind_name(item.key.kind));
}

}  // namespace

look::Page page_of(const Comparison& c, bool whole) {
  look::Page page;
  page.title = c.before.name + " against " + c.after.name + (c.cell.empty() ? "" : ", " + c.cell);
  page.headline = difference::answer(c);
  const std::size_t most = whole ? 1000 : 8;
  const std::vector<std::string> first = difference::cautions(c), last = difference::lacks(c);
  if (!first.empty()) page.parts.push_back({"Caveats", {}, {}, first});
  if (auto phases = phase_part(c, whole ? most : 12)) page.parts.push_back(std::move(*phases));
  page.parts.push_back(largest_part(c, 0, kLargest));
  if (whole) {
    PageSection further = largest_part(c, kLargest, most);
    if (!further.rows.empty()) page.parts.push_back(std::move(further));
  }
  const auto add = [&](std::optional<PageSection> part) {
    if (part) page.parts.push_back(std::move(*part));
  };
  add(account_part(c));
  const std::size_t parts = telling_parts(c);
  add(group_part(
      c, "By range and module",
      [&](const difference::Item& i) {
        return parts == 1 ? outer_parts(i.key.path, parts) : difference::short_place(outer_parts(i.key.path, parts));
      },
      most));
  add(group_part(c, "By class", class_or_kind, most));
  add(group_part(
      c, "By operator",
      [](const difference::Item& i) { return i.key.kind == difference::ItemKind::kIdle ? std::string() : i.key.op; },
      most));
  if (whole) {
    add(group_part(c, "By path", [](const difference::Item& i) { return i.key.path; }, most));
    add(group_part(
        c, "By kernel",
        [](const difference::Item& i) {
          return i.key.kind == difference::ItemKind::kKernel ? i.key.name : std::string();
        },
        most));
  }
  add(wait_part(c));
  if (whole || !c.unlike.empty()) add(condition_part(c));
  if (!last.empty()) page.parts.push_back({"To confirm it", {}, {}, last});
  return page;
}

look::Page overview_of(const std::vector<Comparison>& comparisons, const std::vector<std::string>& unpaired) {
  constexpr std::size_t kNamed = 3;
  look::Page page;
  page.title = comparisons.front().before.name + " against " + comparisons.front().after.name;
  PageSection part{"Pairs of equal labels",
                   {{""}, {"runs", true}, {"before", true}, {"after", true}, {"", true}, {"status"}, {"most of it"}},
                   {}};
  part.main = true;
  std::vector<double> ratios;
  std::size_t told = 0;
  for (const Comparison& c : comparisons) {
    const double size = std::max(c.ratio, 1 / c.ratio);
    const Finding* largest = nullptr;
    for (const Finding& finding : c.findings) {
      const bool along = (finding.amount.difference < 0) == (c.accounts.step.difference < 0);
      if (largest == nullptr && along && is_shown(c, finding)) largest = &finding;
    }
    part.rows.push_back({c.cell, std::to_string(c.before.runs.size()) + "+" + std::to_string(c.after.runs.size()),
                         quantity(c.median_before, "ns"), quantity(c.median_after, "ns"),
                         !c.comparable  ? "-"
                         : c.ratio == 1 ? "no difference"
                                        : change_text(c.ratio, size < 1.1 ? 3 : 2),
                         !c.comparable ? "not the same work"
                         : c.step_told ? "significant"
                         : c.step.half ? "within the noise"
                                       : "single run",
                         largest == nullptr ? "" : shortened(one_line(difference::finding_text(*largest)), 40)});
    if (c.comparable) ratios.push_back(c.ratio), told += c.step_told ? 1 : 0;
  }
  page.headline = counted(comparisons.size(), "pair");
  if (!ratios.empty()) {
    const auto [least, most] = std::ranges::minmax_element(ratios);
    double logs = 0;
    for (const double ratio : ratios) logs += std::log(ratio);
    if (*least == 1 && *most == 1)
      page.headline += ": no difference";
    else
      page.headline += ": " + change_text(std::exp(logs / static_cast<double>(ratios.size())), 2) +
                       " (geometric mean; " + change_text(*least, 2) + " to " + change_text(*most, 2) + "); " +
                       std::to_string(told) + " significant";
  }
  page.parts.push_back(std::move(part));
  std::vector<std::string> notes;
  if (!unpaired.empty()) notes.push_back("Without a partner: " + some_of(unpaired, kNamed) + "; each is left out");
  notes.emplace_back("-v shows each pair; -o OUT writes all");
  page.parts.push_back({"Next", {}, {}, notes});
  return page;
}

std::string summary_md(const Comparison& c, bool named, const std::string& gate) {
  const look::Page page = page_of(c, false);
  std::string out = named ? "## " + markdown(page.title) + "\n\n" : "";
  out += "**" + markdown(page.headline) + "**\n\n";
  if (!gate.empty()) out += markdown(gate) + "\n\n";
  for (const PageSection& part : page.parts) {
    const bool folded = &part != &page.parts.front() && !part.main && !part.rows.empty();
    if (folded)
      out += "<details><summary>" + markdown(part.title) + "</summary>\n\n";
    else
      out += "**" + markdown(part.title) + "**\n\n";
    if (!part.rows.empty()) {
      std::vector<MarkdownTable::Column> columns;
      for (const TextTable::Column& column : part.columns) columns.push_back({column.title, column.right});
      MarkdownTable table(columns);
      for (const std::vector<std::string>& row : part.rows) table.row(row);
      out += table.text() + "\n";
    }
    for (const std::string& sentence : part.sentences) out += "- " + markdown(sentence) + "\n";
    out += folded ? "\n</details>\n\n" : "\n";
  }
  return out;
}

}  // namespace assay::compare
