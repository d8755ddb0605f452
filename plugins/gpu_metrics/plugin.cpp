// The GPU's own counters, sampled while the program ran: by range, step and class of kernels.
#include "assay/sdk.hpp"
#include "emit.hpp"
#include "metrics.hpp"
#include "words.hpp"

namespace assay::gpu_metrics {

class GpuMetrics {
 public:
  static constexpr std::string_view kSummary =
      "Samples of the GPU's counters by range, step and kernel class: SMs, tensor cores, DRAM, PCIe and clocks.";
  static constexpr ColumnId kWants[] = {col::declared, col::kernels,    col::kernel_name, col::graphs,
                                        col::copies,   col::sets,       col::calls,       col::ranges,
                                        col::spans,    col::iterations, col::devices};
  static constexpr OptionSpec kOptions[] = {
      option::integer("rows", "30", "Ranges that are reported: those with the most samples.").within(1, 10000),
      {"rules", OptionType::kTextList, "",
       "Rules 'class: word | word & !word', the first that holds gives a kernel's class."},
      {"own_rules", OptionType::kTextList, "", "Rules of your own, tried before 'rules'."},
      {"rules_version", OptionType::kText, "", "Version of the rules, shown with the results."},
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = gpu_metrics::kAttributes;
  static constexpr Str kConsumes[] = {"gpu.sm_active_ratio", "gpu_metrics.sms_active_ratio"};

  explicit GpuMetrics(const Options& options)
      : rows_(static_cast<std::size_t>(options.integer("rows"))),
        classes_(kernel_rules_of(options)),
        rules_version_(options.text("rules_version")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    const DeclaredTable* table = report.table("gpu_metrics");
    if (table == nullptr || table->rows == 0) return;  // most profiles have no samples, which is not an omission
    std::vector<DeviceParts> devices;
    for (const DeviceSamples& samples : samples_by_device(*table)) {
      DeviceParts one{samples.device, measure_parts(report, *table, samples, classes_, rows_)};
      if (one.parts.front().samples > 0) devices.push_back(std::move(one));
    }
    if (devices.empty())
      return sink.skip("gpu_metrics.*, gpu.sm_active_ratio",
                       "no sample is from the time of work on the GPU that was sampled");
    if (!rules_version_.empty()) sink.attribute("gpu_metrics.rules", rules_version_);
    emit_facts(devices, sink);
    for (const DeviceParts& one : devices) {
      const std::string text = clock_text(one);
      if (text.empty()) continue;
      sink.attribute("gpu_metrics.clock", text);
      break;
    }
    sink.table(parts_table(devices));
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<Finding> found = findings(view);
    if (found.empty()) return sink.skip(kNone, "no profile has samples of the GPU's counters");
    for (const Finding& finding : found) sink.finding(finding);
  }

 private:
  std::size_t rows_;
  NameRules classes_;
  std::string rules_version_;
};

ASSAY_PLUGIN("gpu_metrics", "1.0.0", GpuMetrics);

}  // namespace assay::gpu_metrics
