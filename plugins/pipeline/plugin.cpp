// Ranks that are stages of a pipeline: compute and waiting of each, and the stage that limits.
#include "assay/sdk.hpp"
#include "emit.hpp"
#include "metrics.hpp"
#include "words.hpp"

namespace assay::pipeline {

class Pipeline {
 public:
  static constexpr std::string_view kSummary =
      "Shows the stages of a pipeline of ranks: compute, transfer and bubble of each, and which one limits.";
  static constexpr ColumnId kNeeds[] = {col::kernels, col::collectives};
  static constexpr ColumnId kWants[] = {
      col::declared, col::copies, col::sets,  col::calls,      col::call_range,
      col::ranges,   col::spans,  col::steps, col::properties, col::kernel_correlation};
  static constexpr OptionSpec kOptions[] = {
      option::number("least_excess", "0.05",
                     "The stage that limits takes at least this share more compute than the mean of the others.")
          .within(0, 1e6),
      option::number("false_names", "0.01",
                     "Maximum probability of naming a stage of a pipeline whose stages are all equal.")
          .within(1e-9, 0.5),
      {"matches", OptionType::kBool, "false",
       "Also emit tables of the ranks' clocks and of every message on both ranks, for `assay timeline`."},
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;

  explicit Pipeline(const Options& options)
      : rule_{options.number("least_excess"), options.number("false_names")},
        with_matches_(options.boolean("matches")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    if (!has_messages(report))
      return sink.skip("pipeline.*, stage.*", "no sends or receives, so no stages of a pipeline",
                       SkipCause::kNoFramework);
    const DeviceWork work(report);
    std::vector<DeviceStep> steps = device_steps(report, work);
    std::erase_if(steps, [](const DeviceStep& s) { return !s.worked; });
    if (steps.empty())
      return sink.skip("pipeline.*, stage.*", "no range is a step, so messages cannot be matched by steps");
    emit_rank(report, work, steps, sink);
  }

  void gather(const Job& job, JobSink& sink) const {
    JobRows rows = read_job(job);
    if (rows.ranks.size() < 2)
      return sink.skip(kNone, "pipeline.*, stage.*",
                       "fewer than two ranks of the job have a profile with messages: what a stage waits for needs the "
                       "others");
    if (rows.steps.empty()) return sink.skip(kNone, "pipeline.*, stage.*", "the ranks have no step in common");
    emit_job(rows, rule_, with_matches_, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<PipelineRun> runs = pipelines_of(view);
    if (runs.empty()) return sink.skip(kNone, "no job is a pipeline: no ranks send to each other as stages do");
    for (const Finding& finding : findings(view, runs)) sink.finding(finding);
    sink.table(job_table(view, runs));
    sink.table(stage_table(view, runs));
    if (const Plot plot = schedule_plot(view, runs); !plot.evidence.empty()) sink.plot(plot);
  }

 private:
  NamingRule rule_;
  bool with_matches_;
};

ASSAY_PLUGIN("pipeline", "1.0.0", Pipeline);

}  // namespace assay::pipeline
