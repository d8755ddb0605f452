#include "pipeline/outcome.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "assay/words.hpp"

namespace assay {
namespace {

bool failed_for_question(const std::vector<Skip>& skips, std::string_view analyzer) {
  return std::ranges::any_of(
      skips, [&](const Skip& skip) { return skip.failed && skip.report.empty() && skip.analyzer == analyzer; });
}

bool failed_on(const ReportResult& report, std::string_view analyzer) {
  return std::ranges::any_of(report.skips, [&](const Skip& skip) { return skip.failed && skip.analyzer == analyzer; });
}

/// Whether its constructor or conclude failed, or its analyze failed on every report that was read.
bool failed_everywhere(const QuestionRun& run, std::string_view analyzer) {
  if (failed_for_question(run.result.skips, analyzer)) return true;
  const auto& reports = run.reports;
  const bool any = std::ranges::any_of(reports, [](const ReportRun& r) { return r.result.loaded; });
  return any && std::ranges::all_of(
                    reports, [&](const ReportRun& r) { return !r.result.loaded || failed_on(r.result, analyzer); });
}

struct Tally {
  std::size_t unread = 0, lacking = 0, failures = 0;
};

Tally tally(const RunResult& run) {
  Tally sum;
  for (const QuestionRun& question : run.each_question()) {
    const std::vector<std::string>& unreadable = question.result.completeness.unreadable;
    std::set<std::string_view> unread(unreadable.begin(), unreadable.end());
    for (const ReportRun& report : question.reports) {
      if (report.result.lacking)
        ++sum.lacking;
      else if (!report.result.loaded)
        unread.insert(report.file.name);
    }
    sum.unread += unread.size();
    const auto& skips = question.result.skips;
    sum.failures += static_cast<std::size_t>(
        std::ranges::count_if(skips, [](const Skip& skip) { return skip.failed && !skip.analyzer.empty(); }));
  }
  return sum;
}

}  // namespace

std::optional<std::string> total_failure(const RunResult& run) {
  bool any_report = false, any_analyzer = false;
  for (const QuestionRun& question : run.each_question()) {
    for (const ReportRun& report : question.reports) any_report = any_report || report.result.loaded;
    for (const PlannedAnalyzer& analyzer : question.planned.analyzers) {
      any_analyzer = any_analyzer || !failed_everywhere(question, analyzer.plugin->id());
    }
  }
  if (!any_report) {
    return "no profile could be read, so nothing was measured; 'skipped' and 'issues' in findings.json give the "
           "reasons (see also 'assay list')";
  }
  if (!any_analyzer) return "every analyzer failed; 'skipped' in findings.json gives the reasons";
  return std::nullopt;
}

std::optional<std::string> partial_failure(const RunResult& run) {
  const Tally sum = tally(run);
  if (sum.unread + sum.lacking + sum.failures == 0) return std::nullopt;
  return fmt::format(
      "--strict: {} not read, {} without data that an analyzer needs, {} of analyzers; 'skipped' in findings.json "
      "lists them",
      counted(sum.unread, "profile"), counted(sum.lacking, "profile"), counted(sum.failures, "failure"));
}

std::string no_decision(std::size_t claims) {
  return claims == 0 ? "--gate: no question makes a claim, so there was nothing to decide; add a [[claim]]"
                     : "--gate: none of " + counted(claims, "claim") +
                           " is decided, so the gate neither passed nor failed; record repeat runs";
}

}  // namespace assay
