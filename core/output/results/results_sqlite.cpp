#include "results/results_sqlite.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "render/format.hpp"
#include "render/outputs.hpp"
#include "results/fact_columns.hpp"
#include "results/results_schema.hpp"
#include "results/sqlite_writer.hpp"
#include "results/stored_row.hpp"

namespace assay {
namespace {

std::string labels_json(const std::vector<std::pair<std::string, std::string>>& labels) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const auto& [name, value] : labels) out[name] = value;
  return out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Adds a row that ends in the columns of an effect; NULL without one.
template <class... Values>
void row_with_effect(Insert& insert, const std::optional<OwnedEffect>& effect, const Values&... values) {
  if (!effect) return insert.row(values...);
  insert.row(values..., kind_name(effect->kind), effect->metric, effect->value, effect->lo, effect->hi, effect->level,
             effect->method, effect->n, scope_name(effect->scope));
}

/// A finite bound; else NaN, which is stored as NULL.
double bounded(double end) { return std::isfinite(end) ? end : std::numeric_limits<double>::quiet_NaN(); }

void write_metrics(sqlite3* db, const RunResult& run) {
  std::map<std::string_view, const OwnedMetric*> metrics;
  for (const QuestionResult& question : run.questions) {
    for (const OwnedMetric& metric : question.metrics) metrics.emplace(metric.id, &metric);
  }
  Insert insert(db, "metrics", 7);
  for (const auto& [id, metric] : metrics) {
    insert.row(id, metric->unit, polarity_name(metric->polarity), metric->analyzer, metric->definition, metric->title,
               metric->extensive);
  }
}

/// Metadata of the file: nothing that differs between runs with equal inputs.
void write_meta(sqlite3* db, const RunResult& run) {
  Insert insert(db, "meta", 3);
  insert.row("assay", "version", ASSAY_VERSION);
  insert.row("results", "schema_version", std::to_string(kResultsVersion));
  std::map<std::string_view, std::string_view> analyzers;
  for (const QuestionRun& question : run.each_question()) {
    insert.row("question", question.question.id, question.question.title);
    for (const PlannedAnalyzer& analyzer : question.planned.analyzers)
      analyzers.emplace(analyzer.plugin->id(), analyzer.plugin->descriptor().version);
  }
  for (const auto& [id, version] : analyzers) insert.row("analyzer", id, version);
}

void write_facts(sqlite3* db, const FactRows& facts) {
  InsertMany insert(db, "facts", 7), samples(db, "samples", 3);
  std::int64_t id = 0;
  for (const FactRow row : facts) {
    insert.row(++id, row.report, row.fact->metric, row.dims(), row.unit, row.fact->value, row.fact->n());
    for (std::size_t i = 0; i < row.fact->samples.size(); ++i) samples.row(id, i, row.fact->samples[i]);
  }
  insert.finish();
  samples.finish();
}

/// Rows of all questions; row ids are consecutive across questions.
class QuestionWriter {
 public:
  explicit QuestionWriter(sqlite3* db)
      : questions_(db, "questions", 6),
        sources_(db, "sources", 3),
        label_rules_(db, "label_rules", 6),
        reports_(db, "reports", 6),
        labels_(db, "labels", 5),
        attributes_(db, "attributes", 4),
        findings_(db, "findings", 16),
        claims_(db, "claims", 6),
        strata_(db, "strata", 15),
        needs_(db, "needs", 13),
        pairs_(db, "finding_pairs", 3),
        evidence_(db, "evidence", 6),
        completeness_(db, "completeness", 3),
        skipped_(db, "skipped", 6),
        issues_(db, "issues", 6),
        tables_(db, "tables", 7),
        columns_(db, "table_columns", 4),
        values_(db, "table_values", 4) {}

  void write(const QuestionRun& run) {
    const Question& question = run.question;
    const QuestionResult& result = run.result;
    id_ = question.id;
    questions_.row(id_, question.title, question.text, question.note, result.completeness.expected,
                   result.completeness.present);
    for (const SourceSpec& source : question.sources) sources_.row(id_, source.id, source.text);
    const std::vector<LabelSpec>& labels = question.labels.labels;
    for (std::size_t l = 0; l < labels.size(); ++l)
      label_rules_.row(id_, l, labels[l].name, labels[l].type != LabelType::kText, labels[l].descriptive,
                       labels[l].rank);
    for (const ReportRun& report : run.reports) write_report(question, report);
    for (const OwnedFinding& finding : result.findings) write_finding(finding);
    for (const OwnedClaim& claim : result.claims) write_claim(claim);
    for (const OwnedTable& table : result.tables) write_table("", table);
    for (const Skip& skip : result.skips)
      skipped_.row(id_, skip.report, skip.analyzer, skip.reason, skip.failed, skip.lacks);
    for (const auto& [report, issue] : issue_rows(run)) {
      issues_.row(id_, report, issue.name, severity_name(issue.severity), issue.count, issue.text);
    }
    write_completeness(result.completeness);
    labels_.finish();
    attributes_.finish();
    values_.finish();
  }

 private:
  void write_report(const Question& question, const ReportRun& report) {
    const auto& [file, entry, result] = report;
    const char* role = entry.role == ReportRole::kNoise ? "noise" : "question";
    const char* status = !result.loaded ? "skipped" : result.lacking ? "lacking" : "read";
    reports_.row(id_, file.name, role, status, static_cast<std::int64_t>(file.size), result.doubt);
    for (const LabelOfReport& label : entry.labels) {
      labels_.row(id_, file.name, question.labels.labels[label.label].name, label.text, origin_name(label.origin));
    }
    for (const OwnedAttribute& attribute : result.attributes)
      attributes_.row(id_, file.name, attribute.name, attribute.value);
    for (const OwnedTable& table : result.tables) write_table(file.name, table);
  }

  void write_finding(const OwnedFinding& finding) {
    row_with_effect(findings_, finding.effect, ++finding_, id_, finding.analyzer, role_name(finding.role),
                    finding.title, finding.text, labels_json(finding.labels));
    if (finding.pairs > 0) pairs_.row(finding_, finding.pairs, finding.agreeing);
    for (const EvidenceRow& row : finding.evidence) {
      evidence_.row(finding_, nullptr, row.report, row.metric, row.dims, row.value);
    }
  }

  void write_claim(const OwnedClaim& claim) {
    claims_.row(id_, claim.id, claim.text, claim.source, verdict_name(claim.verdict), claim.reason);
    for (const OwnedStratum& stratum : claim.strata) {
      row_with_effect(strata_, stratum.effect, ++stratum_, id_, claim.id, verdict_name(stratum.verdict), stratum.reason,
                      labels_json(stratum.labels));
      if (const auto& need = stratum.need) {
        needs_.row(stratum_, need_unit_name(need->unit), need_scale_name(need->scale), need->centre, need->spread,
                   need->degrees, bounded(need->low), bounded(need->high), need->unseen, need->sides, need->seen,
                   need->needed, need->in_vain);
      }
      for (const EvidenceRow& row : stratum.evidence) {
        evidence_.row(nullptr, stratum_, row.report, row.metric, row.dims, row.value);
      }
    }
  }

  void write_table(std::string_view report, const OwnedTable& table) {
    tables_.row(++table_, id_, report, table.analyzer, table.id, table.title, table.rows());
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      columns_.row(table_, c, table.columns[c].name, table.columns[c].unit);
    // In key order, so that pages fill one after another and are never split.
    for (std::size_t r = 0; r < table.rows(); ++r) {
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const OwnedTable::Column& column = table.columns[c];
        if (column.type == CellType::kText) values_.row(table_, r, c, column.texts[r]);
        if (column.type == CellType::kInteger && column.integers[r] == kNoInteger)
          values_.row(table_, r, c, nullptr);
        else if (column.type == CellType::kInteger)
          values_.row(table_, r, c, column.integers[r]);
        if (column.type == CellType::kNumber) values_.row(table_, r, c, column.numbers[r]);
      }
    }
  }

  void write_completeness(const Completeness& completeness) {
    for (const MatrixCell& cell : completeness.missing) completeness_.row(id_, "missing", cell.str());
    const auto list = [&](const char* kind, const std::vector<std::string>& names) {
      for (const std::string& name : names) completeness_.row(id_, kind, name);
    };
    list("duplicate", completeness.duplicate);
    list("unreadable", completeness.unreadable);
    list("lacking", completeness.lacking);
    list("unexpected", completeness.unexpected);
  }

  std::string id_;
  std::int64_t finding_ = 0, stratum_ = 0, table_ = 0;
  Insert questions_, sources_, label_rules_, reports_;
  InsertMany labels_, attributes_;
  Insert findings_, claims_, strata_, needs_, pairs_, evidence_, completeness_, skipped_, issues_, tables_, columns_;
  InsertMany values_;
};

}  // namespace

Status results_sqlite(const RunResult& run, const FactRows& facts, const std::vector<std::string>& written,
                      const std::filesystem::path& file) {
  try {
    const sqlite::Database db = open_for_writing(file);
    // The file is temporary until complete and private, so it needs no journal.
    execute(db.get(), "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN");
    execute(db.get(), kResultsSchema);
    write_meta(db.get(), run);
    write_metrics(db.get(), run);
    write_facts(db.get(), facts);
    QuestionWriter questions(db.get());
    for (const QuestionRun& question : run.each_question()) questions.write(question);
    Insert files(db.get(), "files", 1);
    for (const std::string& name : written) files.row(name);
    execute(db.get(), fact_views(fact_columns(run, facts)).c_str());
    execute(db.get(), "COMMIT");
  } catch (const std::runtime_error& e) {
    return Error{"results.sqlite cannot be written (" + std::string(e.what()) + ")", Exit::kFailed}.advise(
        "free some space on the disk or choose another output folder with -o");
  }
  return ok();
}

namespace {

std::vector<std::string> texts_of_earlier_run(const std::filesystem::path& results_sqlite, const char* sql,
                                              const std::string& bound) {
  std::vector<std::string> texts;
  try {
    const sqlite::Database db = open_results(results_sqlite);
    each_row(db.get(), sql, bound, [&](const StoredRow& row) { texts.push_back(row.text(0)); });
  } catch (const std::exception&) {
    texts.clear();  // not one of our databases: then no file in the folder is known to be ours
  }
  return texts;
}

}  // namespace

std::vector<std::string> files_of_earlier_run(const std::filesystem::path& results_sqlite) {
  return texts_of_earlier_run(results_sqlite, "SELECT name FROM files ORDER BY name", "");
}

std::vector<std::string> names_of_earlier_run(const std::filesystem::path& results_sqlite, const std::string& item) {
  return texts_of_earlier_run(results_sqlite, "SELECT name FROM meta WHERE item = ?1 ORDER BY name", item);
}

}  // namespace assay
