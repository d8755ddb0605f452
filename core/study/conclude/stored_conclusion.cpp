#include "conclude/stored_conclusion.hpp"

#include <algorithm>

#include "analyze/visit_results.hpp"

namespace assay {

constexpr EffectKind last_of(EffectKind) { return EffectKind::kShare; }
constexpr Scope last_of(Scope) { return Scope::kWithinRun; }
constexpr FindingRole last_of(FindingRole) { return FindingRole::kNote; }
constexpr Verdict last_of(Verdict) { return Verdict::kUntestable; }
constexpr NeedUnit last_of(NeedUnit) { return NeedUnit::kChanged; }
constexpr NeedScale last_of(NeedScale) { return NeedScale::kMetric; }
constexpr PlotScale last_of(PlotScale) { return PlotScale::kLog; }
constexpr PlotOrder last_of(PlotOrder) { return PlotOrder::kDescending; }
constexpr PlotMark last_of(PlotMark) { return PlotMark::kBar; }

bool holds(const OwnedLayer& layer) {
  const auto& [x, y, lo, hi, series, facet, size] = layer.channels;
  const std::size_t columns = layer.data.columns.size();
  const auto there = [&](std::size_t column) { return column < columns; };
  const auto optional = [&](std::size_t column) { return column == kNoColumn || there(column); };
  return there(x) && there(y) && optional(lo) && optional(hi) && optional(series) && optional(facet) && optional(size);
}

bool holds(const OwnedPlot& plot) { return !plot.layers.empty(); }

namespace {

/// Whether `by` declares the facts, and all row numbers exist in the study.
bool fits(const StudyOutput& output, const Descriptor& by, const Study& study) {
  const auto of_study = [&](const std::pair<Row, Fact>& given) {
    const auto& [report, fact] = given;
    const bool there = report == kNone || (report >= 0 && static_cast<std::uint64_t>(report) < study.reports->rows);
    return there &&
           std::ranges::any_of(by.produces, [&](const MetricSpec& metric) { return metric.id == fact.metric; });
  };
  return std::ranges::all_of(output.facts, of_study) &&
         std::ranges::all_of(output.verdicts, [&](const auto& verdict) { return verdict.first < study.claims->rows; });
}

}  // namespace

std::string to_bytes(const StudyOutput& output) { return cache::written(output); }

std::optional<StudyOutput> conclusion_from_bytes(std::string_view bytes, const Descriptor& by, const Study& study) {
  std::optional<StudyOutput> output = cache::read_back<StudyOutput>(bytes);
  if (output && !fits(*output, by, study)) output.reset();
  return output;
}

}  // namespace assay
