// Times and throughput that the runner of an experiment, or the program itself, wrote beside the reports.
#include "assay/sdk.hpp"
#include "words.hpp"

namespace assay::runner {

class RunnerResults {
 public:
  static constexpr std::string_view kSummary =
      "Times and throughput that a runner wrote beside the reports (results.json, experiment_summary.json).";
  static constexpr MetricSpec kProduces[] = {
      {"runner.process_time_ns", "ns", Polarity::kLowerIsBetter,
       "Wall time of the whole process of a run as its runner measured it: start-up, compilation and warm-up "
       "included.",
       "wall time of the whole process"},
      {"runner.pass_time_ns", "ns", Polarity::kLowerIsBetter,
       "Wall time of the measured pass as the program measured it: all of its batches, not those of an excerpt.",
       "wall time of the measured pass"},
      {"runner.throughput_per_s", "1/s", Polarity::kHigherIsBetter, "Throughput as the program itself reckons it.",
       "throughput as the program reckons it"},
      {"runner.batches", "1", Polarity::kNeutral, "Batches in the measured pass.", "batches in the measured pass"},
  };

  explicit RunnerResults(const Options&) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<RunTimes> runs = runs_of(view);
    if (runs.empty()) return sink.skip(kNone, "no runner wrote down any of the runs (results.json beside the reports)");
    for (const RunTimes& run : runs) {
      const auto give = [&](std::string_view metric, const std::optional<double>& value) {
        if (value) sink.report_fact(static_cast<Row>(run.report), metric, *value);
      };
      give("runner.process_time_ns", run.process_ns);
      give("runner.pass_time_ns", run.pass_ns);
      give("runner.throughput_per_s", run.per_second);
      give("runner.batches", run.batches);
    }
    sink.finding(summary(view, runs));
    sink.table(run_table(view, runs));
  }
};

ASSAY_PLUGIN("runner_results", "1.0.0", RunnerResults);

}  // namespace assay::runner
