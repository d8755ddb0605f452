// How far each operator is from the limit of its device, by its FLOPs and least bytes.
#include "assay/sdk.hpp"
#include "calls.hpp"
#include "emit.hpp"
#include "metrics.hpp"
#include "plots.hpp"
#include "steps.hpp"
#include "words.hpp"

namespace assay::roofline {

class OperatorRoofline {
 public:
  static constexpr std::string_view kSummary =
      "FLOPs, least bytes and roofline of every operator with its shapes, MFU of a step, and what could be gained at "
      "most.";
  static constexpr ColumnId kWants[] = {col::kernels,       col::kernel_name, col::kernel_op, col::kernel_profiled,
                                        col::calls,         col::ranges,      col::spans,     col::iterations,
                                        col::devices,       col::ops,         col::op_inputs, col::op_concrete_inputs,
                                        col::op_python_ids, col::profiled,    col::counters};
  static constexpr OptionSpec kOptions[] = {
      {"steps", OptionType::kTextList, step::kPlainNames,
       "Ranges that are steps, {i} standing for a number; where none is found the iterations of the question are."},
      option::number("least_last_step", "0.8",
                     "The last step is dropped when it has fewer than this times the device events of the one before.")
          .within(0, 1),
      {"device", OptionType::kText, "",
       "Device whose data sheet supplies what the profile lacks ('NVIDIA H100 PCIe'); default: the name in the "
       "profile."},
      {"measured", OptionType::kTextList, "",
       "Measured roofs, used instead of computed ones: 'memory: 3.0e12' (bytes/s), 'bf16: 7.9e14' (FLOP/s)."},
      {"own_formulas", OptionType::kTextList, "",
       "Your own formulas, which take precedence: 'operator | FLOPs | bytes', and '| matrix' for matrix "
       "units; "
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
      : patterns_{options.strings("steps"), {}, {}, {}},
        least_last_(options.number("least_last_step")),
        device_(options.text("device")),
        measured_(options.strings("measured")),
        book_(own_formulas(options)),
        top_(static_cast<std::size_t>(options.integer("top"))) {
    Peaks scratch;
    for (const std::string& roof : measured_) take_measured(scratch, roof);
  }

  void analyze(const Report& report, ReportSink& sink) const {
    constexpr std::string_view all = "operator.*, step.mfu_ratio, step.hfu_ratio";
    if (report.ops == nullptr)
      return sink.skip(all, "the profile has no operators with shapes, as PyTorch traces have");
    if (report.kernels == nullptr || !report.kernels->name.present() || !report.kernels->op.present())
      return sink.skip(all, "no kernels were captured that operators launched");
    if (!report.ops->input_dims.present())
      return sink.skip(all, "the trace has no shapes of operators; record it with record_shapes=True");
    const OperatorCalls calls = operator_calls(report, book_, device_, measured_);
    if (calls.time <= 0) return sink.skip(all, "no kernel ran in the window");
    emit_peaks(calls.peaks, sink);
    emit_operators(calls, top_, sink);
    const NameRules no_rules{std::span<const Str>()};
    step::Names names(report, patterns_, no_rules);
    emit_steps(step_use(step::find_steps(report, names, least_last_), calls), sink);
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

  step::NamePatterns patterns_;
  double least_last_;
  std::string device_;
  std::vector<std::string> measured_;
  FormulaBook book_;
  std::size_t top_;
};

ASSAY_PLUGIN("operator_roofline", "1.0.0", OperatorRoofline);

}  // namespace assay::roofline
