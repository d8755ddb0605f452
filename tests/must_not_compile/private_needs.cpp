#include "assay/plugin.hpp"

class PrivateNeeds {
 public:
  static constexpr std::string_view kSummary = "Keeps to itself what it needs.";
  explicit PrivateNeeds(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink&) const {}

 private:
  static constexpr assay::ColumnId kNeeds[] = {assay::col::kernels};
};

ASSAY_PLUGIN("private_needs", "1.0.0", PrivateNeeds);
