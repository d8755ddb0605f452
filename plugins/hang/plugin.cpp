// Which rank hangs, and whose fault it is: reads what ranks called last from dumps of NCCL's flight recorder.
#include "assay/sdk.hpp"
#include "metrics.hpp"
#include "pages.hpp"
#include "rows.hpp"

namespace assay::hang {

class Hang {
 public:
  static constexpr std::string_view kSummary =
      "Shows which rank of a distributed job hangs and whose fault it is, by dumps of NCCL's flight recorder.";
  static constexpr ColumnId kWants[] = {col::declared, col::properties, col::kernels,    col::kernel_short_name,
                                        col::calls,    col::call_name,  col::call_range, col::ranges};
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  static constexpr Str kConsumes[] = {"?fingerprint"};

  explicit Hang(const Options& /*options*/) {}

  void analyze(const Report& report, ReportSink& sink) const {
    const std::optional<Dump> dump = dump_of(report);
    if (const std::optional<LastWork> work = last_work_of(report)) emit_rows(*work, sink);
    if (!dump) return sink.skip("hang.*", "no dump of the flight recorder is here", SkipCause::kNoFramework);
    sink.fact("hang.open_call_count", static_cast<double>(dump->open.size()));
    sink.attribute("hang.call", dump->open.empty() ? "none" : dump->open.front().operation);
    emit_rows(*dump, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<FoundJob> jobs = jobs_of(view);
    if (jobs.empty()) return sink.skip(kNone, "no dump of the flight recorder was read, so nothing is known of hangs");
    emit_jobs(view, jobs, sink);
  }
};

ASSAY_PLUGIN("hang", "1.0.0", Hang);

}  // namespace assay::hang
