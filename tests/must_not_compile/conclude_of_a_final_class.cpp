#include "assay/plugin.hpp"

struct Final final {
  static constexpr std::string_view kSummary = "Concludes nothing.";
  explicit Final(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink&) const {}
  void conclude(const assay::Study&) const {}
};

ASSAY_PLUGIN("final", "1.0.0", Final);
