// Are the runs what their names say? Compares labels with the trace by rules in the TOML.
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "evidence.hpp"
#include "judge.hpp"
#include "words.hpp"

namespace assay::labels {

class LabelCheck {
 public:
  static constexpr std::string_view kSummary = "Checks the labels in profile names against the traces.";
  static constexpr ColumnId kWants[] = {col::kernels, col::kernel_name, col::kernel_grid,    col::graphs,
                                        col::copies,  col::copy_bytes,  col::copy_direction, col::devices,
                                        col::calls,   col::iterations};
  static constexpr OptionSpec kOptions[] = {
      {"input_bytes", OptionType::kText, "",
       "Bytes copied to the device per iteration, from labels: \"4 * 3 * batch * px * px\"; empty: unknown."},
      {"row_kernels", OptionType::kTextList, "layer_norm, layernorm, rms_norm, rmsnorm",
       "Words in the names of kernels with one block per row; case does not matter."},
      {"grid_rows", OptionType::kTextList, "",
       "Rows of the run, from labels: blocks of row_kernels; they resolve what the bytes leave ambiguous."},
      {"width_kernels", OptionType::kTextList, "gelu, silu, relu",
       "Words in the names of kernels that go over rows times width; case does not matter."},
      {"grid_widths", OptionType::kTextList, "",
       "Blocks of width_kernels, from labels and from `rows`, the blocks of row_kernels in the same trace: "
       "\"(rows * 4 * dim + 1023) / 1024\"."},
      {"row_launches", OptionType::kText, "",
       "Launches of row_kernels in an iteration, from labels: \"2 * depth + 1\"; empty: unknown."},
      {"linear", OptionType::kLabelList, "",
       "Labels that the number of kernels of an iteration rises with, in a line."},
      option::number("tolerance", "0.05", "How far from that line a profile may be, relative.").within(0, 1),
      {"compile_label", OptionType::kLabel, "", "Label of the compile mode."},
      {"compile_base", OptionType::kText, "none", "Its value for runs that are not compiled."},
      {"compiled_kernels", OptionType::kTextList, "triton_, inductor",
       "Words in the names of kernels that a compiler made; case does not matter."},
      {"graph_values", OptionType::kTextList, "",
       "Compile modes that launch CUDA graphs, which the others do not; empty: unknown."},
      {"pipeline_label", OptionType::kLabel, "", "Label that says whether the host waits in every iteration."},
      {"sync_value", OptionType::kText, "sync", "Its value for runs that wait."},
      {"async_value", OptionType::kText, "async", "Its value for runs that do not."},
      {"named", OptionType::kTextList, "",
       "Labels that must agree: \"memory=local: numa=0\" means that local goes with node 0."},
      {"device_label", OptionType::kLabel, "", "Label of the device id."},
      {"dtype_label", OptionType::kLabel, "", "Label of the data type: bf16, fp16, fp32, tf32, fp64 or fp8."},
      {"attention_label", OptionType::kLabel, "", "Label of the attention backend: flash, cudnn, efficient or math."},
  };
  static constexpr MetricSpec kProduces[] = {
      {"label.h2d_bytes", "bytes", Polarity::kNeutral,
       "Bytes copied to the device in every iteration, in copies of the size that moves the most.",
       "input bytes of an iteration"},
      {"label.h2d_copy_bytes", "bytes", Polarity::kNeutral, "Size of one of those copies.", "size of an input copy"},
      {"label.compiled_kernels", "1", Polarity::kNeutral,
       "Kernels of the window whose name holds a word of compiled_kernels.", "kernels that a compiler made",
       kExtensive},
      {"label.graph_launches", "1", Polarity::kNeutral,
       "Graphs launched in the window, by API calls or by rows of graphs, whichever are more.", "launched graphs",
       kExtensive},
      {"label.device_used", "1", Polarity::kNeutral,
       "1 for every device that ran kernels or graph launches of the window; dims: device.",
       "devices that ran kernels"},
      {"label.device_listed", "1", Polarity::kNeutral, "1 for every device of the profile; dims: device.",
       "devices of the profile"},
      {"label.verdict", "1", Polarity::kNeutral,
       "1 for the verdict of the trace on a label of the profile; dims: label, "
       "verdict=borne_out|contradicted|not_borne_out|unverifiable.",
       "verdict of the trace on a label"},
      {"label.conflict", "1", Polarity::kNeutral,
       "1 for a label of the profile that may be wrong: another run with the same labels contradicts it, or any of "
       "several labels, with another value, would explain the trace; dims: label.",
       "labels that may be wrong"},
      {"label.trace_value", "1", Polarity::kNeutral, "Value of a label as the trace shows it; dims: label.",
       "value of a label as the trace shows it"},
  };
  static constexpr AttributeSpec kAttributes[] = {
      {"label.grids", "Distinct numbers of blocks of the kernels of the window, ascending, separated by commas."},
      {"label.row_grids", "\"1576*300\": blocks and launches of row_kernels, ascending, separated by commas."},
      {"label.compiled_row_grids", "The same of those among them that a compiler made."},
      {"label.width_grids", "The same of width_kernels that no compiler made."},
      {"label.compiled_width_grids", "The same of width_kernels that a compiler made."},
      {"label.dtypes",
       "\"bf16*1200\": data types of matrix products and attention, and launches; ? where no name says it."},
      {"label.attention", "\"flash*120\": attention backends and launches of their kernels."},
      {"label.machine", "Names of the devices that ran kernels or graph launches of the window."},
  };
  // Also orders the analyzers: those that conclude from verdicts, such as run_summary, run after this one.
  static constexpr Str kConsumes[] = {"^fingerprint",      "^graph.launch_count",     "^graph.opaque_ratio",
                                      "^iteration.count",  "^iteration.kernel_count", "^sync.count",
                                      "^gpu.overlap_ratio"};

  explicit LabelCheck(const Options& options) : rules_(rules_from(options)) {}

  void analyze(const Report& report, ReportSink& sink) const {
    const Evidence evidence = evidence_of(report, rules_);
    if (evidence.iteration_bytes) {
      sink.fact("label.h2d_bytes", static_cast<double>(*evidence.iteration_bytes));
      sink.fact("label.h2d_copy_bytes", static_cast<double>(*evidence.copy_bytes));
    } else if (rules_.input_bytes) {
      sink.skip("label.h2d_bytes", "no copy to the device happens in every iteration");
    }
    if (evidence.compiled_kernels) {
      sink.fact("label.compiled_kernels", static_cast<double>(*evidence.compiled_kernels));
    }
    if (evidence.graph_launches) sink.fact("label.graph_launches", static_cast<double>(*evidence.graph_launches));
    for (const std::int32_t id : evidence.devices_used)
      sink.fact("label.device_used", 1, {{"device", std::to_string(id)}});
    for (const std::int32_t id : evidence.devices_listed) {
      sink.fact("label.device_listed", 1, {{"device", std::to_string(id)}});
    }
    emit_attributes(evidence, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const Bench bench = judge(view, rules_);
    emit_facts(bench, sink);
    for (const Finding& finding : findings(bench)) sink.finding(finding);
    sink.table(label_table(bench));
  }

 private:
  static void emit_attributes(const Evidence& evidence, ReportSink& sink) {
    std::string all;
    std::size_t count = 0;
    for (const auto& [blocks, launches] : evidence.all_grids) {
      if (++count <= kMaxGrids) all += (all.empty() ? "" : ",") + std::to_string(blocks);
    }
    const auto emit = [&](std::string_view name, const std::string& text) {
      if (!text.empty()) sink.attribute(name, text);
    };
    emit("label.grids", all);
    emit("label.row_grids", grids_text(evidence.row_grids));
    emit("label.compiled_row_grids", grids_text(evidence.compiled_row_grids));
    emit("label.width_grids", grids_text(evidence.width_grids));
    emit("label.compiled_width_grids", grids_text(evidence.compiled_width_grids));
    emit("label.dtypes", kinds_text(evidence.dtypes));
    emit("label.attention", kinds_text(evidence.attention));
    emit("label.machine", evidence.machine);
  }

  static std::string kinds_text(const std::map<std::string, std::int64_t>& launches) {
    std::string out;
    for (const auto& [kind, count] : launches)
      out += filled("{}{}*{}", {out.empty() ? "" : ",", kind, std::to_string(count)});
    return out;
  }

  static void emit_facts(const Bench& bench, StudySink& sink) {
    for (std::size_t r = 0; r < bench.reports(); ++r) {
      for (std::size_t l = 0; l < bench.labels(); ++l) {
        const Judgement& j = bench.at(r, l);
        const auto row = static_cast<Row>(r);
        if (j.verdict) {
          sink.report_fact(row, "label.verdict", 1, {{"label", bench.name(l)}, {"verdict", verdict_word(*j.verdict)}});
        }
        if (j.conflict) sink.report_fact(row, "label.conflict", 1, {{"label", bench.name(l)}});
        if (j.trace) sink.report_fact(row, "label.trace_value", *j.trace, {{"label", bench.name(l)}});
      }
    }
  }

  Rules rules_;
};

ASSAY_PLUGIN("label_check", "1.0.0", LabelCheck);

}  // namespace assay::labels
