// The control: the smallest analyzer does compile, so that the others fail for their own reason.
#include "assay/plugin.hpp"

struct Small {
  static constexpr std::string_view kSummary = "Does nothing.";
  explicit Small(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink&) const {}
};

ASSAY_PLUGIN("small", "1.0.0", Small);
