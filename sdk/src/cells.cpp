#include "assay/algo/cells.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

std::vector<LabelCondition> conditions_of(std::span<const Str> texts) {
  std::vector<LabelCondition> out;
  for (const Str& text : texts) {
    const std::size_t equals = text.view().find('=');
    LabelCondition& condition = out.emplace_back(LabelCondition{std::string(text.view().substr(0, equals)), {}});
    std::string_view rest = text.view().substr(std::min(text.view().size(), equals + 1));
    while (true) {
      const std::size_t bar = rest.find('|');
      condition.values.emplace_back(rest.substr(0, bar));
      if (bar == std::string_view::npos) break;
      rest.remove_prefix(bar + 1);
    }
  }
  return out;
}

bool meets(const StudyView& view, std::size_t report, const std::vector<LabelCondition>& where) {
  return std::ranges::all_of(where, [&](const LabelCondition& condition) {
    const auto value = view.label_text(report, condition.label);
    return std::ranges::find(condition.values, value) != condition.values.end();
  });
}

std::optional<NamedKey> named_key(const StudyView& view, std::size_t report, std::span<const std::string> names) {
  NamedKey key;
  for (const std::string& name : names) {
    const auto label = view.label(name);
    const auto row = label ? view.label_value(report, *label) : std::nullopt;
    if (!row) return std::nullopt;
    key.order.push_back(view.study().label_values->order[*row]);
    key.labels.emplace_back(name, view.study().label_values->text[*row].view());
  }
  return key;
}

namespace {

// The labels in which the groups differ, without those already in `named`.
std::vector<std::string> telling(const std::vector<RunGroup>& groups, std::span<const std::string> named) {
  std::vector<std::string> out;
  for (const RunGroup& group : groups) {
    for (const auto& label : group.labels) {
      const bool everywhere = std::ranges::all_of(
          groups, [&](const RunGroup& other) { return std::ranges::find(other.labels, label) != other.labels.end(); });
      const auto known = [&](const auto& names) { return std::ranges::find(names, label.first) != names.end(); };
      if (!everywhere && !known(named) && !known(out)) out.push_back(label.first);
    }
  }
  return out;
}

LabelTexts only(const LabelTexts& labels, std::span<const std::string> names) {
  LabelTexts out;
  for (const std::string& name : names) {
    for (const auto& label : labels) {
      if (label.first == name) out.push_back(label);
    }
  }
  return out;
}

}  // namespace

Cells cells_of(const StudyView& view, const std::vector<LabelCondition>& where) {
  const bool declared = declares_labels(view);
  RunGrouping alike = alike_groups(view, {{}, {}, [&](std::size_t r) { return meets(view, r, where); }});
  Cells out;
  out.left_out = std::move(alike.left_out);
  for (const RunGroup& group : alike.groups) {
    if (!declared) {  // each run is a cell of its own
      for (const RunReports& run : as_runs(view, group.runs.reports()))
        out.cells.push_back(
            {group.labels, group.runs.where([&](std::size_t r) { return view.job(r) == view.job(run[0]); })});
      continue;
    }
    for (const std::size_t r : group.runs) {
      if (!view.named(r)) out.left_out.push_back({r, "its name gives it no label, so its repeat runs are unknown"});
    }
    Runs named = group.runs.where([&](std::size_t r) { return view.named(r); });
    if (!named.empty()) out.cells.push_back({group.labels, std::move(named)});
  }
  std::ranges::stable_sort(out.left_out,
                           [](const UnmatchedReport& a, const UnmatchedReport& b) { return a.report < b.report; });
  return out;
}

Cells cells_of(const StudyView& view, const std::vector<LabelCondition>& where, std::span<const std::string> per,
               std::span<const std::string> varies) {
  RunGrouping alike = alike_groups(view, {{varies.begin(), varies.end()}, {per.begin(), per.end()}, [&](std::size_t r) {
                                            return meets(view, r, where);
                                          }});
  std::vector<std::string> names(per.begin(), per.end());
  for (std::string& name : telling(alike.groups, per)) names.push_back(std::move(name));
  Cells out;
  out.left_out = std::move(alike.left_out);
  for (std::size_t g = 0; g < alike.groups.size(); ++g) {
    const LabelTexts stratum = only(alike.groups[g].labels, per);
    const std::string apart =
        kept_apart(view, alike.groups, g, [&](const RunGroup& other) { return only(other.labels, per) == stratum; });
    out.cells.push_back({only(alike.groups[g].labels, names), alike.groups[g].runs, apart});
  }
  return out;
}

}  // namespace assay
