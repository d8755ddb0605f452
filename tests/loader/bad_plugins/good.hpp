// An analyzer that does as it should, in the company of those that do not.
#pragma once

#include "assay/plugin.hpp"

namespace good {

inline constexpr assay::ColumnId kNeeds[] = {assay::col::kernels};
inline constexpr assay::MetricSpec kProduces[] = {
    {"good.kernel_count", "1", assay::Polarity::kNeutral, "Kernels in the report."},
    {"good.kernel_time_ns", "ns", assay::Polarity::kLowerIsBetter, "Kernel time, with a sample a kernel."},
    {"good.total_ns", "ns", assay::Polarity::kNeutral, "Kernel time over all reports."},
};
inline constexpr assay::Str kConsumes[] = {"good.kernel_time_ns"};

class Good {
 public:
  static constexpr std::string_view kSummary = "Counts kernels.";
  static constexpr auto& kNeeds = good::kNeeds;
  static constexpr auto& kProduces = good::kProduces;
  static constexpr auto& kConsumes = good::kConsumes;

  explicit Good(const assay::Options&) {}

  void analyze(const assay::Report& report, assay::ReportSink& sink) const {
    const assay::KernelTable& kernels = *report.kernels;
    std::vector<double> times;
    for (std::size_t i = 0; i < kernels.rows; ++i)
      times.push_back(static_cast<double>(kernels.end[i] - kernels.start[i]));
    double sum = 0;
    for (const double time : times) sum += time;
    sink.fact("good.kernel_count", static_cast<double>(kernels.rows));
    sink.fact("good.kernel_time_ns", sum, times, {{"of", "all"}});
  }

  void conclude(const assay::Study& study, assay::StudySink& sink) const {
    const assay::StudyView view(study);
    double total = 0;
    assay::Finding finding;
    for (std::size_t r = 0; r < view.report_count(); ++r) {
      view.each_fact(static_cast<assay::Row>(r), "good.kernel_time_ns", [&](std::size_t row) {
        total += study.facts->value[row];
        finding.evidence.push_back(static_cast<std::int64_t>(row));
      });
    }
    sink.fact("good.total_ns", total);
    finding.title = "Kernel time";
    finding.text = "The kernels of all reports take " + std::to_string(total) + " ns.";
    sink.finding(finding);
  }
};

}  // namespace good
