// One forward pass (or step) as the GPU, the host and the program itself timed it, and whether they agree.
#include "assay/sdk.hpp"
#include "times.hpp"
#include "words.hpp"

namespace assay::timing {

class ForwardTiming {
 public:
  static constexpr std::string_view kSummary =
      "Compares GPU time, host time and the program's own time of a pass and shows whether they agree.";
  static constexpr OptionSpec kOptions[] = {
      {"device", OptionType::kMetric, "iteration.gpu_span_ns", "GPU time of a pass, first start to last end."},
      {"host", OptionType::kMetric, "iteration.host_ns", "Host time of a pass."},
      {"period", OptionType::kMetric, "iteration.period_ns", "Time from one pass to the next in the steady state."},
      {"sheet", OptionType::kText, "runs", "Id of the [[sheet]] in which the program wrote its own times."},
      {"name", OptionType::kText, "name", "Column with the profile's file name without extension."},
      {"steps_ms", OptionType::kText, "step_ms", "Column with a list of times of single passes, in ms."},
      {"elapsed_s", OptionType::kText, "elapsed_s", "Column with the seconds of all passes together."},
      {"batches", OptionType::kText, "batches", "Column with the number of passes in elapsed_s."},
      option::number("within", "0.02", "Times that differ by less than this share agree.").within(0, 1),
      option::number("open_above", "0.05",
                     "If the uncertainty exceeds this share of the time, agreement is inconclusive.")
          .within(0, 1),
  };
  static constexpr MetricSpec kProduces[] = {
      {"forward.program_ns", "ns", Polarity::kLowerIsBetter,
       "Time of one pass as the program measured it: median of its passes, or all of them over their number.",
       "time of a pass as the program measured it"},
      {"forward.program_ratio", "ratio", Polarity::kNeutral,
       "The program's time of a pass over one from the trace, mean over mean where the program timed all passes "
       "together, else median over median; dims: metric.",
       "the program's time of a pass over the trace's"},
  };

  explicit ForwardTiming(const Options& options) {
    design_.device = options.metric("device");
    design_.host = options.metric("host");
    design_.metrics = {design_.device, design_.host, std::string(options.metric("period"))};
    design_.columns = {std::string(options.text("sheet")), std::string(options.text("name")),
                       std::string(options.text("steps_ms")), std::string(options.text("elapsed_s")),
                       std::string(options.text("batches"))};
    design_.within = options.number("within");
    design_.open_above = options.number("open_above");
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const std::vector<ReportTimes> times = times_of(view, design_.metrics, design_.columns);
    if (times.empty()) return sink.skip(kNone, "no profile has iterations, so there is no pass to time");
    for (const ReportTimes& t : times) {
      const auto report = static_cast<Row>(t.report);
      if (!t.program.time) {
        sink.skip(report, "the program's own time is unknown: " + t.program.why_not);
        continue;
      }
      const double program_ns = t.program.time->time.ns;
      sink.report_fact(report, "forward.program_ns", program_ns);
      for (std::size_t m = 0; m < design_.metrics.size(); ++m) {
        if (!t.traced[m] || !(t.traced[m]->ns > 0)) continue;
        sink.report_fact(report, "forward.program_ratio", program_ns / t.traced[m]->ns,
                         {{"metric", design_.metrics[m]}});
      }
    }
    sink.finding(answer(design_, times, view.level()));
    for (const Finding& finding : evidence(view, design_, times)) sink.finding(finding);
    sink.table(time_table(view, design_, times));
  }

 private:
  Design design_;
};

ASSAY_PLUGIN("forward_timing", "1.0.0", ForwardTiming);

}  // namespace assay::timing
