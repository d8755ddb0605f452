#include "render/stored_results.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "assay/algo/matching.hpp"
#include "render/format.hpp"
#include "render/results_schema.hpp"
#include "render/sqlite_writer.hpp"

namespace assay {
namespace {

/// One row of a query; columns are asked for by position.
class StoredRow {
 public:
  explicit StoredRow(sqlite3_stmt* row) : row_(row) {}
  [[nodiscard]] std::string text(int column) const {
    const unsigned char* bytes = sqlite3_column_text(row_, column);
    return bytes == nullptr ? std::string() : std::string(bytes, bytes + sqlite3_column_bytes(row_, column));
  }
  [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(row_, column); }
  [[nodiscard]] double number(int column) const {
    return absent(column) ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(row_, column);
  }
  [[nodiscard]] bool absent(int column) const { return sqlite3_column_type(row_, column) == SQLITE_NULL; }

 private:
  sqlite3_stmt* row_;
};

/// A query whose parameter ?1, where it has one, is the question.
template <class Take>
void each_row(sqlite3* db, const std::string& sql, const std::string& question, Take&& take) {
  const Statement query = prepare(db, sql);
  if (sqlite3_bind_parameter_count(query.get()) > 0) {
    sqlite3_bind_text(query.get(), 1, question.data(), static_cast<int>(question.size()), SQLITE_TRANSIENT);
  }
  int code = sqlite3_step(query.get());
  for (; code == SQLITE_ROW; code = sqlite3_step(query.get())) take(StoredRow(query.get()));
  if (code != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(db));
}

/// The enumerator whose name is `text`.
template <class Enum, class Name>
Enum named(const std::string& text, Enum last, Name&& name) {
  for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(last); ++i) {
    if (name(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  throw std::runtime_error("it holds '" + text + "' where this version of assay knows no such word");
}

using Labels = std::vector<std::pair<std::string, std::string>>;

Labels labels_of(const std::string& json) {
  Labels labels;
  const auto object = nlohmann::ordered_json::parse(json, nullptr, false);
  if (!object.is_object()) throw std::runtime_error("its labels are not objects of JSON");
  for (const auto& [name, value] : object.items()) labels.emplace_back(name, value.get<std::string>());
  return labels;
}

class ResultsReader {
 public:
  ResultsReader(sqlite3* db, bool with_facts) : db_(db), with_facts_(with_facts) {
    each_row(db_, "SELECT metric, unit, polarity, analyzer, definition, title, extensive FROM metrics ORDER BY metric",
             "", [&](const StoredRow& row) {
               metrics_.push_back({row.text(0), row.text(1), row.text(4), row.text(3),
                                   named(row.text(2), Polarity::kLowerIsBetter, polarity_name), row.text(5),
                                   row.integer(6) != 0});
             });
  }

  std::vector<StoredQuestion> read() {
    std::vector<StoredQuestion> questions;
    each_row(db_, "SELECT question, title, text, expected, present FROM questions ORDER BY rowid", "",
             [&](const StoredRow& row) {
               StoredQuestion& question = questions.emplace_back();
               question.id = row.text(0);
               question.title = row.text(1);
               question.text = row.text(2);
               question.result.completeness.expected = static_cast<std::size_t>(row.integer(3));
               question.result.completeness.present = static_cast<std::size_t>(row.integer(4));
             });
    for (StoredQuestion& question : questions) fill(question);
    return questions;
  }

 private:
  void fill(StoredQuestion& question) {
    question.result.metrics = metrics_;
    read_reports(question);
    read_findings(question);
    read_claims(question);
    read_completeness(question);
    read_left_out(question);
    if (with_facts_) read_facts(question);
  }

  void read_reports(StoredQuestion& question) {
    each_row(db_, "SELECT label, numeric, descriptive, rank FROM label_rules WHERE question = ?1 ORDER BY position",
             question.id, [&](const StoredRow& row) {
               question.labels.push_back({row.text(0), row.integer(1) != 0, row.integer(2) != 0, row.integer(3) != 0});
             });
    each_row(db_, "SELECT report, role, status, bytes, doubt FROM reports WHERE question = ?1 ORDER BY report",
             question.id, [&](const StoredRow& row) {
               StoredReport& report = question.reports.emplace_back();
               report.name = row.text(0);
               report.role = row.text(1) == "noise" ? ReportRole::kNoise : ReportRole::kQuestion;
               report.loaded = row.text(2) != "skipped";
               report.bytes = static_cast<std::uint64_t>(row.integer(3));
               report.doubt = row.text(4);
             });
    each_row(db_, "SELECT report, label, value FROM labels WHERE question = ?1 ORDER BY rowid", question.id,
             [&](const StoredRow& row) {
               if (StoredReport* report = find(question, row.text(0)))
                 report->labels.emplace_back(row.text(1), row.text(2));
             });
    each_row(db_, "SELECT report, name, value FROM attributes WHERE question = ?1 ORDER BY report, name", question.id,
             [&](const StoredRow& row) {
               if (StoredReport* report = find(question, row.text(0)))
                 report->attributes.push_back({row.text(1), row.text(2)});
             });
  }

  static StoredReport* find(StoredQuestion& question, const std::string& name) {
    const auto at = std::lower_bound(question.reports.begin(), question.reports.end(), name,
                                     [](const StoredReport& r, const std::string& wanted) { return r.name < wanted; });
    return at != question.reports.end() && at->name == name ? &*at : nullptr;
  }

  /// The nine columns from kind on.
  [[nodiscard]] std::optional<OwnedEffect> effect_of(const StoredRow& row, int first) const {
    if (row.absent(first)) return std::nullopt;
    OwnedEffect effect;
    effect.kind = named(row.text(first), EffectKind::kShare, kind_name);
    effect.metric = row.text(first + 1);
    effect.value = row.number(first + 2);
    effect.lo = row.number(first + 3);
    effect.hi = row.number(first + 4);
    effect.level = row.number(first + 5);
    effect.method = row.text(first + 6);
    effect.n = row.integer(first + 7);
    effect.scope = named(row.text(first + 8), Scope::kWithinRun, scope_name);
    effect.unit = std::string(unit_of(metrics_, effect.metric));
    if (effect.kind == EffectKind::kRatio) effect.unit = "1";
    if (effect.kind == EffectKind::kShare) effect.unit = "ratio";
    return effect;
  }

  void read_findings(StoredQuestion& question) {
    std::map<std::int64_t, std::size_t> places;
    each_row(db_,
             "SELECT finding, analyzer, role, title, text, labels, kind, metric, value, lo, hi, level, method, n, "
             "scope FROM findings WHERE question = ?1 ORDER BY finding",
             question.id, [&](const StoredRow& row) {
               places[row.integer(0)] = question.result.findings.size();
               question.result.findings.push_back({row.text(1),
                                                   named(row.text(2), FindingRole::kNote, role_name),
                                                   row.text(3),
                                                   row.text(4),
                                                   effect_of(row, 6),
                                                   labels_of(row.text(5)),
                                                   {}});
             });
    each_row(db_,
             "SELECT e.finding, e.report, e.metric, e.dims, e.value FROM evidence e JOIN findings f USING (finding) "
             "WHERE f.question = ?1 ORDER BY e.rowid",
             question.id, [&](const StoredRow& row) {
               question.result.findings[places.at(row.integer(0))].evidence.push_back(
                   {row.text(1), row.text(2), row.text(3), row.number(4)});
             });
  }

  void read_claims(StoredQuestion& question) {
    std::map<std::string, std::size_t> places;
    each_row(db_, "SELECT claim, text, source, verdict, reason FROM claims WHERE question = ?1 ORDER BY rowid",
             question.id, [&](const StoredRow& row) {
               places[row.text(0)] = question.result.claims.size();
               question.result.claims.push_back({row.text(0),
                                                 row.text(1),
                                                 row.text(2),
                                                 named(row.text(3), Verdict::kUntestable, verdict_name),
                                                 row.text(4),
                                                 {}});
             });
    each_row(db_,
             "SELECT claim, verdict, reason, labels, kind, metric, value, lo, hi, level, method, n, scope FROM strata "
             "WHERE question = ?1 ORDER BY stratum",
             question.id, [&](const StoredRow& row) {
               question.result.claims[places.at(row.text(0))].strata.push_back(
                   {labels_of(row.text(3)),
                    named(row.text(1), Verdict::kUntestable, verdict_name),
                    row.text(2),
                    effect_of(row, 4),
                    {}});
             });
  }

  void read_completeness(StoredQuestion& question) {
    Completeness& completeness = question.result.completeness;
    each_row(db_, "SELECT kind, item FROM completeness WHERE question = ?1 ORDER BY rowid", question.id,
             [&](const StoredRow& row) {
               const std::string kind = row.text(0);
               if (kind == "missing") completeness.missing.push_back(cell_of(row.text(1)));
               if (kind == "duplicate") completeness.duplicate.push_back(row.text(1));
               if (kind == "unreadable") completeness.unreadable.push_back(row.text(1));
               if (kind == "lacking") completeness.lacking.push_back(row.text(1));
               if (kind == "unexpected") completeness.unexpected.push_back(row.text(1));
             });
  }

  /// "patch=8;depth=6" as MatrixCell::str wrote it.
  static MatrixCell cell_of(std::string_view text) {
    MatrixCell cell;
    while (!text.empty()) {
      const std::string_view pair = text.substr(0, text.find(';'));
      text.remove_prefix(std::min(text.size(), pair.size() + 1));
      const std::size_t equals = std::min(pair.find('='), pair.size());
      cell.labels.emplace_back(pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size())));
    }
    return cell;
  }

  void read_left_out(StoredQuestion& question) {
    each_row(db_, "SELECT report, analyzer, reason, failed FROM skipped WHERE question = ?1 ORDER BY rowid",
             question.id, [&](const StoredRow& row) {
               question.result.skips.push_back({row.text(0), row.text(1), row.text(2), row.integer(3) != 0});
             });
    each_row(db_, "SELECT report, name, severity, count, text FROM issues WHERE question = ?1 ORDER BY rowid",
             question.id, [&](const StoredRow& row) {
               question.issues.push_back(
                   {row.text(0),
                    {row.text(1), named(row.text(2), Severity::kError, severity_name), row.integer(3), row.text(4)}});
             });
  }

  /// Facts of the question's reports. Those that questions disagree on carry the question as a dimension.
  void read_facts(StoredQuestion& question) {
    each_row(db_,
             "SELECT report, metric, dims, value FROM facts WHERE report IN (SELECT report FROM reports WHERE "
             "question = ?1)",
             question.id, [&](const StoredRow& row) { add_fact(question, row); });
    for (StoredReport& report : question.reports) {
      std::sort(report.facts.begin(), report.facts.end(),
                [](const Fact& a, const Fact& b) { return std::tie(a.metric, a.dims) < std::tie(b.metric, b.dims); });
    }
  }

  void add_fact(StoredQuestion& question, const StoredRow& row) {
    std::string dims = row.text(2);
    if (const auto other = dim_value(dims, "question")) {
      if (*other != question.id) return;
      dims = without_question(dims);
    }
    find(question, row.text(0))->facts.push_back({row.text(1), dims, row.number(3), {}});
  }

  static std::string without_question(const std::string& dims) {
    std::string out;
    for (std::string_view rest = dims; !rest.empty();) {
      const std::string_view pair = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
      if (pair.starts_with("question=")) continue;
      out.append(out.empty() ? "" : ";").append(pair);
    }
    return out;
  }

  sqlite3* db_;
  bool with_facts_;
  std::vector<OwnedMetric> metrics_;
};

std::filesystem::path database_of(const std::filesystem::path& out) {
  std::error_code failed;
  return std::filesystem::is_directory(out, failed) ? out / "results.sqlite" : out;
}

}  // namespace

SummaryInput StoredQuestion::summary() const {
  ReportCounts counts;
  std::vector<const std::vector<OwnedAttribute>*> read;
  for (const StoredReport& report : reports) {
    ++(report.role == ReportRole::kNoise ? counts.noise : counts.question);
    if (report.loaded) read.push_back(&report.attributes);
  }
  return {id, title, text, &result, counts, issues, made_with_line(read)};
}

Result<std::vector<StoredQuestion>> read_results(const std::filesystem::path& out, bool with_facts) {
  const std::filesystem::path file = database_of(out);
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) {
    return Error{"there are no results in '" + out.string() + "': expected a folder that 'assay run -o' wrote, with " +
                 "results.sqlite in it"};
  }
  try {
    const Database db = open_database(file, SQLITE_OPEN_READONLY);
    std::int64_t version = 0;
    each_row(db.get(), "PRAGMA user_version", "", [&](const StoredRow& row) { version = row.integer(0); });
    if (version != kResultsVersion) {
      return Error{"'" + file.string() + "' was not written by this version of assay (its results have version " +
                   std::to_string(version) + ", expected " + std::to_string(kResultsVersion) +
                   "); run 'assay run' again"};
    }
    return ResultsReader(db.get(), with_facts).read();
  } catch (const std::exception& e) {
    return Error{"'" + file.string() + "' cannot be read as results of assay (" + e.what() +
                 "); run 'assay run' again"};
  }
}

}  // namespace assay
