// An analyzer for the end-to-end tests: counts kernels, gives the verdicts that the claims ask for, and misbehaves when
// told.
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/sdk.hpp"

namespace {

using namespace assay;

class Probe {
 public:
  static constexpr std::string_view kSummary = "Counts kernels and misbehaves when told.";
  static constexpr ColumnId kNeeds[] = {col::kernels};
  static constexpr OptionSpec kOptions[] = {
      {"act", OptionType::kText, "none", "What to do besides counting.",
       "none|interrupt|throw_in_constructor|throw_in_analyze|throw_in_conclude"},
      {"only", OptionType::kText, "", "Act only on reports with this in their name; empty: on all."},
  };
  static constexpr MetricSpec kProduces[] = {
      {"probe.kernel_count", "1", Polarity::kNeutral, "Kernels in the window."},
      {"probe.kernel_time_ns", "ns", Polarity::kLowerIsBetter, "Mean duration of the kernels in the window."},
  };
  static constexpr OptionSpec kClaimKeys[] = {
      {"verdict", OptionType::kText, "untestable", "The verdict to give.", "supported|refuted|inconclusive|untestable"},
  };

  explicit Probe(const Options& options) : act_(options.text("act")), only_(options.text("only")) {
    if (act_ == "throw_in_constructor") throw std::runtime_error("told to fail when made");
  }

  void analyze(const Report& report, ReportSink& sink) const {
    if (report.path.view().find(only_) != std::string_view::npos) {
      if (act_ == "throw_in_analyze") throw std::runtime_error("told to fail");
      if (act_ == "interrupt") std::raise(SIGINT);
    }
    std::vector<double> durations;
    double sum = 0;
    for (std::size_t i = 0; i < report.kernels->rows; ++i) {
      if (report.kernels->membership[i] != Membership::kInside) continue;
      durations.push_back(static_cast<double>(report.kernels->end[i] - report.kernels->start[i]));
      sum += durations.back();
    }
    const auto count = static_cast<double>(durations.size());
    sink.fact("probe.kernel_count", count);
    if (count > 0) sink.fact("probe.kernel_time_ns", sum / count, durations);
  }

  void conclude(const Study& study, StudySink& sink) const {
    if (act_ == "throw_in_conclude") throw std::runtime_error("told to fail at the end");
    const StudyView view(study);
    double kernels = 0;
    for (std::size_t r = 0; r < view.report_count(); ++r) {
      kernels += view.value(static_cast<Row>(r), "probe.kernel_count").value_or(0);
    }
    Finding answer;
    answer.role = FindingRole::kAnswer;
    answer.title =
        std::to_string(view.report_count()) + " reports, " + std::to_string(static_cast<int>(kernels)) + " kernels";
    answer.text = "Counted by the probe.";
    sink.finding(answer);
    for (std::size_t c = 0; c < study.claims->rows; ++c) {
      const std::string_view wanted = study.claims->keys[c]->text("verdict");
      for (const Verdict v : {Verdict::kSupported, Verdict::kRefuted, Verdict::kInconclusive, Verdict::kUntestable}) {
        if (verdict_name(v) == wanted) sink.verdict(static_cast<std::int64_t>(c), v, "as told", {});
      }
    }
  }

 private:
  std::string act_, only_;
};

ASSAY_PLUGIN("probe", "1.0.0", Probe);

}  // namespace
