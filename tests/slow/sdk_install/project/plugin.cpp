// All of an out-of-tree analyzer: also throws, and has a local static of a template, so that what compilers make of
// these is in the library.
#include "assay/sdk.hpp"

template <class T>
std::vector<T>& memory() {
  static std::vector<T> kept;
  return kept;
}

namespace {

class OutOfTree {
 public:
  static constexpr std::string_view kSummary = "Counts kernels, far from home.";
  static constexpr assay::ColumnId kNeeds[] = {assay::col::kernels};
  static constexpr assay::MetricSpec kProduces[] = {
      {"out_of_tree.count", "1", assay::Polarity::kNeutral, "Kernels of the report."}};

  explicit OutOfTree(const assay::Options&) { memory<double>().assign(1, 0); }

  void analyze(const assay::Report& report, assay::ReportSink& sink) const {
    if (report.kernels->rows == 0) throw std::runtime_error("nothing to count");
    sink.fact("out_of_tree.count", static_cast<double>(report.kernels->rows) + memory<double>().front());
  }
};

ASSAY_PLUGIN("out_of_tree", "1.0.0", OutOfTree);

}  // namespace
