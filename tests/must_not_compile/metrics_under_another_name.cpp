#include "assay/plugin.hpp"

class MetricsUnderAnotherName {
 public:
  static constexpr std::string_view kSummary = "Calls what it produces its metrics.";
  static constexpr assay::MetricSpec kMetrics[] = {{"a.b", "1", assay::Polarity::kNeutral, "Something."}};
  explicit MetricsUnderAnotherName(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink&) const {}
};

ASSAY_PLUGIN("metrics_under_another_name", "1.0.0", MetricsUnderAnotherName);
