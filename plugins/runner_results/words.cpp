#include "words.hpp"

#include <algorithm>
#include <limits>

#include "assay/words.hpp"

namespace assay::runner {
namespace {

using Member = std::optional<double> RunTimes::*;

std::vector<double> known(const std::vector<RunTimes>& runs, Member member) {
  std::vector<double> out;
  for (const RunTimes& run : runs) {
    if (run.*member) out.push_back(*(run.*member));
  }
  return out;
}

std::string range_of(std::string_view what, const std::vector<double>& times, std::size_t runs) {
  if (times.empty()) return "The time of " + std::string(what) + " is unknown for all. ";
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  const std::string span = *least == *most ? time_text(*least) : time_text(*least) + " to " + time_text(*most);
  return "The time of " + std::string(what) + " is known for " + counted_of(times.size(), runs, "run") + ": " + span +
         ". ";
}

std::vector<double> cells(const std::vector<RunTimes>& runs, Member member) {
  std::vector<double> out;
  for (const RunTimes& run : runs) out.push_back((run.*member).value_or(std::numeric_limits<double>::quiet_NaN()));
  return out;
}

}  // namespace

Finding summary(const StudyView& view, const std::vector<RunTimes>& runs, const Outcomes& outcomes) {
  std::size_t reports = 0;
  for (std::size_t r = 0; r < view.report_count(); ++r) reports += view.is_noise(r) ? 0U : 1U;
  const auto wrong = static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), impossible));
  Finding finding;
  finding.role = FindingRole::kEvidence;
  finding.title = "Runners recorded " + counted_of(runs.size(), reports, "profile");
  finding.text = range_of("the measured pass", known(runs, &RunTimes::pass_ns), runs.size()) +
                 range_of("the whole process", known(runs, &RunTimes::process_ns), runs.size()) +
                 "A process also starts up, compiles and warms up, so the two are never compared with each other.";
  finding.text += " " + counted(outcomes.succeeded, "run") + " succeeded, " + std::to_string(outcomes.failed) +
                  " failed" +
                  (outcomes.unknown > 0 ? ", of " + std::to_string(outcomes.unknown) + " it was not recorded." : ".");
  if (wrong > 0) {
    finding.text +=
        " In " + counted(wrong, "run") + " the pass takes longer than its process, so one of the two numbers is wrong.";
  }
  return finding;
}

Table run_table(const StudyView& view, const std::vector<RunTimes>& runs) {
  std::vector<std::string> reports, sources;
  for (const RunTimes& run : runs) {
    reports.emplace_back(view.path(run.report));
    sources.push_back(run.source);
  }
  Table table("runner", "What the runners recorded");
  table.add("report", "", std::move(reports));
  table.add("by", "", std::move(sources));
  table.add("process", "ns", cells(runs, &RunTimes::process_ns));
  table.add("measured pass", "ns", cells(runs, &RunTimes::pass_ns));
  table.add("throughput", "1/s", cells(runs, &RunTimes::per_second));
  table.add("batches", "1", cells(runs, &RunTimes::batches));
  return table;
}

}  // namespace assay::runner
