// Groups what a question left out, and issues of its reports, for people.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/outputs.hpp"
#include "render/provenance.hpp"
#include "some_of.hpp"

namespace assay {

/// Skips of one analyzer with equal reasons, and their reports.
struct SkipGroup {
  std::string analyzer;  ///< empty: the host
  std::string reason;
  bool failed = false;
  std::vector<std::string> reports;  ///< empty: it concerns the question
};
/// Failures first, then by analyzer and reason.
std::vector<SkipGroup> skip_groups(const std::vector<Skip>& skips);

/// Issues with one name, with the worst severity and an example.
struct IssueGroup {
  std::string name;
  Severity severity = Severity::kInfo;
  std::size_t reports = 0;
  std::int64_t count = 0;  ///< rows concerned, over all reports
  std::string example;     ///< text of the first report's issue
};
/// Worst first, then by name.
std::vector<IssueGroup> issue_groups(const std::vector<IssueRow>& rows);

/// Number of reports of a question, by role.
struct ReportCounts {
  std::size_t question = 0, noise = 0;
};
ReportCounts reports_of(const QuestionRun& run);

/// "38 of 39 expected runs found, 1 missing, 2 unreadable", "all 39 expected runs found". For reports that lack what an
/// analyzer needs, from `skips`: "; kernel_bound lacks kernels.grid_x in a.csv".
std::string completeness_line(const Completeness& completeness, std::size_t reports, const std::vector<Skip>& skips);

/// Incomplete parts in display order: a heading with its names.
std::vector<std::pair<const char*, std::vector<std::string>>> gaps_of(const Completeness& completeness);

/// What the reports state about their recording: "device NVIDIA H200 (36 reports), not known (2); clock 1980 MHz; ...",
/// without counts if all agree. `reports`: text attributes of each. Empty without reports.
std::string made_with_line(const ReportAttributes& reports);
std::string made_with_line(const QuestionRun& run);

/// "3 supported, 1 refuted": in the order of Verdict, without zeros.
std::string verdict_counts(const std::vector<Verdict>& verdicts);

}  // namespace assay
