// Where the time of a training or inference step is spent, how well it uses the GPU, and what to change.
#include <algorithm>

#include "advice.hpp"
#include "assay/abi.hpp"
#include "assay/plot.hpp"
#include "assay/sdk.hpp"
#include "assay/table_rows.hpp"
#include "assay/words.hpp"
#include "emit.hpp"
#include "words.hpp"

namespace assay::step {
namespace {

inline constexpr MetricSpec kMetrics[] = {
    {"step.count", "1", Polarity::kNeutral, "Steps that are measured, dropped ones left out.",
     "number of measured steps", kExtensive},
    {"step.dropped_count", "1", Polarity::kNeutral,
     "Steps at the end of the capture that are left out because their device work is missing or cut off.",
     "steps left out at the end of the capture"},
    {"step.time_ns", "ns", Polarity::kLowerIsBetter,
     "Time of a step from its start on the host, or the last one's end, to the end of the work it launched; mean.",
     "time of a step"},
    {"step.category_time_ns", "ns", Polarity::kNeutral,
     "Time of a step in a category, each instant in the first of kernel, memcpy, memset, communication, runtime, "
     "dataloader, cpu_exec, other that covers it; mean over the steps; the categories sum to the step; dims: "
     "category.",
     "time of a step in a category"},
    {"step.category_time_ratio", "ratio", Polarity::kNeutral,
     "Mean time of a category over the mean time of a step; dims: category.", "share of a step in a category"},
    {"gpu.utilization_ratio", "ratio", Polarity::kHigherIsBetter,
     "Union of kernels from the first step's start to the last one's end, over that span; mean over the devices that "
     "ran kernels, and with dims device each of several.",
     "share of the steps with a kernel running"},
    {"gpu.sm_efficiency_ratio", "ratio", Polarity::kHigherIsBetter,
     "Integral of min(1, sum of blocks per multiprocessor of the running kernels) from the first step's start to the "
     "last one's end, over that span; mean over devices, and with dims device each of several.",
     "share of multiprocessors in use"},
    {"gpu.achieved_occupancy_ratio", "ratio", Polarity::kHigherIsBetter,
     "Occupancy of the kernels, weighted by their duration in the steps; attribute gpu.occupancy_source says whether "
     "the profiler gave or the analyzer computed it; mean over devices, and with dims device each of several.",
     "occupancy of the kernels"},
    {"gpu.corrected_occupancy_ratio", "ratio", Polarity::kHigherIsBetter,
     "gpu.achieved_occupancy_ratio with computed values where the profiler's are less than a single block gives; only "
     "where there are such; mean over devices, and with dims device each of several.",
     "occupancy of the kernels, impossible values mended"},
    {"gpu.impossible_occupancy_time_ratio", "ratio", Polarity::kNeutral,
     "Time of the kernels whose occupancy by the profiler is less than a single block gives, over kernel time.",
     "share of kernel time with impossible occupancy"},
    {"step.tensor_core_time_ratio", "ratio", Polarity::kNeutral,
     "Kernel time in kernels that use tensor cores by their name, over all kernel time; dims: uses=yes|no|unknown.",
     "share of kernel time that uses tensor cores"},
    {"step.eligible_kernel_time_ratio", "ratio", Polarity::kNeutral,
     "Kernel time launched by operators that can use tensor cores, over all kernel time; dims: uses=yes|no|unknown.",
     "share of kernel time that could use tensor cores"},
    {"step.tensor_core_use_ratio", "ratio", Polarity::kNeutral,
     "Kernel time in kernels that use tensor cores over that of kernels whose names tell whether they do; absent where "
     "names tell it of less than the option least_known of the kernel time.",
     "share of known kernel time that uses tensor cores"},
    {"step.top_kernel_time_ratio", "ratio", Polarity::kNeutral,
     "Time of the kernel with the most summed time over that of the kernels with the most time, as many as the option "
     "top says (or all, where there are fewer).",
     "share of the largest kernel among the top kernels"},
    {"memory.peak_allocated_bytes", "bytes", Polarity::kLowerIsBetter,
     "Greatest number of bytes in use on a device after an allocation; dims: device.", "peak of memory in use"},
    {"memory.peak_reserved_bytes", "bytes", Polarity::kLowerIsBetter,
     "Greatest number of bytes that the allocator held of a device; dims: device.",
     "peak of memory the allocator holds"},
    {"memory.peak_ratio", "ratio", Polarity::kLowerIsBetter,
     "Peak of the reserved bytes (of the allocated ones where only those are known) over the memory of the device; "
     "dims: device.",
     "peak of memory over that of the device"},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"step.source", "What the steps are: named ranges, iterations, the window, or the whole capture as one."},
    {"gpu.blocks_per_sm_source", "Where blocks per multiprocessor come from: profiler, computed, or both."},
    {"gpu.occupancy_source", "Where occupancy comes from: profiler, computed, or both."},
    {"gpu.compute_capability", "Lowest compute capability of the devices that ran kernels."},
    {"step.kernel_rules", "Version of the rules that give kernels a class and tell the use of tensor cores."},
};

/// Distribution of a step's time, one stacked bar per report. `runs` must not be empty.
Plot split_plot(const StudyView& view, const std::vector<Run>& runs) {
  constexpr std::size_t kMaxBars = 60;
  const std::size_t drawn = std::min(runs.size(), kMaxBars);
  TableRows<std::string, std::string, double, double> rows;
  Plot plot;
  for (std::size_t r = 0; r < drawn; ++r) {
    const Run& run = runs[r];
    for (std::size_t c = 0; c < kCategories; ++c) {
      rows.add(view.path(run.report), kCategoryTitles[c], run.shares[c], run.shares[c] * run.step_ns);
    }
    plot.evidence.insert(plot.evidence.end(), run.facts.begin(), run.facts.end());
  }
  plot.id = "split";
  plot.title = "Where a step goes";
  plot.caption =
      "Each bar is the mean step of one profile; each instant counts only for the first category, in the order of the "
      "legend, that covers it.";
  if (drawn < runs.size()) plot.caption += " The first " + counted_of(drawn, runs.size(), "profile") + ", by path.";
  plot.x = {"share of a step", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"report", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "category";
  Table table = rows.table("split", plot.title, {{"report"}, {"category"}, {"share", "ratio"}, {"time", "ns"}});
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"share", "report", {}, {}, "category", {}}});
  return plot;
}

}  // namespace

class StepBreakdown {
 public:
  static constexpr std::string_view kSummary =
      "Splits steps into kernels, copies, communication, runtime, data loading and host work; GPU utilization, "
      "occupancy, operators, modules, memory, and advice.";
  static constexpr ColumnId kWants[] = {col::kernels,
                                        col::kernel_name,
                                        col::kernel_grid,
                                        col::kernel_block,
                                        col::kernel_registers,
                                        col::kernel_shared,
                                        col::kernel_shared_a_block,
                                        col::kernel_blocks_per_sm,
                                        col::kernel_occupancy,
                                        col::kernel_op,
                                        col::graphs,
                                        col::copies,
                                        col::sets,
                                        col::calls,
                                        col::call_op,
                                        col::ranges,
                                        col::spans,
                                        col::steps,
                                        col::devices,
                                        col::ops,
                                        col::op_python_ids,
                                        col::allocations};
  static constexpr OptionSpec kOptions[] = {
      {"data_loader", OptionType::kTextList, "enumerate(DataLoader)#*.__next__, enumerate(DataPipe)#*",
       "Operators, annotations and ranges that wait for data; '*' stands for any text."},
      {"communication", OptionType::kTextList, "nccl, gloo",
       "Words in the names of kernels that communicate, where no rules are given; case does not matter."},
      {"eligible_operators", OptionType::kTextList,
       "aten::_convolution, aten::conv1d, aten::conv2d, aten::conv3d, aten::conv_tbc, aten::conv_transpose1d, "
       "aten::conv_transpose2d, aten::conv_transpose3d, aten::convolution, aten::convolution_backward, "
       "aten::cudnn_convolution, aten::cudnn_convolution_backward, aten::cudnn_convolution_transpose, "
       "CudnnConvolutionBackward, ConvolutionBackward0, aten::prelu, aten::addmm, aten::addmv, aten::addr, "
       "aten::matmul, "
       "aten::mm, aten::mv, aten::linear, aten::addbmm, aten::baddbmm, aten::bmm, aten::chain_matmul, "
       "aten::linalg_multi_dot, aten::_thnn_fused_lstm_cell, aten::_thnn_fused_gru_cell, aten::lstm_cell, "
       "aten::gru_cell, aten::rnn_tanh_cell, aten::rnn_relu_cell, aten::scaled_dot_product_attention",
       "Operators that can run on tensor cores: those that PyTorch's autocast runs in half precision, and their "
       "backward ones."},
      {"rules", OptionType::kTextList, "", "Rules 'class: word | word & !word' for the class of a kernel."},
      {"own_rules", OptionType::kTextList, "", "Rules of your own, tried before 'rules'."},
      {"tensor_core_rules", OptionType::kTextList, "",
       "Rules whose classes are 'yes' and 'no': whether a kernel uses tensor cores; the rest is 'unknown'."},
      {"rules_version", OptionType::kText, "", "Version of the rules, shown with the results."},
      option::number(
          "least_known", "0.9",
          "Share of kernel time whose names must show whether tensor cores were used, for step.tensor_core_use_ratio.")
          .within(0, 1),
      option::integer("top", "10", "Kernels with most time that the first one is compared with.").within(1, 1000),
      {"rows", OptionType::kInteger, "0", "Rows of the tables of kernels, operators and modules; 0: all.", {}, 0},
      option::number("data_loader_limit", "0.05", "Advice above this share of a step.").within(0, 1),
      option::number("communication_limit", "0.1", "Advice above this share of a step.").within(0, 1),
      option::number("utilization_limit", "0.5", "Advice below this GPU utilization.").within(0, 1),
      option::number(
          "tensor_core_limit", "0",
          "Advice when tensor cores have no more than this share of kernel time though eligible operators ran.")
          .within(0, 1),
      option::number("memory_limit", "0.9", "Advice above this share of a device's memory.").within(0, 1),
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  static constexpr Str kConsumes[] = {"step.count",
                                      "step.dropped_count",
                                      "step.time_ns",
                                      "step.category_time_ratio",
                                      "gpu.utilization_ratio",
                                      "gpu.sm_efficiency_ratio",
                                      "gpu.achieved_occupancy_ratio",
                                      "gpu.corrected_occupancy_ratio",
                                      "step.tensor_core_time_ratio",
                                      "step.eligible_kernel_time_ratio",
                                      "memory.peak_ratio",
                                      "gpu.compute_capability"};

  explicit StepBreakdown(const Options& options)
      : patterns_{options.strings("data_loader"), options.strings("communication")},
        classes_(kernel_rules_of(options)),
        tensor_cores_(options.texts("tensor_core_rules")),
        rules_version_(options.text("rules_version")),
        least_known_(options.number("least_known")),
        top_(static_cast<std::size_t>(options.integer("top"))),
        rows_(static_cast<std::size_t>(options.integer("rows"))),
        thresholds_{options.number("data_loader_limit"), options.number("communication_limit"),
                    options.number("utilization_limit"), options.number("memory_limit"),
                    options.number("tensor_core_limit")} {
    for (std::string& name : options.strings("eligible_operators")) eligible_.insert(std::move(name));
    check_tensor_core_rules(tensor_cores_);
  }

  void analyze(const Report& report, ReportSink& sink) const {
    Names names(report, patterns_, classes_);
    // TensorBoard's steps: all of them, each its range and the work launched in it.
    Steps steps = steps_of(report, DisturbedSteps::kKeep);
    for (Step& step : steps.kept) step.time = step.own;
    if (steps.kept.empty()) {
      sink.skip("step.*, gpu.*", "nothing was recorded on the host, so there are no steps");
    } else {
      emit_steps(steps, split_steps(report, steps.kept, names), sink);
    }
    const std::vector<KernelFill> fill = kernel_fill(report);
    if (!steps.kept.empty()) emit_devices(report, fill, steps, sink);
    analyze_kernels(report, fill, sink);
    if (report.ops != nullptr) emit_operators(report, eligible_, rows_, sink);
    emit_memory(report, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<Run> runs = runs_of(view);
    if (runs.empty()) return sink.skip(kNone, "no profile has steps, so there is nothing to split");
    for (const Finding& finding : where_steps_go(runs)) sink.finding(finding);
    for (const Finding& finding : advice(runs, thresholds_)) sink.finding(finding);
    sink.plot(split_plot(view, runs));
    sink.table(run_table(view, runs));
    sink.table(advice_table(view, runs, thresholds_));
  }

 private:
  void analyze_kernels(const Report& report, std::span<const KernelFill> fill, ReportSink& sink) const {
    constexpr std::string_view all =
        "step.tensor_core_time_ratio, step.eligible_kernel_time_ratio, step.tensor_core_use_ratio";
    if (report.kernels == nullptr || !report.kernels->name.present()) {
      return sink.skip(all, report.kernels == nullptr ? "no kernels were captured" : "kernels have no names");
    }
    const std::vector<std::uint8_t> eligible = launched_by_eligible(report, eligible_);
    const Kernels kernels = kernel_rows(report, fill, eligible, classes_, tensor_cores_);
    if (kernels.count == 0) return sink.skip(all, "no kernel was launched in what is measured");
    if (!rules_version_.empty()) sink.attribute("step.kernel_rules", rules_version_);
    emit_kernels(kernels, rows_, sink);
    emit_top_kernel(kernels, top_, sink);
    if (tensor_cores_.empty()) return sink.skip(all, "no 'tensor_core_rules' are given");
    emit_tensor_cores(kernels.tensor_cores, !eligible.empty(), least_known_, sink);
  }

  NamePatterns patterns_;
  OperatorNames eligible_;
  NameRules classes_, tensor_cores_;
  std::string rules_version_;
  double least_known_;
  std::size_t top_, rows_;
  Thresholds thresholds_;
};

ASSAY_PLUGIN("step_breakdown", "1.0.0", StepBreakdown);

}  // namespace assay::step
