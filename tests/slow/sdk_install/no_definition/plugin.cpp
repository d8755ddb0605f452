#include "assay/sdk.hpp"

double defined_nowhere(const assay::Report& report);

namespace {

class NoDefinition {
 public:
  static constexpr std::string_view kSummary = "Uses what is defined nowhere.";
  explicit NoDefinition(const assay::Options&) {}
  void analyze(const assay::Report& report, assay::ReportSink& sink) const {
    sink.skip("a metric", std::to_string(defined_nowhere(report)));
  }
};

ASSAY_PLUGIN("no_definition", "1.0.0", NoDefinition);

}  // namespace
