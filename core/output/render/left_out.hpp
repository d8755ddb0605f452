// What a question left out and what was wrong with its reports, in groups that a person can read.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/outputs.hpp"
#include "render/provenance.hpp"
#include "some_of.hpp"

namespace assay {

/// Equal reasons of equal analyzers, with the reports they concern.
struct SkipGroup {
  std::string analyzer;  ///< empty: the host
  std::string reason;
  bool failed = false;
  std::vector<std::string> reports;  ///< empty: concerns the question
};
/// Failures first, then by analyzer and reason.
std::vector<SkipGroup> skip_groups(const std::vector<Skip>& skips);

/// Equal names of issues, with the worst severity and one example.
struct IssueGroup {
  std::string name;
  Severity severity = Severity::kInfo;
  std::size_t reports = 0;
  std::int64_t count = 0;  ///< rows concerned, over all reports
  std::string example;     ///< text of the first report's issue
};
/// Worst first, then by name.
std::vector<IssueGroup> issue_groups(const std::vector<IssueRow>& rows);

/// How many reports a question saw, by what they are for.
struct ReportCounts {
  std::size_t question = 0, noise = 0;
};
ReportCounts reports_of(const QuestionRun& run);

/// "38 of 39 expected runs found, 1 missing, 2 unreadable", "all 39 expected runs found".
/// Of reports that lack what an analyzer needs, `skips` say who lacks what: "; kernel_bound lacks kernels.grid_x in
/// a.csv".
std::string completeness_line(const Completeness& completeness, std::size_t reports, const std::vector<Skip>& skips);

/// What is incomplete, in the order in which it is shown: a heading, and its names.
std::vector<std::pair<const char*, std::vector<std::string>>> gaps_of(const Completeness& completeness);

/// What the reports that were read say of where they were made: "device NVIDIA H200 (36 reports), not known (2); clock
/// 1980 MHz; ...", without numbers where all say the same. `reports`: text attributes of each. Empty without reports.
std::string made_with_line(const ReportAttributes& reports);
std::string made_with_line(const QuestionRun& run);

/// "3 supported, 1 refuted": in the order of Verdict, zeros left out.
std::string verdict_counts(const std::vector<Verdict>& verdicts);

}  // namespace assay
