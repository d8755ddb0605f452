// Times and throughput that the runner of an experiment, or the program itself, wrote beside the reports.
#include "assay/sdk.hpp"
#include "words.hpp"

namespace assay::runner {

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
      const auto give = [&](std::string_view metric, const std::optional<double>& value) {
        if (value) sink.report_fact(static_cast<Row>(run.report), metric, *value);
      };
      give("runner.process_time_ns", run.process_ns);
      give("runner.pass_time_ns", run.pass_ns);
      give("runner.throughput_per_s", run.per_second);
      give("runner.batches", run.batches);
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
