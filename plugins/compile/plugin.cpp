// What torch.compile did, by its logs: graphs, graph breaks, recompiles, and which lines its kernels compute.
#include <algorithm>

#include "metrics.hpp"
#include "pages.hpp"

namespace assay::compile {

class Compile {
 public:
  static constexpr std::string_view kSummary =
      "Shows what torch.compile compiled and why, by its logs (TORCH_TRACE): graph breaks, recompiles, and the lines "
      "of "
      "the model that kernels compute.";
  static constexpr ColumnId kWants[] = {col::declared, col::properties, col::ops,         col::kernels,
                                        col::steps,    col::kernel_op,  col::kernel_name, col::op_external_id};
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  static constexpr Str kConsumes[] = {"?fingerprint"};

  explicit Compile(const Options& /*options*/) {}

  void analyze(const Report& report, ReportSink& sink) const {
    const CompiledProfile profile = profile_of(report);
    if (!profile.kernels.empty()) emit_rows(profile, sink);
    const std::optional<CompileLog> log = log_of(report);
    if (!log) return sink.skip("torch_compile.*", "no log of torch.compile is here", SkipCause::kNoFramework);
    const CauseList causes = causes_of(*log);
    const auto fact = [&](const char* metric, auto value) { sink.fact(metric, static_cast<double>(value)); };
    fact("torch_compile.time_ns", causes.time);
    fact("torch_compile.graph_count", causes.graphs);
    fact("torch_compile.break_count", log->breaks.size());
    fact("torch_compile.break_place_count", std::ranges::count(causes.causes, CauseKind::kBreak, &Cause::kind));
    fact("torch_compile.recompile_count", log->recompiles.size());
    fact("torch_compile.failed_count", causes.failed);
    sink.attribute("torch_compile.answer", first_line(*log, causes));
    emit_rows(*log, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<StudyLog> logs = logs_of(view);
    if (logs.empty() && emit_generated(view, sink)) return;
    if (logs.empty()) return sink.skip(kNone, "no log of torch.compile was read");
    if (!emit_difference(view, logs, sink)) emit_answer(view, logs, sink);
  }
};

ASSAY_PLUGIN("compile", "1.0.0", Compile);

}  // namespace assay::compile
