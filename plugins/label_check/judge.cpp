#include "judge.hpp"

#include <algorithm>

#include "fused.hpp"

namespace assay::labels {

std::string_view verdict_word(LabelVerdict verdict) {
  constexpr std::string_view words[] = {"borne_out", "contradicted", "not_borne_out", "unverifiable"};
  return words[static_cast<std::size_t>(verdict)];
}

Judgement judged(LabelVerdict verdict, std::string reason, std::string_view evidence, std::optional<double> trace) {
  Judgement out;
  out.verdict = verdict;
  out.reason = std::move(reason);
  out.evidence = evidence;
  out.trace = trace;
  return out;
}

Bench::Bench(const StudyView& view) : view_(&view) {
  judgements_.resize(view.report_count(), std::vector<Judgement>(labels()));
  for (std::size_t r = 0; r < reports(); ++r) {
    for (std::size_t l = 0; l < labels(); ++l) {
      const auto value = view.label_value(r, l);
      if (view.is_noise(r) || !value) continue;
      const LabelOrigin origin = view.study().label_values->origin[*value];
      // Values from the report itself come from the trace and are not claims. Numbers given by a runner's file (a
      // recording's block, replicate and twin) are not claims about the work of a run either.
      const bool numbers_runs =
          origin == LabelOrigin::kResults && view.study().labels->descriptive[l] != 0 && changes(l) == 0;
      judgements_[r][l].stated = origin != LabelOrigin::kReport && !numbers_runs;
    }
  }
}

std::string_view Bench::text(std::size_t report, std::size_t label) const {
  const auto row = view_->label_value(report, label);
  return row ? view_->study().label_values->text[*row].view() : std::string_view();
}

std::optional<double> Bench::number(std::size_t report, std::string_view label) const {
  const auto l = view_->label(label);
  if (!l || view_->study().labels->numeric[*l] == 0) return std::nullopt;
  const auto row = view_->label_value(report, *l);
  return row ? std::optional<double>(view_->study().label_values->order[*row]) : std::nullopt;
}

std::optional<std::int64_t> Bench::whole(std::size_t report, std::string_view label) const {
  constexpr double kExact = 9007199254740992;  // beyond 2^53 a double skips integers
  const auto value = number(report, label);
  if (!value || !(std::abs(*value) < kExact) || *value != std::floor(*value)) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

bool Bench::has_default(std::size_t report, std::size_t label) const {
  const auto row = view_->label_value(report, label);
  return row && view_->study().label_values->origin[*row] == LabelOrigin::kDefault;
}

std::string_view Bench::stated_by(std::size_t report, std::size_t label) const {
  const auto row = view_->label_value(report, label);
  const LabelOrigin origin = row ? view_->study().label_values->origin[*row] : LabelOrigin::kName;
  return origin == LabelOrigin::kDefault ? "default" : origin == LabelOrigin::kResults ? "results" : "name";
}

void Bench::decide(std::size_t report, std::string_view label, Judgement judgement) {
  if (const auto l = view_->label(label)) decide(report, *l, std::move(judgement));
}

void Bench::decide(std::size_t report, std::size_t label, Judgement judgement) {
  Judgement& own = judgements_[report][label];
  if (!own.stated || own.verdict) return;
  own = std::move(judgement);
  own.stated = true;
}

void Bench::doubt(std::size_t report, std::size_t label, std::string reason) {
  if (!judgements_[report][label].verdict) judgements_[report][label].reason = std::move(reason);
}

void Bench::dispute(std::size_t report, std::size_t label, std::string reason) {
  Judgement& own = judgements_[report][label];
  if (!own.stated || (own.verdict && *own.verdict != LabelVerdict::kUnverifiable)) return;
  if (own.conflict) return;
  own.verdict = LabelVerdict::kUnverifiable;
  own.reason = std::move(reason);
  own.conflict = true;
}

void Bench::show(std::size_t report, std::string_view label, double value) {
  const auto l = view_->label(label);
  if (l && !view_->is_noise(report) && !judgements_[report][*l].stated) judgements_[report][*l].trace = value;
}

bool Bench::doubted(std::size_t report) const {
  for (std::size_t l = 0; l < labels(); ++l) {
    const bool describes = view_->study().labels->descriptive[l] != 0;
    const Judgement& own = judgements_[report][l];
    if (!describes && (own.conflict || own.verdict == LabelVerdict::kContradicted)) return true;
  }
  return false;
}

bool Bench::equal_but(std::size_t a, std::size_t b, std::size_t label) const {
  for (std::size_t l = 0; l < labels(); ++l) {
    const bool describes = view_->study().labels->descriptive[l] != 0;
    if (l != label && changes(l) != 0 && !describes && text(a, l) != text(b, l)) return false;
  }
  return true;
}

bool Bench::graphs_hide_kernels(std::size_t report) const {
  // If the ratio is unknown although API calls are known, graphs were launched whose work is missing from the trace.
  const auto opaque = fact(report, "graph.opaque_ratio");
  const auto evidence = opaque ? opaque : fact(report, "label.graph_launches");
  return evidence && *evidence > 0;
}

bool Bench::is_recorded(std::size_t report) const {
  const auto block = view_->label("block");
  const auto row = block ? view_->label_value(report, *block) : std::nullopt;
  return row && view_->study().labels->descriptive[*block] != 0 &&
         view_->study().label_values->origin[*row] == LabelOrigin::kResults;
}

std::string Bench::folder_of(std::size_t report) const {
  std::string out;
  for (const std::string_view attribute : {"label.machine", "rank"}) {
    out += std::string(view_->attribute(report, attribute).value_or("")) + '\0';
  }
  return out;
}

Bench judge(const StudyView& view, const Rules& rules) {
  check_labels(rules, view);
  Bench bench(view);
  check_named(bench, rules);
  check_device(bench, rules);
  check_input_size(bench, rules);
  check_compile(bench, rules);
  check_pipeline(bench, rules);
  check_precision(bench, rules);
  check_attention(bench, rules);
  check_widths(bench, rules);
  check_fused_widths(bench, rules);
  check_launches(bench, rules);
  check_linear(bench, rules);
  check_conflicts(bench, rules);
  check_partners(bench, rules);
  return bench;
}

}  // namespace assay::labels
