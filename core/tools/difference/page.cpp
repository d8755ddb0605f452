#include "difference/page.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "assay/quantity.hpp"
#include "difference/answer.hpp"
#include "render/format.hpp"
#include "render/markdown_parts.hpp"
#include "render/text.hpp"

namespace assay::compare {
namespace {
using difference::Comparison;
using difference::Finding;
using look::Part;

constexpr std::size_t kLargest = 10;
constexpr std::size_t kBarWidth = 12;
constexpr std::string_view kNotKnown = "not known from these profiles";

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

Part largest_part(const Comparison& c, std::size_t from, std::size_t most) {
  Part part{from == 0 ? "Largest differences of a step" : "Further differences",
            {{""}, {"where"}, {"before", true}, {"after", true}, {"difference", true}, {""}, {"how sure"}, {"why"}},
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
  for (const std::string& what : unknown) part.sentences.push_back("N" + what);
  if (from == 0 && c.noise_count > 0) {
    part.sentences.push_back(counted(c.noise_count, "further difference") +
                             (c.step.half ? " within the noise of repeat runs: together "
                                          : " of less than a thousandth of a step: together ") +
                             difference::signed_time(c.noise));
  }
  if (part.rows.empty() && part.sentences.empty()) part.sentences.emplace_back("none");
  return part;
}

Part account_part(const Comparison& c) {
  Part part{"The difference as a sum", {{""}, {"a step", true}}, {}, {}, true};
  for (std::size_t i = 0; i < difference::kAccounts; ++i) {
    if (c.accounts.lines[i] == 0) continue;
    part.rows.push_back({std::string(difference::account_name(static_cast<difference::Account>(i))),
                         difference::signed_time(c.accounts.lines[i])});
  }
  part.rows.push_back({"rounding", difference::signed_time(c.accounts.rounding)});
  part.rows.push_back({"the step", difference::signed_time(c.accounts.step.difference)});
  return part;
}

using GroupOf = std::function<std::string(const difference::Item&)>;

/// Sums of rows by what they have in common; nothing where there is only one group.
std::optional<Part> group_part(const Comparison& c, const std::string& title, const GroupOf& group_of,
                               std::size_t most) {
  std::map<std::string, difference::Amount> groups;
  for (std::size_t r = 0; r < c.alignment.rows.size(); ++r) {
    const difference::AlignedItem& row = c.alignment.rows[r];
    const difference::Item& item =
        row.before != difference::kNoItem ? c.before.items[row.before] : c.after.items[row.after];
    const std::string group = group_of(item);
    if (group.empty()) continue;
    difference::Amount& sum = groups[group];
    const difference::Amount& own = c.accounts.rows[r];
    sum.before += own.before, sum.after += own.after, sum.difference += own.difference;
  }
  if (groups.size() < 2) return std::nullopt;
  std::vector<std::pair<std::string, difference::Amount>> sorted(groups.begin(), groups.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second.difference) > std::abs(b.second.difference);
  });
  Part part{title, {{""}, {"before", true}, {"after", true}, {"difference", true}}, {}, {}, true};
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) {
    const auto& [name, sum] = sorted[i];
    part.rows.push_back({shortened(one_line(name), 40), time_of(sum.before), time_of(sum.after),
                         difference::signed_time(sum.difference)});
  }
  if (sorted.size() > most) part.sentences.push_back("and " + std::to_string(sorted.size() - most) + " more");
  return part;
}

std::optional<Part> wait_part(const Comparison& c) {
  Part part{"Calls that wait for the device, per step",
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

Part condition_part(const Comparison& c) {
  Part part{"What the sides have in common", {{""}, {""}, {"before"}, {"after"}}, {}, {}, true};
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
  const bool kernel = item.key.kind == difference::Kind::kKernel;
  return kernel ? item.traits.kernel_class : std::string(difference::kind_name(item.key.kind));
}

}  // namespace

look::Page page_of(const Comparison& c, bool whole) {
  look::Page page;
  page.title = c.before.name + " against " + c.after.name;
  page.headline = difference::answer(c);
  const std::size_t most = whole ? 1000 : 8;
  const std::vector<std::string> first = difference::cautions(c), last = difference::lacks(c);
  if (!first.empty()) page.parts.push_back({"Before you read on", {}, {}, first});
  page.parts.push_back(largest_part(c, 0, kLargest));
  if (whole) {
    Part further = largest_part(c, kLargest, most);
    if (!further.rows.empty()) page.parts.push_back(std::move(further));
  }
  const auto add = [&](std::optional<Part> part) {
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
      [](const difference::Item& i) { return i.key.kind == difference::Kind::kIdle ? std::string() : i.key.op; },
      most));
  if (whole) {
    add(group_part(c, "By path", [](const difference::Item& i) { return i.key.path; }, most));
    add(group_part(
        c, "By kernel",
        [](const difference::Item& i) { return i.key.kind == difference::Kind::kKernel ? i.key.name : std::string(); },
        most));
  }
  add(wait_part(c));
  if (whole || !c.unlike.empty()) add(condition_part(c));
  if (!last.empty()) page.parts.push_back({"What is missing", {}, {}, last});
  return page;
}

std::string summary_md(const Comparison& c, bool named, const std::string& gate) {
  const look::Page page = page_of(c, false);
  std::string out = named ? "## " + markdown(page.title) + "\n\n" : "";
  out += "**" + markdown(page.headline) + "**\n\n";
  if (!gate.empty()) out += markdown(gate) + "\n\n";
  for (const Part& part : page.parts) {
    const bool folded = &part != &page.parts.front() && !part.main && !part.rows.empty();
    if (folded) out += "<details><summary>" + markdown(part.title) + "</summary>\n\n";
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
