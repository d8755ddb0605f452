#include "assay/plugin.hpp"

class Analyse {
 public:
  static constexpr std::string_view kSummary = "Is written as in Britain, beside a stage that is called.";
  explicit Analyse(const assay::Options&) {}
  void analyse(const assay::Report&, assay::ReportSink&) const {}
  void conclude(const assay::Study&, assay::StudySink&) const {}
};

ASSAY_PLUGIN("analyse", "1.0.0", Analyse);
