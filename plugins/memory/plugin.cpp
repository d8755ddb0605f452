// What uses memory: the peak, its owners, growth, and memory held unnecessarily.
#include "assay/sdk.hpp"
#include "differences.hpp"
#include "emit.hpp"
#include "metrics.hpp"
#include "words.hpp"

namespace assay::memory {

class Memory {
 public:
  static constexpr std::string_view kSummary =
      "Shows the peak of allocated memory, what holds it by stack, module and class, what grows a step, and "
      "fragmentation.";
  static constexpr ColumnId kWants[] = {col::allocations, col::declared, col::iterations, col::ranges};
  static constexpr OptionSpec kOptions[] = {
      option::integer("stacks", "40", "Stacks at the peak that become facts and rows, the largest first.")
          .within(1, 100000)};
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  static constexpr Str kConsumes[] = {"memory.answer",         "memory.peak_bytes",      "memory.growth_bytes_per_step",
                                      "memory.class_bytes",    "memory.stack_bytes",     "memory.history_ns",
                                      "memory.reserved_bytes", "memory.step_peak_bytes", "memory.phase_peak_bytes"};

  explicit Memory(const Options& options) : stacks_(static_cast<std::size_t>(options.integer("stacks"))) {}

  void analyze(const Report& report, ReportSink& sink) const { emit_report(report, stacks_, sink); }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<Run> runs = runs_of(view);
    const std::vector<Finding> unknown = unknown_peaks(view, runs.empty());
    for (const Finding& finding : unknown) sink.finding(finding);
    if (runs.empty() && !unknown.empty()) return;
    if (runs.empty()) return sink.skip(kNone, "no profile has allocations, so there is nothing to say of memory");
    const auto sides = sides_of(view, runs);
    if (!sides || !sides->stated) {
      for (const Finding& finding : findings(view, runs)) sink.finding(finding);
    }
    for (const Run& run : runs) {
      if (!run.classes.empty()) sink.plot(live_plot(view, run, runs.size() > 1));
    }
    if (sides) emit_differences(view, *sides, sink);
  }

 private:
  std::size_t stacks_;
};

ASSAY_PLUGIN("memory", "1.0.0", Memory);

}  // namespace assay::memory
