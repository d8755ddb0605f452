// Times and throughput recorded next to the reports by the runner of an experiment or by the program itself.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/output.hpp"
#include "assay/sdk.hpp"
#include "assay/sheets.hpp"
#include "assay/words.hpp"

namespace assay::runner {
namespace {

/// The run of one report; empty for a report unknown to all runners.
struct RunTimes {
  std::size_t report = 0;            ///< row of reports
  std::string source;                ///< the runner's files with the values
  std::optional<double> process_ns;  ///< of the whole process
  std::optional<double> pass_ns;     ///< of the measured pass
  std::optional<double> per_second;  ///< throughput as computed by the program
  std::optional<double> batches;     ///< in the measured pass
};

/// Runs recorded by the runners of the question, including those without a report.
struct Outcomes {
  std::size_t succeeded = 0;  ///< not marked as failed, with a time or a throughput
  std::size_t failed = 0;
  std::size_t unknown = 0;  ///< neither: only a name and settings are recorded
};

constexpr std::string_view kSheet = "runner";  // the host's sheet of all runners' files
constexpr double kNsPerS = 1e9;

/// Columns of the host's sheet, by name.
class SheetRow {
 public:
  SheetRow(const Sheet& sheet, std::size_t row) : sheet_(sheet), row_(row) {}

  [[nodiscard]] std::string_view text(std::string_view column) const {
    const auto at = sheet_.column(column);
    return at ? sheet_.text(row_, *at) : std::string_view();
  }
  void fill(std::optional<double>& value, std::string_view column, double unit) const {
    const auto at = sheet_.column(column);
    const auto number = at ? sheet_.number(row_, *at) : std::nullopt;
    if (!value && number) value = *number * unit;
  }

 private:
  const Sheet& sheet_;
  std::size_t row_;
};

/// Runs of reports of the question, sorted by report. If several files have a run, the first value counts: the host
/// lists the files nearest to the report first.
std::vector<RunTimes> runs_of(const StudyView& view) {
  std::map<std::string_view, std::size_t> reports;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (!view.is_noise(r)) reports.emplace(view.path(r), r);
  }
  std::map<std::size_t, RunTimes> runs;
  for (const Sheet& sheet : sheets_of(view.study(), kSheet)) {
    for (std::size_t i = 0; i < sheet.rows(); ++i) {
      const SheetRow row(sheet, i);
      const auto report = reports.find(row.text("report"));
      if (report == reports.end()) continue;
      RunTimes& run = runs[report->second];
      run.report = report->second;
      run.source += (run.source.empty() ? "" : ", ") + std::string(row.text("source"));
      row.fill(run.process_ns, "process_s", kNsPerS);
      row.fill(run.pass_ns, "pass_s", kNsPerS);
      row.fill(run.per_second, "throughput", 1);
      row.fill(run.batches, "batches", 1);
    }
  }
  std::vector<RunTimes> out;
  for (auto& [report, run] : runs) out.push_back(std::move(run));
  return out;
}

/// Several entries for one report, or without reports for one run name, are one run; it failed if any of them says so.
Outcomes outcomes_of(const StudyView& view) {
  std::set<std::string_view> noise;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (view.is_noise(r)) noise.insert(view.path(r));
  }
  struct RunStatement {
    bool failed = false, measured = false;
  };
  std::map<std::pair<std::string_view, std::string_view>, RunStatement> runs;  // report, or empty and the run's name
  for (const Sheet& sheet : sheets_of(view.study(), kSheet)) {
    for (std::size_t i = 0; i < sheet.rows(); ++i) {
      const SheetRow row(sheet, i);
      const std::string_view report = row.text("report");
      if (noise.contains(report)) continue;
      RunStatement& said = runs[{report, report.empty() ? row.text("run") : std::string_view()}];
      said.failed = said.failed || !row.text("failure").empty();
      for (const char* column : {"process_s", "pass_s", "throughput"})
        said.measured = said.measured || !row.text(column).empty();
    }
  }
  Outcomes out;
  for (const auto& [run, said] : runs) ++(said.failed ? out.failed : said.measured ? out.succeeded : out.unknown);
  return out;
}

/// Both times are known and the measured pass takes longer than the process that contains it.
bool impossible(const RunTimes& run) { return run.process_ns && run.pass_ns && *run.pass_ns > *run.process_ns; }

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
  return filled("The time of {} is known for {}: {}. ",
                {std::string(what), counted_of(times.size(), runs, "run"), span});
}

/// `runs` must not be empty.
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
  finding.text +=
      filled(" {} succeeded, {} failed{}",
             {counted(outcomes.succeeded, "run"), std::to_string(outcomes.failed),
              outcomes.unknown > 0 ? ", of " + std::to_string(outcomes.unknown) + " it was not recorded." : "."});
  if (wrong > 0) {
    finding.text +=
        " In " + counted(wrong, "run") + " the pass takes longer than its process, so one of the two numbers is wrong.";
  }
  return finding;
}

Table run_table(const StudyView& view, const std::vector<RunTimes>& runs) {
  Table table("runner", "What the runners recorded");
  table.column("report", "", runs, [&](const RunTimes& run) { return view.path(run.report); })
      .column("by", "", runs, &RunTimes::source)
      .column("process", "ns", runs, &RunTimes::process_ns)
      .column("measured pass", "ns", runs, &RunTimes::pass_ns)
      .column("throughput", "1/s", runs, &RunTimes::per_second)
      .column("batches", "1", runs, &RunTimes::batches);
  return table;
}

}  // namespace

class RunnerResults {
 public:
  static constexpr std::string_view kSummary =
      "Times and throughput that a runner wrote next to the profiles (results.json, experiment_summary.json).";
  static constexpr MetricSpec kProduces[] = {
      {"runner.process_time_ns", "ns", Polarity::kLowerIsBetter,
       "Wall time of the whole process of a run as its runner measured it: start-up, compilation and warm-up "
       "included.",
       "wall time of the whole process"},
      {"runner.pass_time_ns", "ns", Polarity::kLowerIsBetter,
       "Wall time of the measured pass as the program measured it: all of its batches, not only the captured ones.",
       "wall time of the measured pass"},
      {"runner.throughput_per_s", "1/s", Polarity::kHigherIsBetter, "Throughput as the program itself computes it.",
       "throughput as the program computes it"},
      {"runner.batches", "1", Polarity::kNeutral, "Batches in the measured pass.", "batches in the measured pass"},
      {"runner.run_count", "1", Polarity::kNeutral,
       "Runs that the runners recorded, including those without a profile; dims: outcome=succeeded|failed|unknown "
       "(unknown: neither a failure nor a time or throughput was recorded).",
       "runs by outcome"},
      {"runner.success_ratio", "ratio", Polarity::kHigherIsBetter,
       "Runs that succeeded over those that succeeded or failed, of all that the runners recorded.",
       "share of runs that succeeded"},
  };

  explicit RunnerResults(const Options&) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<RunTimes> runs = runs_of(view);
    const Outcomes outcomes = outcomes_of(view);
    emit(outcomes, sink);
    if (runs.empty()) return sink.skip(kNone, "no runner recorded any of the runs (results.json next to the profiles)");
    for (const RunTimes& run : runs) {
      const auto emit = [&](std::string_view metric, const std::optional<double>& value) {
        if (value) sink.report_fact(static_cast<Row>(run.report), metric, *value);
      };
      emit("runner.process_time_ns", run.process_ns);
      emit("runner.pass_time_ns", run.pass_ns);
      emit("runner.throughput_per_s", run.per_second);
      emit("runner.batches", run.batches);
    }
    sink.finding(summary(view, runs, outcomes));
    sink.table(run_table(view, runs));
  }

 private:
  static void emit(const Outcomes& outcomes, StudySink& sink) {
    const auto [succeeded, failed, unknown] = outcomes;
    if (succeeded + failed + unknown == 0) return;
    sink.fact("runner.run_count", static_cast<double>(succeeded), {{"outcome", "succeeded"}});
    sink.fact("runner.run_count", static_cast<double>(failed), {{"outcome", "failed"}});
    sink.fact("runner.run_count", static_cast<double>(unknown), {{"outcome", "unknown"}});
    if (succeeded + failed == 0) {
      return sink.skip(kNone, "runner.success_ratio: no run has a recorded outcome");
    }
    sink.fact("runner.success_ratio", static_cast<double>(succeeded) / static_cast<double>(succeeded + failed));
  }
};

ASSAY_PLUGIN("runner_results", "1.0.0", RunnerResults);

}  // namespace assay::runner
