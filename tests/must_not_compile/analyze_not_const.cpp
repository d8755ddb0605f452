#include "assay/plugin.hpp"

struct Mutable {
  static constexpr std::string_view kSummary = "Would race with itself: analyze runs on many threads.";
  explicit Mutable(const assay::Options&) {}
  void analyze(const assay::Report&, assay::ReportSink&) { ++calls; }
  int calls = 0;
};

ASSAY_PLUGIN("mutable", "1.0.0", Mutable);
