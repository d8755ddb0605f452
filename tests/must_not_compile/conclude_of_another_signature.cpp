#include "assay/plugin.hpp"

struct ByReference {
  static constexpr std::string_view kSummary = "Concludes from a study that it may change.";
  explicit ByReference(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink&) const {}
  void conclude(assay::Study&, assay::StudySink&) const {}
};

ASSAY_PLUGIN("by_reference", "1.0.0", ByReference);
