// The share of the kernel time spent in kernels shorter than a threshold.
#include "assay/sdk.hpp"
#include "count.hpp"
#include "words.hpp"

namespace assay::@NAME@_analyzer {

class @CLASS@Analyzer {
 public:
  static constexpr std::string_view kSummary = "Shows how much kernel time is in kernels shorter than a threshold.";
  static constexpr ColumnId kNeeds[] = {col::kernels};
  static constexpr OptionSpec kOptions[] = {
      {"below_ns", OptionType::kInteger, "5000", "Kernels shorter than this are short, ns.", {}, 1},
  };
  static constexpr MetricSpec kProduces[] = {
      {"@NAME@.count", "1", Polarity::kLowerIsBetter, "Kernels of the window that are shorter than below_ns.",
       "number of short kernels", kExtensive},
      {"@NAME@.time_share", "ratio", Polarity::kLowerIsBetter,
       "Durations of the short kernels over the durations of all kernels of the window.",
       "share of short kernels in kernel time"},
  };

  explicit @CLASS@Analyzer(const Options& options) : below_ns_(options.integer("below_ns")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    const ShortKernels found = count_short(*report.kernels, below_ns_);
    sink.fact("@NAME@.count", static_cast<double>(found.count));
    sink.ratio("@NAME@.time_share", static_cast<double>(found.time_ns), static_cast<double>(found.all_time_ns),
               "kernel time");
  }

  void conclude(const Study& study, StudySink& sink) const {
    const std::vector<Share> shares = shares_of(StudyView(study), "@NAME@.time_share");
    if (shares.empty()) return sink.skip(kNone, "no profile has any kernel time");
    sink.finding(answer(shares, below_ns_));
    sink.plot(plot_of(shares, below_ns_));
  }

 private:
  std::int64_t below_ns_;
};

ASSAY_PLUGIN("@NAME@", "0.1.0", @CLASS@Analyzer);

}  // namespace assay::@NAME@_analyzer
