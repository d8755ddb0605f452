// A plugin as its author wrote it for ABI 1.0. Built against the headers kept of 1.0 it is refused by today's host;
// built against today's, as it stands, it is accepted: that is what the sentence of the refusal promises.
#include "assay/plugin.hpp"

namespace {

class Old {
 public:
  static constexpr std::string_view kSummary = "Counts kernels, as in version 1.0.";
  static constexpr assay::ColumnId kNeeds[] = {assay::col::kernels};
  static constexpr assay::OptionSpec kOptions[] = {
      {"above", assay::OptionType::kInteger, "0", "Shorter ones do not count, ns.", {}, 0}};
  static constexpr assay::MetricSpec kProduces[] = {
      {"old.count", "1", assay::Polarity::kNeutral, "Kernels of the report."},
  };
  static constexpr assay::AttributeSpec kAttributes[] = {{"old.path", "Path of the report."}};

  explicit Old(const assay::Options& options) : above_(options.integer("above")) {}

  void analyze(const assay::Report& report, assay::ReportSink& sink) const {
    double count = 0;
    for (std::size_t k = 0; k < report.kernels->rows; ++k)
      count += report.kernels->end[k] - report.kernels->start[k] >= above_ ? 1 : 0;
    sink.fact("old.count", count);
    sink.attribute("old.path", report.path);
  }

 private:
  std::int64_t above_;
};

}  // namespace

ASSAY_PLUGIN("old", "1.0.0", Old);
