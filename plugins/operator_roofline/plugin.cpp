// The distance of each operator from the limit of its device, by FLOPs and minimum bytes.
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "assay/algo/peaks.hpp"
#include "assay/algo/roofline_plot.hpp"
#include "assay/plot.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "calls.hpp"
#include "emit.hpp"
#include "steps.hpp"
#include "words.hpp"

namespace assay::roofline {
namespace {

constexpr std::size_t kMaxReports = 12;

void add_points(const StudyView& view, const RunRoofline& run, std::vector<RooflinePoint>& out) {
  const double bandwidth = view.value(run.report, "peak.bytes_per_s").value_or(0);
  for (const Point& point : run.points) {
    if (!point.flops || !point.bytes || *point.flops <= 0 || *point.bytes <= 0 || point.time <= 0) continue;
    const double rate = 1e9 * *point.flops * point.count / point.time;
    const double memory_time = bandwidth > 0 ? 1e9 * *point.bytes * point.count / bandwidth : 0;
    // The minimum time is the longer of the two; memory bounds if it is memory's.
    const bool by_memory = point.roof && memory_time >= 0.999 * *point.roof * point.time;
    out.push_back({std::string(view.path(run.report)), point.name, point.shapes,
                   !point.roof ? "roof not known"
                   : by_memory ? "memory"
                               : "compute",
                   *point.flops / *point.bytes, rate, point.time,
                   point.roof.value_or(std::numeric_limits<double>::quiet_NaN())});
  }
}

/// Empty if no operator has FLOPs.
std::optional<Plot> roofline_plot(const StudyView& view, const std::vector<RunRoofline>& runs) {
  const std::size_t shown = std::min(runs.size(), kMaxReports);
  std::vector<RooflinePoint> points;
  std::vector<RoofLine> roofs;
  std::vector<std::int64_t> evidence;
  for (std::size_t r = 0; r < shown; ++r) {
    add_points(view, runs[r], points);
    evidence.insert(evidence.end(), runs[r].evidence.begin(), runs[r].evidence.end());
    const auto bandwidth = view.value(runs[r].report, "peak.bytes_per_s");
    for (const std::string_view type : {rate_name(Rate::kFp16), rate_name(Rate::kFp32)}) {
      const auto peak = view.value(runs[r].report, "peak.flops_per_s", "type=" + std::string(type));
      if (bandwidth && peak)
        roofs.push_back({std::string(view.path(runs[r].report)), std::string(type), *peak, *bandwidth});
    }
  }
  std::optional<Plot> plot = roofline_plot("operator", points, roofs);
  if (!plot) return plot;
  plot->id = "roofline";
  plot->title = "Roofline of operators";
  plot->caption =
      "One point per operator with its shapes; its area is its GPU time. The upper line is the dense peak of fp16 and "
      "bf16, the lower one that of fp32 without matrix units, and what rises to them is the bandwidth of memory. A "
      "point far below the line has much to gain; one above it read operands from caches. Copies compute nothing and "
      "are not drawn.";
  if (shown < runs.size()) plot->caption += " The first " + counted_of(shown, runs.size(), "profile") + ", by path.";
  plot->evidence = std::move(evidence);
  return plot;
}

inline constexpr MetricSpec kMetrics[] = {
    {"step.mfu_ratio", "ratio", Polarity::kHigherIsBetter,
     "Model FLOPs utilization of a step, mean over the steps: FLOPs of its matrix products, attention and convolutions "
     "over the time of the step and the dense bf16 peak (fp16 without bf16; fp8 if most FLOPs are fp8), whatever type "
     "they ran in. What is recomputed does not count; causal attention counts with all pairs, as unfused attention "
     "computes them.",
     "model FLOPs utilization (MFU)"},
    {"step.hfu_ratio", "ratio", Polarity::kNeutral,
     "Hardware FLOPs utilization of a step, mean over the steps: as step.mfu_ratio, with what is recomputed (flash "
     "attention backward, checkpoints).",
     "hardware FLOPs utilization (HFU)"},
    {"step.compute_roof_ratio", "ratio", Polarity::kNeutral,
     "FLOPs of step.hfu_ratio, each over the dense peak of the type that it ran in, by the time of the step; mean over "
     "the steps. A faster step may have less: TF32 has a higher peak than fp32.",
     "share of the roof of a step's products"},
    {"step.least_time_ns", "ns", Polarity::kNeutral,
     "Sum of the least times of a step's modelled operators, mean over the steps: each the longer of FLOPs over peak "
     "and least bytes over bandwidth.",
     "least time of a step's operators"},
    {"operator.time_ns", "ns", Polarity::kLowerIsBetter,
     "GPU time of an operator with its shapes, all calls: of each the union of the kernels below it; dims: operator, "
     "shapes. Without dims: of all operators.",
     "GPU time of an operator", true},
    {"operator.count", "1", Polarity::kNeutral, "Calls of an operator with its shapes that ran kernels.",
     "calls of an operator", true},
    {"operator.flops", "FLOP", Polarity::kNeutral, "FLOPs of the model of one call, with what is recomputed.",
     "FLOPs of a call"},
    {"operator.least_bytes", "bytes", Polarity::kNeutral, "Least bytes of one call: each operand once.",
     "least bytes of a call"},
    {"operator.flops_per_s", "FLOP/s", Polarity::kHigherIsBetter, "FLOPs of all calls over operator.time_ns.",
     "FLOP/s of an operator"},
    {"operator.bytes_per_s", "bytes/s", Polarity::kHigherIsBetter, "Least bytes of all calls over operator.time_ns.",
     "bytes/s of an operator"},
    {"operator.roof_ratio", "ratio", Polarity::kHigherIsBetter,
     "Least time of all calls over operator.time_ns: 1 is on the roof. Without dims: of all operators that have a "
     "roof.",
     "share of the roof"},
    {"operator.above_roof_ns", "ns", Polarity::kLowerIsBetter,
     "Time of an operator above its roof, all calls: what could be gained at most; 0 where its operands came from "
     "caches. Without dims: of all operators.",
     "time above the roof", true},
    {"operator.unmodelled_time_ratio", "ratio", Polarity::kLowerIsBetter,
     "Share of the operators' GPU time without a model. With the dim reason=no_operator|no_shapes|no_formula|operands: "
     "the part for that reason.",
     "GPU time without a model"},
    {"operator_kind.time_ns", "ns", Polarity::kLowerIsBetter,
     "GPU time of all operators of a kind; dims: kind (matrix product, attention, norm, elementwise, ...).",
     "GPU time of a kind of operators", true},
    {"operator_kind.count", "1", Polarity::kNeutral, "Calls of all operators of a kind; dims: kind.",
     "calls of a kind of operators", true},
    {"operator_kind.roof_ratio", "ratio", Polarity::kHigherIsBetter,
     "Least time of all operators of a kind over operator_kind.time_ns; dims: kind.", "share of the roof of a kind"},
    {"operator.counted_flops_ratio", "ratio", Polarity::kNeutral,
     "FLOPs that Nsight Compute counted over those of the model, of calls all of whose kernels have counters; dims: "
     "operator, shapes.",
     "counted FLOPs over modelled ones"},
    {"operator.counted_bytes_ratio", "ratio", Polarity::kNeutral,
     "Bytes of DRAM that Nsight Compute counted over the least bytes, as operator.counted_flops_ratio.",
     "counted bytes over least bytes"},
    {"peak.flops_per_s", "FLOP/s", Polarity::kNeutral,
     "Dense peak that the roof rests on; dims: type. Multiprocessors x clock x FLOPs per multiprocessor and clock.",
     "dense peak of the device"},
    {"peak.bytes_per_s", "bytes/s", Polarity::kNeutral, "Bandwidth of memory that the roof rests on.",
     "memory bandwidth of the device"},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"step.mfu_peak", "Peak that step.mfu_ratio and step.hfu_ratio divide by."},
    {"peak.sources", "Where multiprocessors, clock and bandwidth of the roof come from."},
};

}  // namespace

class OperatorRoofline {
 public:
  static constexpr std::string_view kSummary =
      "FLOPs, least bytes and roofline of every operator with its shapes, MFU of a step, and what could be gained at "
      "most.";
  static constexpr ColumnId kWants[] = {col::kernels,    col::kernel_name,   col::kernel_op, col::kernel_profiled,
                                        col::calls,      col::ranges,        col::spans,     col::steps,
                                        col::devices,    col::ops,           col::op_inputs, col::op_concrete_inputs,
                                        col::op_work,    col::op_python_ids, col::profiled,  col::counters,
                                        col::call_range, col::declared};
  static constexpr OptionSpec kOptions[] = {
      {"device", OptionType::kText, "",
       "Device whose data sheet supplies what the profile lacks ('NVIDIA H100 PCIe'); default: the name in the "
       "profile."},
      {"measured", OptionType::kTextList, "",
       "Measured roofs, used instead of computed ones: 'memory: 3.0e12' (bytes/s), 'bf16: 7.9e14' (FLOP/s)."},
      {"own_formulas", OptionType::kTextList, "",
       "Your own formulas, which take precedence: 'operator | FLOPs | bytes', and '| matrix' for matrix units; "
       "[[operator]] writes them."},
      option::integer("top", "20",
                      "Number of operators, with most time and with most to gain, that get their own facts.")
          .within(0, 1000),
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  static constexpr Str kConsumes[] = {"operator.time_ns",         "operator.count",
                                      "operator.flops",           "operator.least_bytes",
                                      "operator.roof_ratio",      "operator.above_roof_ns",
                                      "operator_kind.time_ns",    "operator_kind.count",
                                      "operator_kind.roof_ratio", "operator.unmodelled_time_ratio",
                                      "step.mfu_ratio",           "peak.flops_per_s",
                                      "peak.bytes_per_s"};

  explicit OperatorRoofline(const Options& options)
      : device_(options.text("device")),
        measured_(options.strings("measured")),
        book_(own_formulas(options)),
        top_(static_cast<std::size_t>(options.integer("top"))) {
    Peaks scratch;
    for (const std::string& roof : measured_) set_measured_peaks(scratch, roof);
  }

  void analyze(const Report& report, ReportSink& sink) const {
    constexpr std::string_view all = "operator.*, step.mfu_ratio, step.hfu_ratio";
    if (report.ops == nullptr)
      return sink.skip(all, "no operators with shapes; the profiler of a framework records them, nsys does not",
                       SkipCause::kNoFramework);
    if (report.kernels == nullptr || !report.kernels->name.present() || !report.kernels->op.present())
      return sink.skip(all, "no kernels were captured that operators launched");
    if (!report.ops->input_dims.present() && !report.ops->flops.present())
      return sink.skip(all, "the profile has no shapes of operators");
    const OperatorCalls calls = operator_calls(report, book_, device_, measured_);
    if (calls.time <= 0) return sink.skip(all, "no kernel ran in the window");
    emit_peaks(calls.peaks, sink);
    emit_operators(calls, top_, sink);
    step::Steps steps = step::steps_of(report, step::DisturbedSteps::kKeep);
    for (step::Step& step : steps.kept) step.time = step.own;  // TensorBoard's, as step_breakdown
    emit_steps(step_use(report, steps, calls), sink);
    sink.table(operator_table(calls));
    if (const auto modules = module_table(report, calls)) sink.table(*modules);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<RunRoofline> runs = runs_of(view);
    if (runs.empty()) return sink.skip(kNone, "no profile has operators with shapes");
    for (const Finding& finding : findings(view, runs)) sink.finding(finding);
    if (const auto plot = roofline_plot(view, runs)) sink.plot(*plot);
    sink.table(gain_table(view, runs, top_));
  }

 private:
  static std::vector<OwnFormula> own_formulas(const Options& options) {
    std::vector<OwnFormula> own;
    for (const std::string& text : options.strings("own_formulas")) own.emplace_back(text);
    return own;
  }

  std::string device_;
  std::vector<std::string> measured_;
  FormulaBook book_;
  std::size_t top_;
};

ASSAY_PLUGIN("operator_roofline", "1.0.0", OperatorRoofline);

}  // namespace assay::roofline
