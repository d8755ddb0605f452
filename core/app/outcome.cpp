#include "app/outcome.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "render/format.hpp"

namespace assay {
namespace {

bool failed_for_question(const std::vector<Skip>& skips, std::string_view analyzer) {
  return std::any_of(skips.begin(), skips.end(),
                     [&](const Skip& skip) { return skip.failed && skip.report.empty() && skip.analyzer == analyzer; });
}

bool failed_on(const ReportResult& report, std::string_view analyzer) {
  return std::any_of(report.skips.begin(), report.skips.end(),
                     [&](const Skip& skip) { return skip.failed && skip.analyzer == analyzer; });
}

/// Its constructor or conclude failed, or its analyze failed on every report that was read.
bool failed_everywhere(const RunResult& run, std::size_t question, std::string_view analyzer) {
  if (failed_for_question(run.questions[question].skips, analyzer)) return true;
  const auto& reports = run.analysis.questions[question];
  const bool any = std::any_of(reports.begin(), reports.end(), [](const ReportResult& r) { return r.loaded; });
  return any && std::all_of(reports.begin(), reports.end(),
                            [&](const ReportResult& r) { return !r.loaded || failed_on(r, analyzer); });
}

struct Tally {
  std::size_t unread = 0, lacking = 0, failures = 0;
};

Tally tally(const RunResult& run) {
  Tally sum;
  for (std::size_t q = 0; q < run.questions.size(); ++q) {
    std::set<std::string_view> unread(run.questions[q].completeness.unreadable.begin(),
                                      run.questions[q].completeness.unreadable.end());
    const auto& entries = run.catalog->questions[q].entries;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const ReportResult& report = run.analysis.questions[q][e];
      if (report.lacking)
        ++sum.lacking;
      else if (!report.loaded)
        unread.insert(run.catalog->files[entries[e].file].name);
    }
    sum.unread += unread.size();
    const auto& skips = run.questions[q].skips;
    sum.failures += static_cast<std::size_t>(std::count_if(
        skips.begin(), skips.end(), [](const Skip& skip) { return skip.failed && !skip.analyzer.empty(); }));
  }
  return sum;
}

}  // namespace

std::optional<std::string> total_failure(const RunResult& run) {
  bool any_report = false, any_analyzer = false;
  for (std::size_t q = 0; q < run.questions.size(); ++q) {
    for (const ReportResult& report : run.analysis.questions[q]) any_report = any_report || report.loaded;
    for (const PlannedAnalyzer& analyzer : run.plan->questions[q].analyzers) {
      any_analyzer = any_analyzer || !failed_everywhere(run, q, analyzer.plugin->id());
    }
  }
  if (!any_report) {
    return "no report could be read, so nothing was measured; 'skipped' and 'issues' in findings.json say why for each "
           "(see also 'assay list')";
  }
  if (!any_analyzer) return "every analyzer failed; 'skipped' in findings.json says why for each";
  return std::nullopt;
}

std::optional<std::string> partial_failure(const RunResult& run) {
  const Tally sum = tally(run);
  if (sum.unread + sum.lacking + sum.failures == 0) return std::nullopt;
  return "--strict: " + counted(sum.unread, "report") + " not read, " + counted(sum.lacking, "report") +
         " without what an analyzer needs, " + counted(sum.failures, "failure") +
         " of analyzers; 'skipped' in findings.json says which";
}

std::vector<std::string> refuted_claims(const RunResult& run) {
  std::vector<std::string> ids;
  for (std::size_t q = 0; q < run.questions.size(); ++q) {
    for (const OwnedClaim& claim : run.questions[q].claims) {
      if (claim.verdict == Verdict::kRefuted) ids.push_back(run.plan->questions[q].question->id + ": " + claim.id);
    }
  }
  return ids;
}

}  // namespace assay
