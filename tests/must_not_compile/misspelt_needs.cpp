#include "assay/plugin.hpp"

class MisspeltNeeds {
 public:
  static constexpr std::string_view kSummary = "Says what it needs under a name that nobody reads.";
  static constexpr assay::ColumnId kNeed[] = {assay::col::kernels};
  explicit MisspeltNeeds(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink&) const {}
};

ASSAY_PLUGIN("misspelt_needs", "1.0.0", MisspeltNeeds);
