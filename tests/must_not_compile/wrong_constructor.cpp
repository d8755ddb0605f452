#include "assay/plugin.hpp"

struct NoOptions {
  static constexpr std::string_view kSummary = "Cannot be made from options.";
  NoOptions() = default;
  void analyze(const assay::Report&, assay::ReportSink&) const {}
};

ASSAY_PLUGIN("no_options", "1.0.0", NoOptions);
