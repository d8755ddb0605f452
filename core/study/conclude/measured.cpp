#include "conclude/measured.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/detail/lengths.hpp"
#include "assay/words.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxMetrics = 6, kMaxRows = 200, kMaxSaid = 8;

std::optional<double> value_of(const ReportResult& report, const std::string& metric) {
  for (const Fact& fact : report.facts) {
    if (fact.metric == metric && fact.dims.empty()) return fact.value;
  }
  return std::nullopt;
}

/// Metrics with a fact in some report. Those of the analyzer that counts iterations come last: it belongs to every
/// question, and the others say more about this one.
std::vector<const OwnedMetric*> measured_metrics(const AnalyzedQuestion& question,
                                                 const std::vector<OwnedMetric>& metrics) {
  const auto length = std::ranges::find(metrics, kIterationCount, &OwnedMetric::id);
  std::vector<const OwnedMetric*> out, general;
  for (const OwnedMetric& metric : metrics) {
    const bool any = std::ranges::any_of(question.reports,
                                         [&](const ReportResult& r) { return value_of(r, metric.id).has_value(); });
    const bool everywhere = length != metrics.end() && metric.analyzer == length->analyzer;
    if (any) (everywhere ? general : out).push_back(&metric);
  }
  out.insert(out.end(), general.begin(), general.end());
  return out;
}

std::string label_text(const CatalogEntry& entry, std::size_t label) {
  for (const LabelOfReport& own : entry.labels) {
    if (own.label == label) return own.text;
  }
  return {};
}

std::string value_text(double value, const std::string& unit) {
  const std::string number =
      value == std::floor(value) && std::abs(value) < 1e15 ? printed("%.0f", value) : printed("%.4g", value);
  return unit.empty() || unit == "1" ? number : number + " " + unit;
}

std::string sentence(const AnalyzedQuestion& question, const std::vector<std::size_t>& rows,
                     const OwnedMetric& metric) {
  std::string out = metric.id + " by profile:";
  std::size_t said = 0;
  for (const std::size_t r : rows) {
    const auto value = value_of(question.reports[r], metric.id);
    if (!value || ++said > kMaxSaid) continue;
    out += fmt::format("{}{} {}", said == 1 ? " " : "; ", question.name_of(r), value_text(*value, metric.unit));
  }
  if (said > kMaxSaid) out += "; and " + std::to_string(said - kMaxSaid) + " more";
  return out + ".";
}

OwnedTable table_of(const AnalyzedQuestion& question, const std::vector<std::size_t>& rows,
                    const std::vector<const OwnedMetric*>& metrics) {
  OwnedTable table{metrics.front()->analyzer, kMeasuredTable, "What was measured, by profile", {}};
  const std::size_t shown = std::min(rows.size(), kMaxRows);
  if (shown < rows.size()) table.title += fmt::format(" (the first {} of {})", shown, rows.size());
  const auto texts = [&](const std::string& name, auto text_of_row) {
    OwnedTable::Column column{name, "", CellType::kText, {}, {}, {}};
    for (std::size_t i = 0; i < shown; ++i) column.texts.push_back(text_of_row(rows[i]));
    const bool any = std::ranges::any_of(column.texts, [](const auto& t) { return !t.empty(); });
    if (any) table.columns.push_back(std::move(column));
  };
  texts("report", [&](std::size_t r) { return question.name_of(r); });
  const std::vector<LabelSpec>& labels = question.planned.question->labels.labels;
  for (std::size_t l = 0; l < labels.size(); ++l)
    texts(labels[l].name, [&](std::size_t r) { return label_text(question.found.entries[r], l); });
  for (std::size_t m = 0; m < std::min(metrics.size(), kMaxMetrics); ++m) {
    OwnedTable::Column column{metrics[m]->id, metrics[m]->unit, CellType::kNumber, {}, {}, {}};
    for (std::size_t i = 0; i < shown; ++i) {
      column.numbers.push_back(
          value_of(question.reports[rows[i]], metrics[m]->id).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    table.columns.push_back(std::move(column));
  }
  return table;
}

}  // namespace

std::optional<MeasuredAnswer> measured(const AnalyzedQuestion& question, const std::vector<OwnedMetric>& metrics) {
  const std::vector<const OwnedMetric*> known = measured_metrics(question, metrics);
  if (known.empty()) return std::nullopt;
  std::vector<std::size_t> rows;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t r = 0; r < question.reports.size(); ++r) {
    if (question.found.entries[r].role == ReportRole::kNoise || question.reports[r].facts.empty()) continue;
    rows.push_back(r);
    if (const auto value = value_of(question.reports[r], known.front()->id)) {
      least = std::min(least, *value);
      most = std::max(most, *value);
    }
  }
  if (rows.empty() || most < least) return std::nullopt;
  const OwnedMetric& first = *known.front();
  MeasuredAnswer out{{}, table_of(question, rows, known)};
  out.answer.analyzer = first.analyzer;
  out.answer.role = FindingRole::kAnswer;
  out.answer.title = fmt::format("{}{} in {}", first.id,
                                 least == most ? " is " + value_text(least, first.unit)
                                               : " is " + value_text(least, "") + " to " + value_text(most, first.unit),
                                 counted(rows.size(), "profile"));
  out.answer.text =
      "No analyzer draws a conclusion here, so the measurements are listed. " + sentence(question, rows, first);
  if (known.size() > kMaxMetrics)
    out.answer.text += " " + counted(known.size() - kMaxMetrics, "more metric") + " without dims: facts.csv.";
  return out;
}

}  // namespace assay
