#include "assay/output.hpp"

#include <string>
#include <utility>
#include <vector>

#include "assay/words.hpp"

namespace assay {

Dims::Dims(const std::vector<std::pair<std::string, std::string>>& labels) {
  for (const auto& [key, value] : labels) add(key, value);
}

std::vector<Dim> dims_of(const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<Dim> dims;
  dims.reserve(texts.size());
  for (const auto& [key, value] : texts) dims.emplace_back(key, value);
  return dims;
}

void Table::add(std::string name, std::string unit, std::vector<std::string> cells) {
  columns_.push_back({std::move(name), std::move(unit), CellType::kText, std::move(cells), {}, {}});
}

void Table::add(std::string name, std::string unit, std::vector<std::int64_t> cells) {
  columns_.push_back({std::move(name), std::move(unit), CellType::kInteger, {}, std::move(cells), {}});
}

void Table::add(std::string name, std::string unit, std::vector<double> cells) {
  columns_.push_back({std::move(name), std::move(unit), CellType::kNumber, {}, {}, std::move(cells)});
}

void check_emit(Emit answer, std::string_view what, std::string_view name) {
  constexpr std::string_view reasons[] = {"", "was not declared", "is not a finite number", "was emitted twice",
                                          "is malformed"};
  if (answer == Emit::kOk) return;
  const auto i = static_cast<std::size_t>(answer);
  throw EmitError(filled("{} '{}' {}", {std::string(what), std::string(name),
                                        std::string(i < std::size(reasons) ? reasons[i] : "was refused")}));
}

void ReportSink::fact(std::string_view metric, double value, std::span<const double> samples, const Dims& dims) {
  const auto emit = [&](Span<Dim> views) { return emit_fact(metric, views, value, samples); };
  check_emit(dims.with_view(emit), "fact", metric);
}

void ReportSink::ratio(std::string_view metric, double numerator, double denominator, std::string_view denominator_name,
                       const Dims& dims) {
  if (denominator == 0) return emit_skip(metric, std::string(denominator_name) + " is 0");
  fact(metric, numerator / denominator, dims);
}

void ReportSink::attribute(std::string_view name, std::string_view value) {
  check_emit(emit_attribute(name, value), "attribute", name);
}

void ReportSink::table(const Table& table) {
  table.with_view([&](const TableView& view) { check_emit(emit_table(&view), "table", view.id); });
}

void ReportSink::rank_rows(const Table& table) {
  table.with_view([&](const TableView& view) { check_emit(emit_rank_rows(&view), "rank rows", view.id); });
}

void ReportSink::study_rows(const Table& table) {
  table.with_view([&](const TableView& view) { check_emit(emit_study_rows(&view), "study rows", view.id); });
}

std::span<const std::int64_t> RowsView::integers(std::string_view column) const {
  const ColumnView* found = find(column);
  return found == nullptr ? std::span<const std::int64_t>() : found->integers.view();
}

std::span<const double> RowsView::numbers(std::string_view column) const {
  const ColumnView* found = find(column);
  return found == nullptr ? std::span<const double>() : found->numbers.view();
}

std::span<const Str> RowsView::texts(std::string_view column) const {
  const ColumnView* found = find(column);
  return found == nullptr ? std::span<const Str>() : found->texts.view();
}

const ColumnView* RowsView::find(std::string_view column) const {
  if (rows_ == nullptr) return nullptr;
  for (const ColumnView& view : rows_->columns) {
    if (view.name == column) return &view;
  }
  return nullptr;
}

void StudySink::fact(std::string_view metric, double value, std::span<const double> samples, const Dims& dims) {
  report_fact(kNone, metric, value, samples, dims);
}

void StudySink::report_fact(RowArg report, std::string_view metric, double value, const Dims& dims) {
  report_fact(report, metric, value, {}, dims);
}

void StudySink::report_fact(RowArg report, std::string_view metric, double value, std::span<const double> samples,
                            const Dims& dims) {
  const auto emit = [&](Span<Dim> views) { return emit_fact(report.row, metric, views, value, samples); };
  check_emit(dims.with_view(emit), "fact", metric);
}

void StudySink::finding(const Finding& finding) {
  const std::vector<LabelValue> labels(views(finding.labels));
  FindingView view;
  view.role = finding.role;
  view.title = finding.title;
  view.text = finding.text;
  view.has_effect = finding.effect.has_value() ? 1 : 0;
  if (finding.effect) view.effect = *finding.effect;
  if (!finding.method.empty()) view.effect.method = finding.method;
  view.labels = labels;
  view.evidence = finding.evidence;
  view.pairs = finding.pairs;
  view.agreeing = finding.agreeing;
  check_emit(emit_finding(&view), "finding", finding.title);
}

void StudySink::verdict(std::int64_t claim, Verdict verdict, std::string_view reason,
                        std::span<const StratumVerdict> strata) {
  std::vector<std::vector<LabelValue>> labels;
  std::vector<StratumView> rows;
  labels.reserve(strata.size());
  for (const StratumVerdict& s : strata) {
    labels.push_back(views(s.labels));
    rows.push_back(
        {s.verdict, s.effect ? 1U : 0U, s.reason, s.effect.value_or(Effect{}), labels.back(), s.evidence, s.need});
    rows.back().need.in_vain = s.in_vain;
    if (!s.method.empty()) rows.back().effect.method = s.method;
  }
  VerdictView view;
  view.claim = claim;
  view.verdict = verdict;
  view.reason = reason;
  view.strata = rows;
  check_emit(emit_verdict(&view), "verdict", verdict_name(verdict));
}

void StudySink::table(const Table& table) {
  table.with_view([&](const TableView& view) { check_emit(emit_table(&view), "table", view.id); });
}

void StudySink::text_file(RowArg report, std::string_view suffix, std::string_view content) {
  check_emit(emit_text_file(report.row, suffix, content), "text file", suffix);
}

std::vector<LabelValue> StudySink::views(const std::vector<std::pair<std::string, std::string>>& labels) {
  std::vector<LabelValue> out;
  out.reserve(labels.size());
  for (const auto& [key, value] : labels) out.emplace_back(key, value);
  return out;
}

}  // namespace assay
