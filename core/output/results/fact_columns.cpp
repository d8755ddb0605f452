#include "results/fact_columns.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "assay/words.hpp"
#include "render/format.hpp"
#include "render/outputs.hpp"
#include "sqlite/database.hpp"

namespace assay {
namespace {

/// SQLite permits 2000 columns in a result.
constexpr std::size_t kMaxColumns = 1900;

std::string name(const std::string& text) { return sqlite::quoted(text); }
std::string literal(const std::string& text) { return sqlite::quoted(text, '\''); }

void add_labels(const Question& question, std::vector<LabelColumn>& columns) {
  for (const LabelSpec& label : question.labels.labels) {
    const bool numeric = label.type != LabelType::kText;
    const auto at = std::ranges::find(columns, label.name, &LabelColumn::label);
    if (at == columns.end())
      columns.push_back({label.name, {}, numeric});
    else
      at->numeric = at->numeric && numeric;
  }
}

/// Titles distinct from each other and from `taken`, ignoring case.
void assign_titles(std::vector<LabelColumn>& columns, std::set<std::string> taken) {
  for (LabelColumn& column : columns) {
    column.title = column.label;
    while (!taken.insert(lower_case(column.title)).second) column.title.insert(0, "label_");
  }
}

/// ", (value of the label for the report) AS title" for each label.
std::string label_columns(const std::vector<LabelColumn>& labels) {
  std::string sql;
  for (const LabelColumn& column : labels) {
    const std::string value = column.numeric ? "CAST(l.value AS NUMERIC)" : "l.value";
    sql += fmt::format(
        ",\n  (SELECT {} FROM labels l WHERE l.question = r.question AND l.report = r.report AND l.label = {}) AS {}",
        value, literal(column.label), name(column.title));
  }
  return sql;
}

}  // namespace

FactColumns fact_columns(const RunResult& run, const FactRows& rows) {
  FactColumns out;
  for (const QuestionRun& question : run.each_question()) add_labels(question.question, out.labels);
  std::set<std::string> metrics,
      taken = {"question", "report", "role", "fact", "metric", "title", "dims", "unit", "value", "n"};
  for (const FactRow row : rows) {
    if (row.report.empty() || !row.fact->dims.empty()) continue;
    metrics.insert(row.fact->metric);
    taken.insert(lower_case(row.fact->metric));
  }
  out.metrics.assign(metrics.begin(), metrics.end());
  assign_titles(out.labels, std::move(taken));
  return out;
}

std::string fact_views(const FactColumns& columns) {
  const std::string labels = label_columns(columns.labels);
  // A fact on which questions disagree has the dim `question` and belongs to that question only.
  std::string sql = "CREATE VIEW facts_labelled AS SELECT r.question, r.report, r.role" + labels +
                    ",\n  f.fact, f.metric, f.dims, f.unit, f.value, f.n\nFROM reports r JOIN facts f USING (report)\n"
                    "WHERE instr(';' || f.dims, ';question=') = 0\n"
                    "  OR instr(';' || f.dims || ';', ';question=' || r.question || ';') > 0;\n";
  sql += "CREATE VIEW facts_wide AS SELECT r.question, r.report, r.role" + labels;
  std::size_t room = kMaxColumns - std::min(kMaxColumns, columns.labels.size());
  for (const std::string& metric : columns.metrics) {
    if (room-- == 0) break;
    sql += fmt::format(
        ",\n  (SELECT f.value FROM facts f WHERE f.report = r.report AND f.metric = {} AND f.dims IN ('', 'question=' "
        "|| r.question)) AS {}",
        literal(metric), name(metric));
  }
  return sql + "\nFROM reports r;\n";
}

void write_facts_wide(const RunResult& run, const FactRows& rows, std::ostream& to) {
  const FactColumns columns = fact_columns(run, rows);
  to << "question,report,role";
  for (const LabelColumn& column : columns.labels) to << ',' << csv_field(column.title);
  for (const std::string& metric : columns.metrics) to << ',' << csv_field(metric);
  to << '\n';
  for (const QuestionRun& question : run.each_question()) {
    for (const ReportRun& report : question.reports) {
      to << csv_field(question.question.id) << ',' << csv_field(report.file.name) << ','
         << (report.entry.role == ReportRole::kNoise ? "noise" : "question");
      for (const LabelColumn& column : columns.labels) {
        const auto own = std::ranges::find_if(report.entry.labels, [&](const LabelOfReport& label) {
          return question.question.labels.labels[label.label].name == column.label;
        });
        to << ',' << (own == report.entry.labels.end() ? "" : csv_field(own->text));
      }
      std::map<std::string_view, double> values;
      for (const Fact& fact : report.result.facts) {
        if (fact.dims.empty()) values.emplace(fact.metric, fact.value);
      }
      for (const std::string& metric : columns.metrics) {
        const auto value = values.find(metric);
        to << ',' << (value == values.end() ? "" : exact(value->second));
      }
      to << '\n';
    }
  }
}

}  // namespace assay
