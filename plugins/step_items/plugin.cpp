// What a step is made of: items that share its time to the nanosecond, each with its place in the program.
#include "algo/step_items.hpp"
#include "assay/detail/step_names.hpp"
#include "assay/sdk.hpp"
#include "budget.hpp"
#include "measure.hpp"
#include "rows.hpp"

namespace assay::step_items {
namespace {

constexpr MetricSpec kMetrics[] = {{"step_items.time_ns", "ns", Polarity::kLowerIsBetter,
                                    "Time of a step, which its items share: from its start, or the last one's end, to "
                                    "the end of the work it launched; "
                                    "mean, each step as a sample.",
                                    "time of a step that its items share"}};

}  // namespace

class StepItems {
 public:
  static constexpr std::string_view kSummary =
      "Splits steps into items (kernels, copies, idle causes by their place in the program) that sum to them exactly.";
  static constexpr ColumnId kWants[] = {col::kernels,
                                        col::kernel_name,
                                        col::kernel_short_name,
                                        col::kernel_grid,
                                        col::kernel_block,
                                        col::kernel_op,
                                        col::kernel_registers,
                                        col::kernel_shared,
                                        col::kernel_occupancy,
                                        col::kernel_profiled,
                                        col::profiled,
                                        col::counters,
                                        col::graphs,
                                        col::graph_id,
                                        col::copies,
                                        col::copy_bytes,
                                        col::copy_direction,
                                        col::copy_memory_kinds,
                                        col::sets,
                                        col::set_bytes,
                                        col::calls,
                                        col::call_name,
                                        col::call_range,
                                        col::call_op,
                                        col::ranges,
                                        col::spans,
                                        col::iterations,
                                        col::ops,
                                        col::op_python_ids,
                                        col::op_inputs,
                                        col::collectives,
                                        col::devices};
  static constexpr OptionSpec kOptions[] = {
      {"steps", OptionType::kTextList, step::kPlainNames,
       "Ranges that are steps, {i} standing for a number; where none is found the iterations of the question are."},
      {"only_iterations", OptionType::kBool, "false", "A profile without the iterations of the question is left out."},
      {"rules", OptionType::kTextList, "", "Rules 'class: word | word & !word' for the class of a kernel."},
      {"own_rules", OptionType::kTextList, "", "Rules of your own, tried before 'rules'."}};
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr Str kConsumes[] = {kStepTime};

  explicit StepItems(const Options& options)
      : steps_(options.strings("steps")),
        only_iterations_(options.boolean("only_iterations")),
        classes_(kernel_rules_of(options)) {}

  void analyze(const Report& report, ReportSink& sink) const {
    constexpr std::string_view kAll = "step_items.*";
    if (report.kernels == nullptr && report.graphs == nullptr)
      return sink.skip(kAll, "it holds no device work; record the GPU too");
    if (only_iterations_ && report.iterations == nullptr)
      return sink.skip(kAll, "it has none of the ranges that are steps", SkipCause::kNoIterations);
    const std::optional<RunMeasure> run = measure_run(report, steps_, classes_);
    if (!run) return sink.skip(kAll, "nothing was launched in it");
    const std::vector<double> times(run->step_times.begin(), run->step_times.end());
    sink.fact(kStepTime, static_cast<double>(run->time) / static_cast<double>(times.size()), times);
    emit_rows(*run, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<RunGroup> groups;
    for (const auto& alike : alike_groups(view, {}).groups) {
      const std::vector<JobRun> runs = runs_of(view, alike.runs);
      if (!runs.empty()) groups.push_back({labels_text(alike.labels), budget_of(view, runs)});
    }
    if (groups.empty()) return sink.skip(kNone, "no profile has steps, so there is nothing to split");
    if (groups.size() == 1) groups.front().name.clear();
    emit_budgets(groups, sink);
  }

 private:
  std::vector<std::string> steps_;
  bool only_iterations_;
  NameRules classes_;
};

ASSAY_PLUGIN("step_items", "1.0.0", StepItems);

}  // namespace assay::step_items
