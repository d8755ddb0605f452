#include "render/left_out.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "assay/words.hpp"
#include "render/format.hpp"

namespace assay {

std::vector<SkipGroup> skip_groups(const std::vector<Skip>& skips) {
  std::map<std::tuple<bool, std::string, std::string>, std::set<std::string>> grouped;
  for (const Skip& skip : skips) {
    auto& reports = grouped[{!skip.failed, skip.analyzer, skip.reason}];
    if (!skip.report.empty()) reports.insert(skip.report);
  }
  std::vector<SkipGroup> groups;
  for (const auto& [key, reports] : grouped) {
    groups.push_back({std::get<1>(key), std::get<2>(key), !std::get<0>(key), {reports.begin(), reports.end()}});
  }
  return groups;
}

std::vector<IssueGroup> issue_groups(const std::vector<IssueRow>& rows) {
  std::map<std::string, IssueGroup> by_name;
  std::map<std::string, std::set<std::string>> reports;
  for (const auto& [report, issue] : rows) {
    IssueGroup& group = by_name[issue.name];
    if (group.name.empty()) group = {issue.name, issue.severity, 0, 0, issue.text};
    group.severity = std::max(group.severity, issue.severity);
    group.count += issue.count;
    if (!report.empty()) reports[issue.name].insert(report);
  }
  std::vector<IssueGroup> groups;
  for (auto& [name, group] : by_name) {
    group.reports = reports[name].size();
    groups.push_back(std::move(group));
  }
  std::ranges::stable_sort(groups, [](const IssueGroup& a, const IssueGroup& b) { return a.severity > b.severity; });
  return groups;
}

ReportCounts reports_of(const QuestionRun& run) {
  ReportCounts counts;
  for (const CatalogEntry& entry : run.found.entries) {
    ++(entry.role == ReportRole::kNoise ? counts.noise : counts.question);
  }
  return counts;
}

namespace {

/// "; kernel_bound lacks kernels.grid_x in a.sqlite and 2 more"; if no analyzer could run, the window is missing.
std::string lacking_text(const std::vector<std::string>& lacking, const std::vector<Skip>& skips) {
  constexpr std::size_t kMaxNames = 2;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> reports;  // by analyzer and what it lacks
  for (const Skip& skip : skips) {
    if (skip.failed || !std::ranges::binary_search(lacking, skip.report)) continue;
    if (skip.analyzer.empty()) reports[{"the question", "its window"}].insert(skip.report);
    if (!skip.analyzer.empty() && !skip.lacks.empty()) reports[{skip.analyzer, skip.lacks}].insert(skip.report);
  }
  std::string text;
  for (const auto& [who_and_what, names] : reports)
    text += fmt::format("; {} lacks {} in {}", who_and_what.first, who_and_what.second,
                        some_of({names.begin(), names.end()}, kMaxNames));
  return text;
}

}  // namespace

std::vector<std::pair<const char*, std::vector<std::string>>> gaps_of(const Completeness& completeness) {
  std::vector<std::string> missing;
  for (const MatrixCell& cell : completeness.missing) missing.push_back(cell.with_reason());
  return {{"missing", std::move(missing)},
          {"unexpected", completeness.unexpected},
          {"duplicate, left out", completeness.duplicate},
          {"unreadable", completeness.unreadable},
          {"without data that an analyzer needs", completeness.lacking}};
}

std::string completeness_line(const Completeness& completeness, std::size_t reports, const std::vector<Skip>& skips) {
  std::string text;
  if (completeness.expected > 0) {
    const std::size_t missing = completeness.missing.size();
    // Of a configuration with several runs each profile is one.
    const bool repeated = reports > completeness.present + completeness.unexpected.size();
    const char* const one = repeated ? "configuration" : "run";
    text = missing == 0 ? "complete: " + counted_of(completeness.expected, completeness.expected, one)
                        : fmt::format("{} of {} found, {} missing", completeness.present,
                                      counted(completeness.expected, std::string("expected ") + one), missing);
    if (repeated) text += ", " + counted(reports, "profile");
  } else {
    text = counted(reports, "profile") + ", no expected matrix given";
  }
  const auto also = [&](const std::vector<std::string>& names, const char* word) {
    if (!names.empty()) text += fmt::format(", {} {}", names.size(), word);
  };
  also(completeness.unexpected, "unexpected");
  also(completeness.duplicate, "duplicate");
  also(completeness.unreadable, "unreadable");
  return text + lacking_text(completeness.lacking, skips);
}

std::string made_with_line(const ReportAttributes& reports) {
  const std::vector<Provenance::Row> rows = provenance_of(reports).rows;
  std::string line;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Provenance::Row& row = rows[i];
    const bool first = i == 0 || rows[i - 1].name != row.name;
    const bool alike = first && (i + 1 == rows.size() || rows[i + 1].name != row.name);
    if (first) line += (line.empty() ? "" : "; ") + provenance_word(row.name);
    line += (first ? " " : ", ") + (row.value.empty() ? "not known" : row.value) +
            (alike ? "" : " (" + counted(row.reports, "profile") + ")");
  }
  return line;
}

std::string made_with_line(const QuestionRun& run) { return made_with_line(attributes_of(run)); }

std::string verdict_counts(const std::vector<Verdict>& verdicts) {
  std::array<std::size_t, 4> counts{};
  for (const Verdict verdict : verdicts) ++counts[static_cast<std::size_t>(verdict)];
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], std::string(verdict_name(static_cast<Verdict>(i))));
  }
  return text;
}

}  // namespace assay
