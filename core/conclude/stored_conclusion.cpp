#include "conclude/stored_conclusion.hpp"

#include <algorithm>

#include "analyze/visit_results.hpp"

namespace assay {

template <class To>
void visit(To& to, EitherWay<OwnedEffect> auto& effect) {
  auto& [kind, scope, metric, unit, value, lo, hi, level, n, method] = effect;
  to.one_of(kind, EffectKind::kShare);
  to.one_of(scope, Scope::kWithinRun);
  visit(to, metric);
  visit(to, unit);
  to.real(value);
  to.real(lo);
  to.real(hi);
  to.real(level);
  to.integer(n);
  visit(to, method);
}

template <class To>
void visit(To& to, EitherWay<EvidenceRow> auto& row) {
  auto& [report, metric, dims, value] = row;
  visit(to, report);
  visit(to, metric);
  visit(to, dims);
  to.real(value);
}

template <class To>
void visit(To& to, EitherWay<OwnedFinding> auto& finding) {
  auto& [analyzer, role, title, text, effect, labels, evidence] = finding;
  visit(to, analyzer);
  to.one_of(role, FindingRole::kNote);
  visit(to, title);
  visit(to, text);
  visit(to, effect);
  visit(to, labels);
  visit(to, evidence);
}

template <class To>
void visit(To& to, EitherWay<OwnedStratum> auto& stratum) {
  auto& [labels, verdict, reason, effect, evidence] = stratum;
  visit(to, labels);
  to.one_of(verdict, Verdict::kUntestable);
  visit(to, reason);
  visit(to, effect);
  visit(to, evidence);
}

template <class To>
void visit(To& to, EitherWay<GivenVerdict> auto& given) {
  auto& [verdict, reason, strata] = given;
  to.one_of(verdict, Verdict::kUntestable);
  visit(to, reason);
  visit(to, strata);
}

template <class To>
void visit(To& to, EitherWay<PlotAxis> auto& axis) {
  auto& [title, scale, order, flags] = axis;
  std::uint64_t bits = flags;
  visit(to, title);
  to.one_of(scale, PlotScale::kLog);
  to.one_of(order, PlotOrder::kDescending);
  to.number(bits);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(axis)>>) flags = static_cast<std::uint32_t>(bits);
}

template <class To>
void visit(To& to, EitherWay<LayerChannels> auto& channels) {
  auto& [x, y, lo, hi, series, facet] = channels;
  to.number(x);
  to.number(y);
  to.number(lo);
  to.number(hi);
  to.number(series);
  to.number(facet);
}

template <class To>
void visit(To& to, EitherWay<OwnedLayer> auto& layer) {
  auto& [mark, data, channels] = layer;
  to.one_of(mark, PlotMark::kBar);
  visit(to, data);
  visit(to, channels);
  const auto& [x, y, lo, hi, series, facet] = channels;
  const auto there = [&](std::size_t column) { return column < data.columns.size(); };
  const auto optional = [&](std::size_t column) { return column == kNoColumn || there(column); };
  to.require(there(x) && there(y) && optional(lo) && optional(hi) && optional(series) && optional(facet));
}

template <class To>
void visit(To& to, EitherWay<PlotReference> auto& reference) {
  auto& [from, until, label, on_y, facet] = reference;
  to.real(from);
  to.real(until);
  visit(to, label);
  to.flag(on_y);
  visit(to, facet);
}

template <class To>
void visit(To& to, EitherWay<OwnedPlot> auto& plot) {
  auto& [analyzer, id, title, caption, x, y, series_title, alike, layers, references, evidence] = plot;
  visit(to, analyzer);
  visit(to, id);
  visit(to, title);
  visit(to, caption);
  visit(to, x);
  visit(to, y);
  visit(to, series_title);
  visit(to, alike);
  visit(to, layers);
  visit(to, references);
  visit(to, evidence);
  to.require(!layers.empty());
}

template <class To>
void visit(To& to, EitherWay<OwnedTextFile> auto& file) {
  auto& [analyzer, report, suffix, content] = file;
  visit(to, analyzer);
  visit(to, report);
  visit(to, suffix);
  visit(to, content);
}

template <class To>
void visit(To& to, EitherWay<StudyOutput> auto& output) {
  auto& [facts, findings, tables, plots, text_files, verdicts, skips, notes] = output;
  visit(to, facts);
  visit(to, findings);
  visit(to, tables);
  visit(to, plots);
  visit(to, text_files);
  visit(to, verdicts);
  visit(to, skips);
  visit(to, notes);
}

namespace {

/// Whether `by` declares the facts, and all rows are of what there is in the study.
bool fits(const StudyOutput& output, const Descriptor& by, const Study& study) {
  const auto of_study = [&](const std::pair<Row, Fact>& given) {
    const auto& [report, fact] = given;
    const bool there = report == kNone || (report >= 0 && static_cast<std::uint64_t>(report) < study.reports->rows);
    return there && std::any_of(by.produces.begin(), by.produces.end(),
                                [&](const MetricSpec& metric) { return metric.id == fact.metric; });
  };
  return std::all_of(output.facts.begin(), output.facts.end(), of_study) &&
         std::all_of(output.verdicts.begin(), output.verdicts.end(),
                     [&](const auto& verdict) { return verdict.first < study.claims->rows; });
}

}  // namespace

std::string to_bytes(const StudyOutput& output) { return cache::written(output); }

std::optional<StudyOutput> conclusion_from_bytes(std::string_view bytes, const Descriptor& by, const Study& study) {
  std::optional<StudyOutput> output = cache::read_back<StudyOutput>(bytes);
  if (output && !fits(*output, by, study)) output.reset();
  return output;
}

}  // namespace assay
