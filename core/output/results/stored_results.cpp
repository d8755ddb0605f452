#include "results/stored_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "assay/algo/matching.hpp"
#include "files/result_folder.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "results/results_schema.hpp"
#include "results/stored_needs.hpp"
#include "results/stored_row.hpp"

namespace assay {
namespace {

/// Words in the columns `role` and `status` of reports.
std::string_view role_word(ReportRole role) { return role == ReportRole::kNoise ? "noise" : "question"; }
enum class ReportStatus : std::uint32_t { kSkipped, kLacking, kRead };
std::string_view status_word(ReportStatus status) {
  constexpr std::string_view words[] = {"skipped", "lacking", "read"};
  return words[static_cast<std::size_t>(status)];
}

using Labels = std::vector<std::pair<std::string, std::string>>;

Labels labels_of(const std::string& json) {
  Labels labels;
  const auto object = nlohmann::ordered_json::parse(json, nullptr, false);
  if (!object.is_object()) throw DamagedResults("its labels are not objects of JSON");
  for (const auto& [name, value] : object.items()) {
    if (!value.is_string()) throw DamagedResults("a label of it is not text");
    labels.emplace_back(name, value.get<std::string>());
  }
  return labels;
}

/// Whether they have the form of canonical_dims: "key=value;key=value".
bool are_pairs(std::string_view dims) {
  for (std::string_view rest = dims; !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find(';'));
    const std::size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string_view::npos || pair.size() + 1 == rest.size()) return false;
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
  }
  return true;
}

/// Rejects rows that refer to missing rows of other tables.
void refuse_orphans(sqlite3* db, std::int64_t version) {
  const auto refuse = [&](const std::string& table, const std::string& where) {
    each_row(db, fmt::format("SELECT 1 FROM {} WHERE {} LIMIT 1", table, where), "", [&](const StoredRow&) {
      throw DamagedResults("its table '" + table + "' refers to something that is not in it");
    });
  };
  if (version >= kResultsWithSources) refuse("sources", "question NOT IN (SELECT question FROM questions)");
  for (const char* table : {"reports", "label_rules", "labels", "attributes", "findings", "claims", "strata",
                            "completeness", "skipped", "issues"})
    refuse(table, "question NOT IN (SELECT question FROM questions)");
  refuse("facts", "report <> '' AND report NOT IN (SELECT report FROM reports)");
  // NULL, for evidence of no finding or stratum, is "not in" an empty table.
  refuse("evidence",
         "(finding IS NOT NULL AND finding NOT IN (SELECT finding FROM findings)) OR "
         "(stratum IS NOT NULL AND stratum NOT IN (SELECT stratum FROM strata))");
}

class ResultsReader {
 public:
  ResultsReader(sqlite3* db, std::int64_t version, bool with_facts)
      : db_(db),
        has_sources_(version >= kResultsWithSources),
        has_needs_(version >= kResultsWithNeeds),
        has_lacks_(version >= kResultsWithLacks),
        with_facts_(with_facts) {
    each_row(db_, "SELECT metric, unit, polarity, analyzer, definition, title, extensive FROM metrics ORDER BY metric",
             "", [&](const StoredRow& row) {
               metrics_.push_back({row.text(0), row.text(1), row.text(4), row.text(3),
                                   row.named(2, Polarity::kLowerIsBetter, polarity_name), row.text(5), row.flag(6)});
             });
    sort_distinct(metrics_, "a metric", [](const OwnedMetric& metric) -> const std::string& { return metric.id; });
  }

  std::vector<StoredQuestion> read() {
    std::vector<StoredQuestion> questions;
    const std::string note = has_sources_ ? "note" : "''";
    each_row(db_, "SELECT question, title, text, expected, present, " + note + " FROM questions ORDER BY rowid", "",
             [&](const StoredRow& row) {
               StoredQuestion& question = questions.emplace_back();
               question.id = row.text(0);
               question.title = row.text(1);
               question.text = row.text(2);
               question.result.completeness.expected = static_cast<std::size_t>(row.integer(3));
               question.result.completeness.present = static_cast<std::size_t>(row.integer(4));
               question.note = row.text(5);
             });
    std::vector<std::string> ids;
    for (const StoredQuestion& question : questions) ids.push_back(question.id);
    sort_distinct(ids, "a question", [](const std::string& id) -> const std::string& { return id; });
    for (StoredQuestion& question : questions) fill(question);
    return questions;
  }

 private:
  void fill(StoredQuestion& question) {
    question.result.metrics = metrics_;
    if (has_sources_) {
      each_row(db_, "SELECT source, text FROM sources WHERE question = ?1 ORDER BY rowid", question.id,
               [&](const StoredRow& row) { question.sources.push_back({row.text(0), row.text(1)}); });
    }
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
               question.labels.push_back({row.text(0), row.flag(1), row.flag(2), row.flag(3)});
             });
    each_row(db_, "SELECT report, role, status, bytes, doubt FROM reports WHERE question = ?1 ORDER BY report",
             question.id, [&](const StoredRow& row) {
               StoredReport& report = question.reports.emplace_back();
               report.name = row.text(0);
               report.role = row.named(1, ReportRole::kNoise, role_word);
               report.loaded = row.named(2, ReportStatus::kRead, status_word) != ReportStatus::kSkipped;
               report.bytes = static_cast<std::uint64_t>(row.integer(3));
               report.doubt = row.text(4);
             });
    sort_distinct(question.reports, "a profile", [](const StoredReport& r) -> const std::string& { return r.name; });
    read_labels(question);
    each_row(
        db_, "SELECT report, name, value FROM attributes WHERE question = ?1 ORDER BY report, name", question.id,
        [&](const StoredRow& row) { find(question, row.text(0)).attributes.push_back({row.text(1), row.text(2)}); });
    for (StoredReport& report : question.reports) {
      std::stable_sort(report.attributes.begin(), report.attributes.end(),
                       [](const OwnedAttribute& a, const OwnedAttribute& b) { return a.name < b.name; });
    }
  }

  void read_labels(StoredQuestion& question) {
    std::set<std::string> declared;
    for (const StoredLabel& label : question.labels) {
      if (!declared.insert(label.name).second) throw DamagedResults("it declares a label twice");
    }
    std::set<std::pair<std::string, std::string>> seen;
    each_row(db_, "SELECT report, label, value FROM labels WHERE question = ?1 ORDER BY rowid", question.id,
             [&](const StoredRow& row) {
               if (!declared.contains(row.text(1))) throw DamagedResults("a profile has a label that is not declared");
               if (!seen.emplace(row.text(0), row.text(1)).second) throw DamagedResults("a profile has a label twice");
               find(question, row.text(0)).labels.emplace_back(row.text(1), row.text(2));
             });
  }

  static StoredReport& find(StoredQuestion& question, const std::string& name) {
    const auto at = std::lower_bound(question.reports.begin(), question.reports.end(), name,
                                     [](const StoredReport& r, const std::string& wanted) { return r.name < wanted; });
    if (at == question.reports.end() || at->name != name)
      throw DamagedResults("it refers to a profile that is not in it");
    return *at;
  }

  /// The nine columns from kind on.
  [[nodiscard]] std::optional<OwnedEffect> effect_of(const StoredRow& row, int first) const {
    if (row.absent(first)) return std::nullopt;
    OwnedEffect effect;
    effect.kind = row.named(first, EffectKind::kShare, kind_name);
    effect.metric = row.text(first + 1);
    effect.value = row.number(first + 2);
    effect.lo = row.number_or_nan(first + 3);
    effect.hi = row.number_or_nan(first + 4);
    effect.level = row.number(first + 5);
    effect.method = row.text(first + 6);
    effect.n = row.integer(first + 7);
    effect.scope = row.named(first + 8, Scope::kWithinRun, scope_name);
    if (!(effect.level > 0 && effect.level < 1))
      throw DamagedResults("the level of an interval is not between 0 and 1");
    if (effect.lo > effect.hi) throw DamagedResults("the bounds of an interval are not in order");
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
                                                   row.named(2, FindingRole::kNote, role_name),
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
               question.result.findings[index_of(places, row.integer(0))].evidence.push_back(
                   {row.text(1), row.text(2), row.text(3), row.number(4)});
             });
    const auto of = [&](std::int64_t id) -> OwnedFinding& { return question.result.findings[index_of(places, id)]; };
    if (has_needs_) read_pairs(db_, question.id, of);
  }

  void read_claims(StoredQuestion& question) {
    std::map<std::string, std::size_t> places;
    each_row(db_, "SELECT claim, text, source, verdict, reason FROM claims WHERE question = ?1 ORDER BY rowid",
             question.id, [&](const StoredRow& row) {
               places[row.text(0)] = question.result.claims.size();
               question.result.claims.push_back({row.text(0),
                                                 row.text(1),
                                                 row.text(2),
                                                 row.named(3, Verdict::kUntestable, verdict_name),
                                                 row.text(4),
                                                 {}});
             });
    std::map<std::int64_t, std::pair<std::size_t, std::size_t>> strata;  // claim, and stratum in it
    each_row(db_,
             "SELECT claim, verdict, reason, labels, kind, metric, value, lo, hi, level, method, n, scope, stratum "
             "FROM strata WHERE question = ?1 ORDER BY stratum",
             question.id, [&](const StoredRow& row) {
               const std::size_t claim = index_of(places, row.text(0));
               std::vector<OwnedStratum>& of = question.result.claims[claim].strata;
               strata[row.integer(13)] = {claim, of.size()};
               of.push_back({labels_of(row.text(3)),
                             row.named(1, Verdict::kUntestable, verdict_name),
                             row.text(2),
                             effect_of(row, 4),
                             {}});
             });
    each_row(db_,
             "SELECT e.stratum, e.report, e.metric, e.dims, e.value FROM evidence e JOIN strata s USING (stratum) "
             "WHERE s.question = ?1 ORDER BY e.rowid",
             question.id, [&](const StoredRow& row) {
               const auto& [claim, stratum] = strata.at(row.integer(0));
               question.result.claims[claim].strata[stratum].evidence.push_back(
                   {row.text(1), row.text(2), row.text(3), row.number(4)});
             });
    if (!has_needs_) return;
    read_needs(db_, question.id, [&](std::int64_t id) -> OwnedStratum& {
      const auto& [claim, stratum] = strata.at(id);
      return question.result.claims[claim].strata[stratum];
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

  /// "patch=8;depth=6" as written by MatrixCell::str.
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
    each_row(db_,
             std::string("SELECT report, analyzer, reason, failed, ") + (has_lacks_ ? "lacks" : "''") +
                 " FROM skipped WHERE question = ?1 ORDER BY rowid",
             question.id, [&](const StoredRow& row) {
               question.result.skips.push_back(
                   {row.text(0), row.text(1), row.text(2), row.flag(3), SkipCause::kOther, row.text(4)});
             });
    each_row(
        db_, "SELECT report, name, severity, count, text FROM issues WHERE question = ?1 ORDER BY rowid", question.id,
        [&](const StoredRow& row) {
          question.issues.push_back(
              {row.text(0), {row.text(1), row.named(2, Severity::kError, severity_name), row.integer(3), row.text(4)}});
        });
  }

  /// Facts of the question's reports. Those on which questions disagree have the question as a dim.
  void read_facts(StoredQuestion& question) {
    each_row(db_,
             "SELECT report, metric, dims, value FROM facts WHERE report IN (SELECT report FROM reports WHERE "
             "question = ?1)",
             question.id, [&](const StoredRow& row) { add_fact(question, row); });
    for (StoredReport& report : question.reports) {
      sort_distinct(report.facts, "a fact", [](const Fact& fact) { return std::tie(fact.metric, fact.dims); });
    }
  }

  void add_fact(StoredQuestion& question, const StoredRow& row) {
    std::string dims = row.text(2);
    const std::string metric = row.text(1);
    if (!are_pairs(dims)) throw DamagedResults("the dims of a fact are not 'key=value' pairs");
    const auto declared = std::lower_bound(metrics_.begin(), metrics_.end(), metric,
                                           [](const OwnedMetric& m, const std::string& id) { return m.id < id; });
    if (declared == metrics_.end() || declared->id != metric) throw DamagedResults("a fact has no metric of it");
    if (const auto other = dim_value(dims, "question")) {
      if (*other != question.id) return;
      dims = without_question(dims);
    }
    find(question, row.text(0)).facts.push_back({metric, dims, row.number(3), {}});
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

  template <class Key>
  static std::size_t index_of(const std::map<Key, std::size_t>& places, const Key& key) {
    const auto at = places.find(key);
    if (at == places.end()) throw DamagedResults("evidence or a stratum belongs to nothing in it");
    return at->second;
  }

  sqlite3* db_;
  bool has_sources_, has_needs_, has_lacks_, with_facts_;
  std::vector<OwnedMetric> metrics_;
};

std::filesystem::path database_of(const std::filesystem::path& out) {
  std::error_code failed;
  return std::filesystem::is_directory(out, failed) ? out / "results.sqlite" : out;
}

/// An unreadable result does not list its files, so a new run into its folder needs --force.
constexpr const char* kAgain = "run 'assay run' again, with -o into another folder or with --force into this one";

Error version_error(const std::filesystem::path& file, std::int64_t version) {
  const bool newer = version > kResultsVersion;
  return Error{fmt::format("'{}' was {} version of assay (its results have version {}, {} {} to {})", file.string(),
                           newer ? "written by a newer" : "not written by this", version,
                           newer ? "this assay reads" : "expected", kOldestResults, kResultsVersion)}
      .at(file.string())
      .advise(newer ? "update assay, or write them again with this one" : kAgain);
}

}  // namespace

Result<std::vector<StoredQuestion>> read_results(const std::filesystem::path& out, bool with_facts) {
  const std::filesystem::path file = database_of(out);
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) {
    if (files::is_half_filled(out)) {
      return Error{"the results in '" + out.string() +
                   "' are not complete: a run is writing them, or was killed while it did"}
          .at(out.string())
          .advise("wait for it, or run 'assay run' again");
    }
    return Error{fmt::format("there are no results in '{}': expected a folder that 'assay run -o' wrote, with "
                             "results.sqlite in it",
                             out.string())}
        .at(out.string());
  }
  try {
    const sqlite::Database db = open_results(file);
    std::int64_t version = 0;
    each_row(db.get(), "PRAGMA user_version", "",
             [&](const StoredRow& row) { version = row.integer(0, std::numeric_limits<std::int64_t>::min()); });
    if (version > kResultsVersion || version < kOldestResults) return version_error(file, version);
    each_row(db.get(), "PRAGMA integrity_check(1)", "", [](const StoredRow& row) {
      if (row.text(0) != "ok") throw DamagedResults("it is damaged");
    });
    refuse_orphans(db.get(), version);
    return ResultsReader(db.get(), version, with_facts).read();
  } catch (const std::exception& e) {
    return Error{fmt::format("'{}' cannot be read as results of assay ({})", file.string(), one_line(e.what()))}
        .at(file.string())
        .advise(kAgain);
  }
}

}  // namespace assay
