#include "differences.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "algo/page_sections.hpp"
#include "assay/algo/dims.hpp"
#include "assay/algo/summary.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"

namespace assay::memory {
namespace {

/// An item of either side: bytes of each run.
struct Difference {
  std::string by, name;
  std::vector<double> before, after;

  [[nodiscard]] double change() const { return median(after) - median(before); }
  /// The range over the runs of a side, the larger one; smaller differences prove nothing. NaN: one run each.
  [[nodiscard]] double noise() const {
    if (before.size() < 2 && after.size() < 2) return std::nan("");
    const auto range = [](const std::vector<double>& of) { return std::ranges::max(of) - std::ranges::min(of); };
    return std::max(range(before), range(after));
  }
};

using Name = std::pair<std::string, std::string>;  // by, name
using Values = std::map<Name, double>;

Values values_of(const StudyView& view, const Run& run) {
  Values values;
  const auto row = static_cast<Row>(run.report);
  const auto add_one = [&](const char* metric, const char* name) {
    if (const auto fact = view.fact(row, metric)) values[{"all", name}] = view.study().facts->value[*fact];
  };
  add_one("memory.peak_bytes", "peak");
  add_one("memory.reserved_bytes", "peak of reserved");
  add_one("memory.growth_bytes_per_step", "growth a step");
  const auto add = [&](const char* metric, const char* key) {
    view.each_fact(row, metric, [&](std::size_t fact) {
      values[{key, dim_value(view.study().facts->dims[fact].view(), key).value_or("")}] =
          view.study().facts->value[fact];
    });
  };
  add("memory.phase_peak_bytes", "phase");
  add("memory.class_bytes", "class");
  add("memory.stack_bytes", "stack");
  return values;
}

/// Largest first. What one side lacks counts as 0 bytes there; growth and phases are omitted if a side lacks them.
std::vector<Difference> differences_of(const StudyView& view, const MemorySides& sides) {
  std::map<Name, Difference> all;
  std::vector<Values> before, after;
  for (const Run& run : sides.before.runs) before.push_back(values_of(view, run));
  for (const Run& run : sides.after.runs) after.push_back(values_of(view, run));
  for (const auto* side : {&before, &after}) {
    for (const Values& run : *side) {
      for (const auto& [name, value] : run) all[name] = {name.first, name.second, {}, {}};
    }
  }
  std::vector<Difference> found;
  for (auto& [name, difference] : all) {
    const bool holds = name.first == "class" || name.first == "stack";
    const auto add = [&](const std::vector<Values>& runs, std::vector<double>& to) {
      for (const Values& run : runs) {
        const auto at = run.find(name);
        if (at != run.end() || holds) to.push_back(at == run.end() ? 0 : at->second);
      }
    };
    add(before, difference.before);
    add(after, difference.after);
    if (!difference.before.empty() && !difference.after.empty()) found.push_back(std::move(difference));
  }
  std::ranges::stable_sort(found, std::ranges::greater(), [](const auto& d) { return std::abs(d.change()); });
  return found;
}

Table table_of(const char* id, const std::string& title, const std::vector<Difference>& rows) {
  Table table(id, title);
  table.column("by", "", rows, &Difference::by)
      .column("name", "", rows, &Difference::name)
      .column("before", "bytes", rows, [](const Difference& d) { return median(d.before); })
      .column("after", "bytes", rows, [](const Difference& d) { return median(d.after); })
      .column("difference", "bytes", rows, &Difference::change)
      .column("range of runs", "bytes", rows, &Difference::noise);
  return table;
}

std::vector<Difference> only(const std::vector<Difference>& all, bool (*takes)(const Difference&)) {
  std::vector<Difference> some;
  std::ranges::copy_if(all, std::back_inserter(some), takes);
  return some;
}

std::string signed_bytes(double bytes) { return (bytes > 0 ? "+" : "") + quantity(bytes, "bytes"); }

const Difference* find(const std::vector<Difference>& all, std::string_view by, std::string_view name) {
  const auto at = std::ranges::find_if(all, [&](const auto& d) { return d.by == by && d.name == name; });
  return at == all.end() ? nullptr : &*at;
}

/// "Memory peaks at 2.57 GB after and 2.49 GB before, +79.9 MB (3.2 %)". Each run has a peak.
std::string peak_text(const std::vector<Difference>& all) {
  const Difference& peak = *find(all, "all", "peak");
  const double before = median(peak.before), change = peak.change();
  std::string text = filled("Memory peaks at {} after and {} before",
                            {quantity(median(peak.after), "bytes"), quantity(before, "bytes")});
  if (change != 0) text += ", " + signed_bytes(change) + (before > 0 ? " (" + percent(change / before) + ")" : "");
  if (change != 0 && std::abs(change) <= peak.noise()) text += ", no more than runs of one side differ";
  return text;
}

/// "By class: kept +83.9 MB and activations -35.2 MB. Grows 16.8 MB a step after and 0 B before."
std::string parts_text(const std::vector<Difference>& all) {
  constexpr double kMinShare = 0.005;  // of the peak
  constexpr std::size_t kMax = 3;
  const double before = median(find(all, "all", "peak")->before);
  std::vector<std::string> parts;
  for (const Difference& d : all) {
    if (d.by != "class" || d.change() == 0 || std::abs(d.change()) < kMinShare * before) continue;
    if (parts.size() < kMax) parts.push_back(d.name + " " + signed_bytes(d.change()));
  }
  std::string text = parts.empty() ? "No class differs by more than " + percent(kMinShare) + " of the peak."
                                   : "By class: " + listed(parts) + ".";
  const Difference* growth = find(all, "all", "growth a step");
  if (growth != nullptr && growth->change() != 0) {
    text += filled(" Grows {} a step after and {} before.",
                   {quantity(median(growth->after), "bytes"), quantity(median(growth->before), "bytes")});
  }
  return text;
}

void emit_page(const std::string& headline, const std::string& parts, bool repeated, StudySink& sink) {
  const std::string range = repeated ? "|range of runs" : "";
  const std::string all = "name|before|after|difference" + range, classes = "name=class" + all.substr(4),
                    stacks = "name=stack" + all.substr(4);
  page::Sections sections;
  sections.page("", headline);
  sections.section("Peaks", {.table = "difference_peaks", .columns = all.c_str(), .rows = 12});
  sections.add_sentence(parts);
  sections.section("Memory at the peak, by class",
                   {.table = "difference_classes", .columns = classes.c_str(), .rows = 10});
  sections.section("Memory at the peak, by stack",
                   {.table = "difference_stacks", .columns = stacks.c_str(), .rows = 12});
  sections.emit(sink);
}

}  // namespace

std::optional<MemorySides> sides_of(const StudyView& view, const std::vector<Run>& runs) {
  MemorySides sides{{"before", {}}, {"after", {}}, true};
  for (const Run& run : runs) {
    const std::string_view side = view.label_text(run.report, "side");
    if (side == "before") sides.before.runs.push_back(run);
    if (side == "after") sides.after.runs.push_back(run);
  }
  if (!sides.before.runs.empty() && !sides.after.runs.empty()) return sides;
  if (runs.size() != 2) return std::nullopt;
  const auto name = [&](const Run& run) { return std::string(view.path(run.report)); };
  return MemorySides{{name(runs[0]), {runs[0]}}, {name(runs[1]), {runs[1]}}, false};
}

void emit_differences(const StudyView& view, const MemorySides& sides, StudySink& sink) {
  const std::vector<Difference> all = differences_of(view, sides);
  const std::string title = filled("Memory of {} and of {}", {sides.before.name, sides.after.name});
  sink.table(table_of("difference", title, all));
  if (!sides.stated) return;
  Finding answer;
  answer.role = FindingRole::kAnswer;
  answer.title = peak_text(all);
  answer.text = parts_text(all);
  for (const MemorySide* side : {&sides.before, &sides.after}) {
    for (const Run& run : side->runs) answer.evidence.push_back(run.peak_fact);
  }
  sink.finding(answer);
  const auto is = [](const char* id, const char* of, const std::vector<Difference>& rows) {
    return table_of(id, std::string("Differences ") + of, rows);
  };
  sink.table(is("difference_peaks", "of peaks",
                only(all, [](const Difference& d) { return d.by == "all" || d.by == "phase"; })));
  sink.table(is("difference_classes", "by class", only(all, [](const Difference& d) { return d.by == "class"; })));
  sink.table(is("difference_stacks", "by stack", only(all, [](const Difference& d) { return d.by == "stack"; })));
  const bool repeated = sides.before.runs.size() + sides.after.runs.size() > 2;
  emit_page(answer.title, answer.text, repeated, sink);
}

}  // namespace assay::memory
