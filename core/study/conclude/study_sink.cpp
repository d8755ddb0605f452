#include "conclude/study_sink.hpp"

#include <fmt/core.h>

#include <cmath>

#include "algo/short_name.hpp"

namespace assay {

namespace {

/// Whether a text may be part of a file name: no folder, nothing that a shell or another system would interpret.
bool is_file_suffix(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  return !text.empty() && text.size() <= kLongest && text.find_first_not_of(kAllowed) == std::string_view::npos;
}

}  // namespace

static_assert(sizeof(FindingView) >= kFirstFindingView && sizeof(VerdictView) >= kFirstVerdictView &&
              sizeof(StratumView) >= kFirstStratumView);

RecordingStudySink::RecordingStudySink(const Descriptor& declared, const Study& study)
    : declared_(&declared), study_(study), analyzer_(text_of(declared.id)) {}

bool RecordingStudySink::is_report(Row report) const {
  return report >= 0 && static_cast<std::size_t>(report) < study_.report_count();
}

std::string RecordingStudySink::report_name(Row report) const {
  return report == kNone ? std::string() : text_of(study_.path(static_cast<std::size_t>(report)));
}

Emit RecordingStudySink::emit_fact(Row report, Str metric, Span<Dim> dims, double value,
                                   Span<double> samples) noexcept {
  return contained(refusal_, [&] {
    FactAnswer accepted = accept_fact(*declared_, refusal_, metric, dims, value, samples);
    if (accepted.answer != Emit::kOk) return accepted.answer;
    const std::string name = "the fact " + fact_name(accepted.fact);
    if (report != kNone && !is_report(report)) {
      return refusal_.refuse(Emit::kMalformed, fmt::format("{} refers to report row {}, but the study has {} reports",
                                                           name, report, study_.report_count()));
    }
    const bool seen = !seen_facts_.emplace(report, accepted.fact.metric, accepted.fact.dims).second;
    if (seen || study_.fact(report, accepted.fact.metric, accepted.fact.dims)) {
      return refusal_.refuse(Emit::kDuplicate, name + " was emitted twice for " +
                                                   (report == kNone ? "the study" : "'" + report_name(report) + "'"));
    }
    output_.facts.emplace_back(report, std::move(accepted.fact));
    return Emit::kOk;
  });
}

std::string RecordingStudySink::copy_effect(const Effect& effect, std::optional<OwnedEffect>& to) const {
  const bool no_bounds = std::isnan(effect.lo) && std::isnan(effect.hi);
  if (effect.kind > EffectKind::kShare || effect.scope > Scope::kWithinRun)
    return "has an effect of an unknown kind or scope";
  if (!std::isfinite(effect.value)) return "has an effect whose value is not a finite number";
  if (!no_bounds && !(std::isfinite(effect.lo) && std::isfinite(effect.hi) && effect.lo <= effect.hi)) {
    return "has an effect whose bounds are not two finite numbers in order (both NaN where there is no interval)";
  }
  if (!(effect.level > 0 && effect.level < 1)) return "has an effect whose level is not between 0 and 1";
  if (effect.n < 0) return "has an effect with a negative n";
  const std::string metric = text_of(effect.metric);
  const std::optional<std::size_t> row = study_.metric(metric);
  if (!metric.empty() && !row)
    return "has an effect on the metric '" + metric + "', which no enabled analyzer declares";
  std::string unit = row ? text_of(study_.study().metrics->unit[*row]) : std::string();
  if (effect.kind == EffectKind::kRatio) unit = "1";
  if (effect.kind == EffectKind::kShare) unit = "ratio";
  to = OwnedEffect{effect.kind, effect.scope, metric,       unit,     effect.value,
                   effect.lo,   effect.hi,    effect.level, effect.n, text_of(effect.method)};
  return {};
}

std::string RecordingStudySink::copy_evidence(Span<std::int64_t> rows, std::vector<EvidenceRow>& to) const {
  const FactTable& facts = *study_.study().facts;
  if (!readable(rows)) return "has evidence that cannot be read";
  for (const std::int64_t row : rows) {
    if (row < 0 || static_cast<std::uint64_t>(row) >= facts.rows) {
      return fmt::format("names fact row {} as evidence, of {} rows", row, facts.rows);
    }
    const auto at = static_cast<std::size_t>(row);
    to.push_back({report_name(facts.report[at]), text_of(study_.study().metrics->id[facts.metric[at]]),
                  text_of(facts.dims[at]), facts.value[at]});
  }
  return {};
}

std::string RecordingStudySink::copy_labels(Span<LabelValue> labels, Labels& to) {
  if (!readable(labels)) return "has labels that cannot be read";
  for (const LabelValue& label : labels) {
    std::string key = text_of(label.key);
    const bool repeated = std::any_of(to.begin(), to.end(), [&](const auto& other) { return other.first == key; });
    if (key.empty() || repeated) return "has an empty or repeated label";
    to.emplace_back(std::move(key), text_of(label.value));
  }
  return {};
}

std::string RecordingStudySink::copy_finding(const FindingView& view, OwnedFinding& to) const {
  to.analyzer = analyzer_;
  to.role = view.role;
  to.title = with_short_names(text_of(view.title));
  to.text = with_short_names(text_of(view.text));
  if (to.title.empty() || to.text.empty()) return "has no title or no text";
  if (view.role > FindingRole::kNote) return "has a role that this host does not know";
  std::string problem = view.has_effect != 0 ? copy_effect(view.effect, to.effect) : std::string();
  if (problem.empty()) problem = copy_labels(view.labels, to.labels);
  if (problem.empty()) problem = copy_evidence(view.evidence, to.evidence);
  if (view.agreeing < 0 || view.pairs < view.agreeing) return "has more agreeing pairs than pairs";
  to.pairs = view.pairs;
  to.agreeing = view.agreeing;
  return problem;
}

Emit RecordingStudySink::emit_finding(const FindingView* finding) noexcept {
  return contained(refusal_, [&] {
    const std::optional<FindingView> view = read_view(finding, kFirstFindingView);
    if (!view) return refusal_.refuse(Emit::kMalformed, "a finding is smaller than the first version of FindingView");
    OwnedFinding copy;
    if (const std::string problem = copy_finding(*view, copy); !problem.empty()) {
      return refusal_.refuse(Emit::kMalformed, fmt::format("the finding '{}' {}", copy.title, problem));
    }
    output_.findings.push_back(std::move(copy));
    return Emit::kOk;
  });
}

Emit RecordingStudySink::emit_table(const TableView* table) noexcept {
  return contained(refusal_, [&] { return accept_table(table, *declared_, refusal_, seen_tables_, output_.tables); });
}

Emit RecordingStudySink::emit_plot(const PlotView* plot) noexcept {
  return contained(refusal_, [&] {
    const std::optional<PlotView> view = read_view(plot, kFirstPlotView);
    if (!view) return refusal_.refuse(Emit::kMalformed, "a plot is smaller than the first version of PlotView");
    OwnedPlot copy;
    copy.analyzer = analyzer_;
    std::string problem = copy_plot(*view, copy);
    if (problem.empty()) problem = copy_evidence(view->evidence, copy.evidence);
    if (!problem.empty()) return refusal_.refuse(Emit::kMalformed, fmt::format("the plot '{}' {}", copy.id, problem));
    if (!seen_plots_.insert(copy.id).second) {
      return refusal_.refuse(Emit::kDuplicate, "the plot '" + copy.id + "' was emitted twice");
    }
    output_.plots.push_back(std::move(copy));
    return Emit::kOk;
  });
}

Emit RecordingStudySink::emit_text_file(Row report, Str suffix, Str content) noexcept {
  return contained(refusal_, [&] {
    OwnedTextFile copy{analyzer_, {}, text_of(suffix), text_of(content)};
    if (!is_report(report)) {
      return refusal_.refuse(Emit::kMalformed,
                             fmt::format("the text file '{}' refers to report row {}, but the study has {} reports",
                                         copy.suffix, report, study_.report_count()));
    }
    if (!is_file_suffix(copy.suffix)) {
      return refusal_.refuse(Emit::kMalformed, "the text file '" + copy.suffix +
                                                   "' does not end in 1 to 100 letters, digits, '_', '-' and '.'");
    }
    copy.report = report_name(report);
    if (!seen_text_files_.emplace(report, copy.suffix).second) {
      return refusal_.refuse(Emit::kDuplicate,
                             fmt::format("the text file '{}' was emitted twice for '{}'", copy.suffix, copy.report));
    }
    output_.text_files.push_back(std::move(copy));
    return Emit::kOk;
  });
}

std::string RecordingStudySink::copy_need(const Need& need, std::optional<OwnedNeed>& to) {
  const bool said = need.unit != NeedUnit::kNothing || !need.in_vain.empty();
  if (!said) return {};
  if (need.unit > NeedUnit::kChanged || need.scale > NeedScale::kMetric)
    return "has a stratum with a need unknown to this host";
  const bool counts = need.sides >= 0 && need.seen >= 0 && need.needed >= 0;
  const bool numbers = std::isfinite(need.centre) && need.spread >= 0 && std::isfinite(need.spread) &&
                       std::isfinite(need.degrees) && std::isfinite(need.unseen) && need.low <= need.high;
  if (!counts || !numbers) return "has a stratum whose need is not a number";
  to = OwnedNeed{need.unit, need.scale,  need.centre, need.spread, need.degrees, need.low,
                 need.high, need.unseen, need.sides,  need.seen,   need.needed,  text_of(need.in_vain)};
  return {};
}

std::string RecordingStudySink::copy_stratum(const StratumView& view, OwnedStratum& to) const {
  if (view.verdict > Verdict::kUntestable) return "has a stratum with a verdict that this host does not know";
  to.verdict = view.verdict;
  to.reason = text_of(view.reason);
  std::string problem = view.has_effect != 0 ? copy_effect(view.effect, to.effect) : std::string();
  if (problem.empty()) problem = copy_labels(view.labels, to.labels);
  if (problem.empty()) problem = copy_evidence(view.evidence, to.evidence);
  if (problem.empty()) problem = copy_need(view.need, to.need);
  return problem;
}

std::string RecordingStudySink::copy_verdict(const VerdictView& view, OwnedVerdict& to) const {
  if (view.verdict > Verdict::kUntestable) return "is not one that this host knows";
  if (view.stratum_size < kFirstStratumView) return "has strata smaller than the first version of StratumView";
  if (!readable(view.strata)) return "has strata that cannot be read";
  to.verdict = view.verdict;
  to.reason = text_of(view.reason);
  for (std::uint64_t i = 0; i < view.strata.size; ++i) {
    const StratumView stratum = element(view.strata, view.stratum_size, i);
    if (std::string problem = copy_stratum(stratum, to.strata.emplace_back()); !problem.empty()) return problem;
  }
  return {};
}

Emit RecordingStudySink::emit_verdict(const VerdictView* verdict) noexcept {
  return contained(refusal_, [&] {
    const std::optional<VerdictView> view = read_view(verdict, kFirstVerdictView);
    if (!view) return refusal_.refuse(Emit::kMalformed, "a verdict is smaller than the first version of VerdictView");
    const ClaimTable& claims = *study_.study().claims;
    if ((declared_->stages & kStageJudge) == 0) {
      return refusal_.refuse(Emit::kUndeclared,
                             "a verdict was given by an analyzer without kClaimKeys, which is not a judge");
    }
    if (view->claim < 0 || static_cast<std::uint64_t>(view->claim) >= claims.rows) {
      return refusal_.refuse(
          Emit::kMalformed, fmt::format("a verdict was given on claim row {}, of {} claims", view->claim, claims.rows));
    }
    const auto row = static_cast<std::size_t>(view->claim);
    const std::string name = "the verdict on '" + text_of(claims.id[row]) + "' ";
    OwnedVerdict copy;
    if (const std::string problem = copy_verdict(*view, copy); !problem.empty()) {
      return refusal_.refuse(Emit::kMalformed, name + problem);
    }
    if (!output_.verdicts.emplace(row, std::move(copy)).second) {
      return refusal_.refuse(Emit::kDuplicate, name + "was given twice");
    }
    return Emit::kOk;
  });
}

void RecordingStudySink::emit_skip(Row report, Str reason) noexcept {
  contained(refusal_, [&] {
    if (report != kNone && !is_report(report)) {
      return refusal_.refuse(
          Emit::kMalformed,
          fmt::format("a skip refers to report row {}, but the study has {} reports", report, study_.report_count()));
    }
    output_.skips.push_back({report_name(report), analyzer_, text_of(reason), false});
    return Emit::kOk;
  });
}

void RecordingStudySink::note(Str text) noexcept {
  contained(refusal_, [&] {
    output_.notes.push_back(analyzer_ + ": " + text_of(text));
    return Emit::kOk;
  });
}

}  // namespace assay
