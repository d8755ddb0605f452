#include "render/plots/claimed_ranges.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "render/claimed_words.hpp"
#include "render/metric_words.hpp"

namespace assay {
namespace {

bool same_words(std::string_view a, std::string_view b) {
  const auto small = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return !a.empty() && a.size() == b.size() && small(a[0]) == small(b[0]) && a.substr(1) == b.substr(1);
}

/// "bandwidth of copies h2d": the metric in words with the dim values of the claim, as in names of pairs.
std::string name_of(const OwnedClaim& claim, const MetricWords& words) {
  std::string name = words.in_text(claim.claimed->metric);
  for (const std::string& value : claim_dims(claim)) name += " " + value.substr(value.find('=') + 1);
  return name;
}

/// Names of the plot's panels; one empty name if it has none.
std::vector<std::string> panels_of(const OwnedPlot& plot) {
  std::vector<std::string> panels;
  for (const OwnedLayer& layer : plot.layers) {
    if (layer.channels.facet == kNoColumn) continue;
    for (const std::string& name : layer.data.columns[layer.channels.facet].texts) {
      if (std::find(panels.begin(), panels.end(), name) == panels.end()) panels.push_back(name);
    }
  }
  return panels;
}

/// Lower-cases the first letter of a title inside a sentence, except in words like GPU.
std::string in_a_sentence(std::string name) {
  const auto upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  if (name.size() > 1 && upper(name[0]) && !upper(name[1]))
    name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return name;
}

}  // namespace

ClaimedRanges claimed_ranges(const QuestionResult& result, const OwnedPlot& plot) {
  ClaimedRanges out;
  const OwnedLayer& layer = plot.layers.front();
  const auto is_text = [&](std::size_t column) { return layer.data.columns[column].type == CellType::kText; };
  const bool on_y = !is_text(layer.channels.y);
  const PlotAxis& axis = on_y ? plot.y : plot.x;
  const std::string& unit = layer.data.columns[on_y ? layer.channels.y : layer.channels.x].unit;
  const bool of_ratios = unit == "ratio" && axis.scale == PlotScale::kLog;
  const MetricWords words(result.metrics);
  const std::vector<std::string> panels = panels_of(plot);
  std::vector<std::pair<std::string, std::string>> by_panel;
  for (const OwnedClaim& claim : result.claims) {
    if (!claim.claimed || claim.claimed->kind == EffectKind::kDifference) continue;
    const bool ratio = claim.claimed->kind == EffectKind::kRatio;
    if (ratio ? !of_ratios : unit != claim.claimed->unit) continue;
    const std::string name = name_of(claim, words);
    const auto panel =
        std::find_if(panels.begin(), panels.end(), [&](const std::string& other) { return same_words(other, name); });
    const bool whole = !ratio && same_words(axis.title, name);
    // On an axis of ratios a panel shows the change of its metric, not its level.
    if (!whole && (panel == panels.end() || ratio != of_ratios)) continue;
    const PlotReference range{claim.claimed->low, claim.claimed->high, "claimed: " + claim.text, on_y,
                              whole ? "" : *panel};
    const bool known = std::any_of(out.ranges.begin(), out.ranges.end(), [&](const PlotReference& r) {
      return r.from == range.from && r.to == range.to && r.facet == range.facet;
    });
    if (known || (std::isinf(range.from) && std::isinf(range.to))) continue;
    out.ranges.push_back(range);
    const std::string where = whole ? "" : in_a_sentence(name);
    const auto said =
        std::find_if(by_panel.begin(), by_panel.end(), [&](const auto& one) { return one.first == where; });
    if (said == by_panel.end())
      by_panel.emplace_back(where, claimed_text(claim));
    else if (said->second.find(claimed_text(claim)) == std::string::npos)
      said->second += ", " + claimed_text(claim);
  }
  for (const auto& [where, text] : by_panel)
    out.said += (out.said.empty() ? "Dotted lines mark the claimed range: " : "; ") +
                (where.empty() ? text : where + " " + text);
  if (!out.said.empty()) out.said += ".";
  return out;
}

}  // namespace assay
