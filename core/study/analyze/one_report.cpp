#include "analyze/one_report.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "algo/short_name.hpp"
#include "analyze/current_analyzer.hpp"
#include "analyze/masked_report.hpp"
#include "load/columns.hpp"

namespace assay {
namespace {

template <class T>
void move_to(std::vector<T>& to, std::vector<T>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

AnalyzerOutput only_skip(const Report& report, const Descriptor& by, std::string reason, bool failed) {
  AnalyzerOutput output;
  output.skips.push_back({text_of(report.path), text_of(by.id), std::move(reason), failed});
  output.lacking = !failed;
  return output;
}

/// Columns that the analyzer wants and the report lacks. A missing table does not count: that it was not captured is
/// reported separately.
std::vector<AbsentWant> absent_wants(const Descriptor& declared, const Report& report) {
  std::vector<AbsentWant> absent;
  for (const ColumnId want : declared.wants) {
    const ColumnInfo* info = find_column(want);
    if (info != nullptr && info->is_absent_from(report))
      absent.push_back({text_of(declared.id), std::string(info->name)});
  }
  return absent;
}

AnalyzerOutput with(AnalyzerOutput output, std::vector<AbsentWant> absent) {
  output.absent = std::move(absent);
  return output;
}

}  // namespace

std::optional<AnalyzerOutput> unmet_need(const Descriptor& declared, const Report& report) {
  for (const ColumnId need : declared.needs) {
    std::string reason = missing_need(report, need);
    if (reason.empty()) continue;
    AnalyzerOutput output = only_skip(report, declared, std::move(reason), false);
    const ColumnInfo* column = find_column(need);
    output.skips.front().lacks = column == nullptr ? "a column unknown to this host" : column->name;
    return output;
  }
  return std::nullopt;
}

AnalyzerOutput run_analyzer(const Descriptor& declared, const Analyzer& analyzer, const Report& report,
                            TableStream* stream) {
  std::vector<AbsentWant> absent = absent_wants(declared, report);
  if (auto unmet = unmet_need(declared, report)) return with(*std::move(unmet), std::move(absent));
  const CurrentAnalyzer current(declared.id.view(), report.path.view());
  RecordingReportSink sink(declared, text_of(report.path), stream);
  ErrorText errors;
  const MaskedReport declared_part(report, declared);
  const bool came_through = analyzer.analyze(declared_part.report(), sink, errors);
  if (stream != nullptr) stream->end(report.path.view());
  if (const std::optional<std::string> reason = failure(came_through, errors, sink.refusal()))
    return with(only_skip(report, declared, "analyze failed: " + *reason, true), std::move(absent));
  return with(sink.release(), std::move(absent));
}

void add_output(ReportResult& result, AnalyzerOutput output) {
  move_to(result.facts, std::move(output.facts));
  move_to(result.attributes, std::move(output.attributes));
  move_to(result.tables, std::move(output.tables));
  move_to(result.rank_rows, std::move(output.rank_rows));
  move_to(result.study_rows, std::move(output.study_rows));
  move_to(result.issues, std::move(output.issues));
  move_to(result.skips, std::move(output.skips));
  move_to(result.notes, std::move(output.notes));
  move_to(result.absent, std::move(output.absent));
  result.lacking = result.lacking || output.lacking;
}

void add_issues(ReportResult& result, const IssueTable& issues) {
  for (std::size_t i = 0; i < issues.rows; ++i) {
    result.issues.push_back(
        {text_of(issues.name[i]), issues.severity[i], issues.count[i], with_short_names(text_of(issues.text[i]))});
  }
}

void sort_result(ReportResult& result) {
  sort_facts(result.facts);
  std::sort(result.attributes.begin(), result.attributes.end(),
            [](const OwnedAttribute& a, const OwnedAttribute& b) { return a.name < b.name; });
  const auto issue_key = [](const OwnedIssue& i) { return std::tie(i.name, i.text, i.severity, i.count); };
  std::sort(result.issues.begin(), result.issues.end(),
            [&](const OwnedIssue& a, const OwnedIssue& b) { return issue_key(a) < issue_key(b); });
  const auto same_issue = [&](const OwnedIssue& a, const OwnedIssue& b) { return issue_key(a) == issue_key(b); };
  result.issues.erase(std::unique(result.issues.begin(), result.issues.end(), same_issue), result.issues.end());
  std::stable_sort(result.skips.begin(), result.skips.end(), [](const Skip& a, const Skip& b) {
    return std::tie(a.analyzer, a.reason) < std::tie(b.analyzer, b.reason);
  });
  std::sort(result.absent.begin(), result.absent.end());
  // Kept until the outputs are written, for tens of thousands of reports.
  result.facts.shrink_to_fit();
  result.attributes.shrink_to_fit();
  result.tables.shrink_to_fit();
  result.issues.shrink_to_fit();
  result.skips.shrink_to_fit();
  result.absent.shrink_to_fit();
}

}  // namespace assay
