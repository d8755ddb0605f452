#include "assay/plugin.hpp"

namespace {
struct Squatter {
  static constexpr std::string_view kSummary = "Declares a metric that another plugin has.";
  static constexpr assay::MetricSpec kProduces[] = {
      {"good.kernel_count", "1", assay::Polarity::kNeutral, "The same name."}};
  explicit Squatter(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink& sink) const { sink.fact("good.kernel_count", 1); }
};
}  // namespace

ASSAY_PLUGIN("squatter", "1.0.0", Squatter);
