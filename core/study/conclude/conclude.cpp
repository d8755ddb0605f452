#include "conclude/conclude.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "analyze/current_analyzer.hpp"
#include "analyze/isolated.hpp"
#include "analyze/result_cache.hpp"
#include "assay/quantity.hpp"
#include "conclude/measured.hpp"
#include "conclude/mixture.hpp"
#include "conclude/stored_conclusion.hpp"
#include "conclude/study_sink.hpp"
#include "conclude/study_tables.hpp"
#include "conclude/untestable.hpp"
#include "config/claim_keys.hpp"
#include "discover/completeness.hpp"

namespace assay {
namespace {

/// Value of a key as texts.
struct Texts {
  std::vector<std::string> operator()(bool value) const { return {value ? "true" : "false"}; }
  std::vector<std::string> operator()(std::int64_t value) const { return {std::to_string(value)}; }
  std::vector<std::string> operator()(double value) const { return {exact(value)}; }
  std::vector<std::string> operator()(const std::string& value) const { return {value}; }
  std::vector<std::string> operator()(const std::vector<std::string>& values) const { return values; }
  std::vector<std::string> operator()(const std::vector<double>& values) const {
    std::vector<std::string> out;
    for (const double value : values) out.push_back(exact(value));
    return out;
  }
};

/// Effect kind for a claim's `compare`, so that the range of an untestable ratio is not shown as a time.
EffectKind kind_of(std::string_view compare) {
  return compare == "ratio" ? EffectKind::kRatio : compare == "step" ? EffectKind::kDifference : EffectKind::kLevel;
}

/// A claim before it is judged: its keys as given, and the range if its judge has `between`.
OwnedClaim claim_to_judge(const PlannedClaim& claim, const std::vector<OwnedMetric>& metrics) {
  OwnedClaim out{claim.config->id,     claim.config->text,     claim.config->source,
                 Verdict::kUntestable, "no verdict was given", {}};
  for (const OptionSet::Entry& entry : claim.keys.entries()) {
    if (entry.given && entry.name != kClaimedRange) out.keys.emplace_back(entry.name, std::visit(Texts{}, entry.value));
  }
  const ClaimShape shape = claim_shape(claim.keys.entries());
  if (shape.between.size() != 2) return out;
  const EffectKind kind = kind_of(shape.compare);
  const auto declared = std::ranges::find_if(metrics, [&](const OwnedMetric& m) { return m.id == shape.metric; });
  const std::string unit = declared == metrics.end() ? "" : declared->unit;
  out.claimed =
      ClaimedRange{shape.metric, kind == EffectKind::kRatio ? "1" : unit, kind, shape.between[0], shape.between[1]};
  return out;
}

/// After judging, the range gets the kind and unit of the effects.
void set_claimed_range(OwnedClaim& claim) {
  if (!claim.claimed) return;
  for (const OwnedStratum& stratum : claim.strata) {
    if (!stratum.effect) continue;
    claim.claimed->kind = stratum.effect->kind;
    claim.claimed->unit = stratum.effect->unit;
    return;
  }
}

void insert_sorted(std::vector<std::string>& names, const std::string& name) {
  const auto at = std::ranges::lower_bound(names, name);
  if (at == names.end() || *at != name) names.insert(at, name);
}

/// Completeness with `lacking` filled, unreadable reports listed as such, and matrix cells without another report
/// counted as missing.
Completeness completeness_after_reading(const AnalyzedQuestion& question) {
  const QuestionCatalog& found = question.found;
  const std::vector<ReportResult>& reports = question.reports;
  Completeness completeness = found.completeness;
  QuestionCatalog usable;
  usable.runs = found.runs;
  for (std::size_t e = 0; e < reports.size(); ++e) {
    const std::string& name = question.name_of(e);
    const bool unreadable = !reports[e].loaded && !reports[e].lacking;
    if (reports[e].lacking) insert_sorted(completeness.lacking, name);
    if (unreadable) {
      insert_sorted(completeness.unreadable, name);
    } else {
      usable.entries.push_back(found.entries[e]);
    }
  }
  count_expected(*question.planned.question, question.catalog.files, usable);
  completeness.expected = usable.completeness.expected;
  completeness.present = usable.completeness.present;
  completeness.missing = std::move(usable.completeness.missing);
  return completeness;
}

/// Metrics declared by the analyzers, and given ones that they do not declare.
std::vector<OwnedMetric> metrics_of(const std::vector<PlannedAnalyzer>& analyzers,
                                    const std::vector<OwnedMetric>& given) {
  std::vector<OwnedMetric> metrics;
  for (const PlannedAnalyzer& analyzer : analyzers) {
    const Descriptor& declared = analyzer.plugin->descriptor();
    for (const MetricSpec& m : declared.produces) {
      metrics.push_back({text_of(m.id), text_of(m.unit), text_of(m.definition), text_of(declared.id), m.polarity,
                         text_of(m.title), m.extensive});
    }
  }
  metrics.insert(metrics.end(), given.begin(), given.end());
  std::ranges::stable_sort(metrics, [](const OwnedMetric& a, const OwnedMetric& b) { return a.id < b.id; });
  const auto repeated = std::unique(metrics.begin(), metrics.end(),
                                    [](const OwnedMetric& a, const OwnedMetric& b) { return a.id == b.id; });
  metrics.erase(repeated, metrics.end());
  return metrics;
}

std::vector<OwnedClaim> claims_of(const std::vector<PlannedClaim>& planned, const std::vector<OwnedMetric>& metrics) {
  std::vector<OwnedClaim> claims;
  for (const PlannedClaim& claim : planned) claims.push_back(claim_to_judge(claim, metrics));
  return claims;
}

/// State of one question while its analyzers conclude.
class Conclusion {
 public:
  Conclusion(const AnalyzedQuestion& question, const Sheets& sheets, const ConcludeSettings& settings)
      : question_(question),
        planned_(question.planned),
        reports_(question.reports),
        cache_(settings.cache),
        isolated_(settings.isolated),
        metrics_(metrics_of(planned_.analyzers, settings.given)),
        tables_(question, sheets.read, metrics_) {
    for (const auto& [report, reason] : question.found.left_out) result_.skips.push_back({report, "", reason});
    for (const SheetProblem& problem : sheets.problems) result_.skips.push_back({problem.path, "", problem.sentence});
    result_.metrics = metrics_;
    result_.claims = claims_of(planned_.claims, metrics_);
    result_.findings = damaged_profiles(question);
    for (OwnedFinding& finding : mixtures(question)) result_.findings.push_back(std::move(finding));
    result_.completeness = completeness_after_reading(question);
    tables_.set_facts(result_.study_facts, reports_);
  }

  /// Adds the conclusion of one analyzer, from the cache or by calling it.
  void run(const PlannedAnalyzer& planned, const Analyzer& analyzer) {
    const Plugin& plugin = *planned.plugin;
    if ((plugin.descriptor().stages & kStageConclude) == 0) return;
    if (std::optional<StudyOutput> known = remembered(planned)) {
      ++result_.recalled;
      return add(*std::move(known), plugin);
    }
    Result<StudyOutput> fresh = concluded(plugin.descriptor(), analyzer);
    if (!fresh) return fail({"", std::string(plugin.id()), fresh.error().sentence, true}, plugin);
    if (cache_ != nullptr) cache_->store_given(kStageConclude, planned, seen(), to_bytes(*fresh));
    add(*std::move(fresh), plugin);
  }

  /// Records that an analyzer produced nothing for this question.
  void fail(Skip skip, const Plugin& plugin) {
    if (planned_.judge == &plugin) {
      for (OwnedClaim& claim : result_.claims)
        claim.reason = fmt::format("the judge '{}' failed: {}", skip.analyzer, skip.reason);
    }
    result_.skips.push_back(std::move(skip));
  }

  QuestionResult finish() {
    tables_.copy_doubts(reports_);
    answer_by_facts();
    for (OwnedFinding& finding : untestable_claims(question_, result_.claims))
      result_.findings.push_back(std::move(finding));
    const std::vector<std::string>& named = planned_.question->answered_by;
    const auto priority_of = [&](const OwnedFinding& f) -> std::ptrdiff_t {
      if (f.analyzer.empty()) return -1;
      const std::ptrdiff_t last = std::ssize(named) + 1;
      return f.role == FindingRole::kAnswer ? std::ranges::find(named, f.analyzer) - named.begin() : last;
    };
    std::ranges::stable_sort(result_.findings, [&](const OwnedFinding& a, const OwnedFinding& b) {
      return priority_of(a) < priority_of(b);
    });
    for (const ReportResult& report : reports_) {
      result_.skips.insert(result_.skips.end(), report.skips.begin(), report.skips.end());
    }
    skip_absent_wants();
    const auto key = [](const Skip& s) { return std::tie(s.report, s.analyzer, s.reason, s.failed); };
    std::ranges::sort(result_.skips, [&](const Skip& a, const Skip& b) { return key(a) < key(b); });
    const auto equal = [&](const Skip& a, const Skip& b) { return key(a) == key(b); };
    result_.skips.erase(std::unique(result_.skips.begin(), result_.skips.end(), equal), result_.skips.end());
    return std::move(result_);
  }

 private:
  void add(StudyOutput output, const Plugin& plugin) {
    const auto append = [](auto& to, auto& from) { std::ranges::move(from, std::back_inserter(to)); };
    for (OwnedFinding& finding : output.findings) {
      if (finding.role == FindingRole::kAnswer && !answers(finding.analyzer)) finding.role = FindingRole::kEvidence;
    }
    append(result_.findings, output.findings);
    append(result_.tables, output.tables);
    append(result_.plots, output.plots);
    append(result_.text_files, output.text_files);
    append(result_.skips, output.skips);
    append(result_.notes, output.notes);
    if (planned_.judge == &plugin) {
      for (auto& [row, given] : output.verdicts) {
        OwnedClaim& claim = result_.claims[row];
        claim.verdict = given.verdict;
        claim.reason = std::move(given.reason);
        claim.strata = std::move(given.strata);
        set_claimed_range(claim);
      }
    }
    if (!output.facts.empty()) add_facts(output.facts);
  }

  /// Output of the analyzer, or why there is none.
  [[nodiscard]] Result<StudyOutput> concluded(const Descriptor& declared, const Analyzer& analyzer) const {
    if (const auto died = rehearsal(declared, analyzer)) return Error{"conclude " + *died};
    const CurrentAnalyzer current(declared.id.view(), planned_.question->id);
    RecordingStudySink sink(declared, tables_.study());
    ErrorText errors;
    const bool came_through = analyzer.conclude(tables_.study(), sink, errors);
    if (const auto reason = failure(came_through, errors, sink.refusal())) return Error{"conclude failed: " + *reason};
    return sink.release();
  }

  [[nodiscard]] std::optional<StudyOutput> remembered(const PlannedAnalyzer& planned) {
    if (cache_ == nullptr) return std::nullopt;
    const auto bytes = cache_->given(kStageConclude, planned, seen());
    return bytes ? conclusion_from_bytes(*bytes, planned.plugin->descriptor(), tables_.study()) : std::nullopt;
  }

  /// Digest of everything that the next analyzer sees.
  [[nodiscard]] const std::string& seen() {
    if (seen_.empty()) seen_ = files::hex(seen_digest(tables_.study(), planned_.claims));
    return seen_;
  }

  /// Outcome of the analyzer's rehearsal in its own process; empty if it succeeded.
  [[nodiscard]] std::optional<std::string> rehearsal(const Descriptor& declared, const Analyzer& analyzer) const {
    if (isolated_ == nullptr) return std::nullopt;
    return rehearse(*isolated_, [&] {
      RecordingStudySink sink(declared, tables_.study());
      ErrorText errors;
      analyzer.conclude(tables_.study(), sink, errors);
    });
  }

  /// Adds a skip per analyzer that wants columns which no report has.
  void skip_absent_wants() {
    std::optional<std::vector<AbsentWant>> everywhere;
    for (const ReportResult& report : reports_) {
      if (!report.loaded) continue;
      std::vector<AbsentWant> both;
      if (everywhere) {
        std::set_intersection(everywhere->begin(), everywhere->end(), report.absent.begin(), report.absent.end(),
                              std::back_inserter(both));
      }
      if (everywhere)
        everywhere = std::move(both);
      else
        everywhere = report.absent;
    }
    std::map<std::string, std::string> columns;
    for (const auto& [analyzer, column] : everywhere.value_or(std::vector<AbsentWant>{}))
      columns[analyzer] += (columns[analyzer].empty() ? "" : ", ") + column;
    for (const auto& [analyzer, names] : columns)
      result_.skips.push_back({.report = "",
                               .analyzer = analyzer,
                               .reason = "no profile has " + names + ", which it would use",
                               .hint = true});
  }

  /// If no analyzer concludes, the measurements are the answer.
  void answer_by_facts() {
    // If an analyzer named in answered_by fails to answer, the question still has a conclusion.
    const bool concluded = std::ranges::any_of(
        result_.findings, [](const OwnedFinding& f) { return !f.analyzer.empty(); });  // not the host's
    if (concluded || !result_.claims.empty() || !planned_.question->answered_by.empty()) return;
    std::optional<MeasuredAnswer> facts = measured(question_, metrics_);
    if (!facts) return;
    result_.findings.push_back(std::move(facts->answer));
    result_.tables.push_back(std::move(facts->table));
  }

  [[nodiscard]] bool answers(const std::string& analyzer) const {
    const std::vector<std::string>& named = planned_.question->answered_by;
    return named.empty() || std::ranges::find(named, analyzer) != named.end();
  }

  /// Derived facts join those of their report, so that later analyzers and all outputs see them.
  void add_facts(std::vector<std::pair<Row, Fact>>& facts) {
    std::set<std::vector<Fact>*> joined;
    for (auto& [report, fact] : facts) {
      std::vector<Fact>& others = report == kNone ? result_.study_facts : reports_[tables_.entry_of(report)].facts;
      others.push_back(std::move(fact));
      joined.insert(&others);
    }
    for (std::vector<Fact>* of_one : joined) sort_facts(*of_one);
    tables_.set_facts(result_.study_facts, reports_);
    seen_.clear();
  }

  const AnalyzedQuestion& question_;
  const PlannedQuestion& planned_;
  std::vector<ReportResult>& reports_;
  const ResultCache* cache_;
  const process::Limits* isolated_;
  std::vector<OwnedMetric> metrics_;
  StudyTables tables_;
  std::string seen_;  ///< empty: unknown since the facts changed
  QuestionResult result_;
};

}  // namespace

QuestionResult conclude(const AnalyzedQuestion& question, const Analyzers& analyzers, const Sheets& sheets,
                        const ConcludeSettings& settings) {
  const std::vector<PlannedAnalyzer>& planned = question.planned.analyzers;
  Conclusion conclusion(question, sheets, settings);
  for (const Skip& skip : analyzers.failures()) {
    const auto failed = std::ranges::find_if(
        planned, [&](const PlannedAnalyzer& analyzer) { return analyzer.plugin->id() == skip.analyzer; });
    conclusion.fail(skip, *failed->plugin);
  }
  for (std::size_t a = 0; a < planned.size(); ++a) {
    if (const Analyzer* analyzer = analyzers.at(a)) conclusion.run(planned[a], *analyzer);
  }
  return conclusion.finish();
}

}  // namespace assay
