// A first look: what limits each run, what to try, and which runs differ from the others.
#include "assay/sdk.hpp"
#include "pages.hpp"
#include "runs.hpp"
#include "unlike.hpp"
#include "words.hpp"

namespace assay::overview {

class Overview {
 public:
  static constexpr std::string_view kSummary =
      "Shows what limits each run, what to try and why, and which runs are outliers.";
  static constexpr OptionSpec kOptions[] = {
      option::number("share", "0.1", "Smallest share of the time that is worth advice.").within(0, 1),
      option::number("data_loader_limit", "0.05", "Advice above this share of a step.").within(0, 1),
      option::number("communication_limit", "0.1", "Advice above this share of kernel time.").within(0, 1),
      option::number("tensor_core_limit", "0.05",
                     "Advice where matrix products run and tensor cores have at most this share of kernel time.")
          .within(0, 1),
      {"pages", OptionType::kBool, "false",
       "Also emit the pages that 'assay look' draws: their sections, and tables for them."},
  };
  static constexpr Str kConsumes[] = {
      "?window.duration_ns", "?gpu.busy_ratio", "?gpu.part_busy_ns", "?gpu.part_work_ns", "?gpu.part_kernel_count",
      "?idle_processes", "?gpu.overlap_ratio", "?kernel.count", "?kernel.time_mean_ns", "?launch.interval_median_ns",
      "?launch.bound_ratio", "?graph.opaque_ratio", "?copy.time_sum_ns", "?sync.count", "?gpu.sm_active_ratio",
      "?gpu_metrics.clock", "?fingerprint", "?unread", "?lost_launches", "?idle.time_ns", "?idle.window_ns",
      "?kernel_class.time_ratio", "?tensor_core.time_ratio", "?step.category_time_ratio", "?ncu.profiled_count",
      "?rank.wait_exposed_ns", "?comm.exposed_ns", "?step.window_ns", "?straggler.rank", "?stage.number",
      "?stage.wait_ns", "?stage.transfer_ns", "?stage.bubble_ns", "?stage.imbalance_ns", "?pipeline.step_ns",
      "?pipeline.ideal_bubble_ratio", "?pipeline.microbatch_count", "?pipeline.limiting_stage",
      "?pipeline.limiting_excess_ratio", "?pipeline.limiting_saving_ratio", "?expert.hot_rank",
      "?expert.imbalance_ratio", "?expert.even_saving_ratio", "?replay.gain_ratio", "?replay.gain_none",
      "?replay.gain_at_least", "?replay.drift_ratio", "?idle.long_gap_ns", "?idle.long_gap_count",
      "?idle.long_gap_range_ns", "?idle.long_gap_call_ns", "?memory.answer", "?memory.peak_bytes", "?hang.call",
      "?torch_compile.answer", "?start.answer", "?memory.in_use_bytes", "?step_items.time_ns",
      "?step_items.launch_count", "?step_items.part_ratio", "?step_items.class_ratio", "?step_items.idle_ratio",
      "?step_items.long_idle_ratio", "?step_items.idle_place_ratio", "?step.word", "?step.left_out", "?step.found",
      "?step.name", "?compile.time_ns", "?compile.capture_ns", "?stack.answer",
      // of pages alone
      "?memory.fragmentation_ratio", "?energy.joule", "?power.mean_w", "?energy.joule_per_token", "?graph.launch_count",
      "?graph.node_launch_count", "?graph.node_graph_count", "?copy.count", "?copy.bytes",
      "?copy.bandwidth_bytes_per_s", "?step.count", "?step.time_ns", "?kernel_class.time_sum_ns", "?kernel_class.count",
      "?host_wait.call_count", "?host_wait.time_ns", "?host_wait.idle_ns", "?ncu.flops", "?ncu.dram_bytes",
      "?ncu.l2_bytes", "?step.mfu_ratio", "?step.hfu_ratio", "?step.compute_roof_ratio", "?idle.step_ns",
      "?idle.step_window_ns", "?range.host_ns", "?range.host_ns.plain", "?launch.count", "?serving.tokens_per_s",
      "?serving.tpot_ns", "?serving.token_gap_ns", "?serving.requests_per_s", "?serving.step_batch",
      "?operator.above_roof_ns", "?operator.unmodelled_time_ratio"};

  explicit Overview(const Options& options)
      : thresholds_{.share = options.number("share"),
                    .data_loader = options.number("data_loader_limit"),
                    .communication = options.number("communication_limit"),
                    .tensor_cores = options.number("tensor_core_limit")},
        pages_(options.boolean("pages")) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<Run> runs = runs_of(view);
    if (runs.empty()) return sink.skip(kNone, "no profile was read, so there is nothing to report");
    std::vector<Limit> limits;
    std::vector<Advice> advice;
    for (const Run& run : runs) {
      limits.push_back(limit_of(run, thresholds_));
      for (Advice& one : advice_for(run, limits.back(), thresholds_)) advice.push_back(std::move(one));
    }
    const std::vector<Unlike> unlike = unlike_of(runs);
    const std::vector<Finding> found = findings(runs, limits, unlike, advice);
    for (const Finding& finding : found) sink.finding(finding);
    sink.table(run_table(runs, limits, unlike));
    sink.table(advice_table(advice, view));
    if (pages_) emit_pages(view, runs, limits, unlike, advice, found.front().title, sink);
  }

 private:
  Thresholds thresholds_;
  bool pages_;
};

ASSAY_PLUGIN("overview", "1.0.0", Overview);

}  // namespace assay::overview
