// The duration of one forward pass (or step) as measured by GPU, host and program, and whether the three agree.
#include "assay/output.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "times.hpp"

namespace assay::timing {
namespace {

struct Design {
  std::vector<std::string> metrics;  ///< of the trace
  std::string host;                  ///< the metric of host time
  std::string device;                ///< the metric of GPU time
  Columns columns;
  double within = 0;  ///< see `agreement`
};

constexpr std::size_t kMaxEvidence = 12;  // the table has the rest

std::string_view word(Agreement a) {
  switch (a) {
    case Agreement::kAgrees:
      return "agrees with";
    case Agreement::kLonger:
      return "is longer than";
    case Agreement::kShorter:
      return "is shorter than";
    case Agreement::kOpen:
      break;
  }
  return "cannot be distinguished from";
}

std::optional<Estimate> traced(const Design& design, const ReportTimes& times, const std::string& metric) {
  for (std::size_t m = 0; m < design.metrics.size(); ++m) {
    if (design.metrics[m] == metric) return times.traced[m];
  }
  return std::nullopt;
}

std::string with_interval(const Estimate& time) {
  return time_text(time.ns) +
         (time.samples < 2 ? "" : filled(" [{}, {}]", {time_text(time.low), time_text(time.high)}));
}

Agreement agreement_with(const Design& design, const ReportTimes& times, std::size_t metric) {
  return agreement(times.program.time->time, *times.traced[metric], design.within);
}

/// "x/results.json says 20 ms", for every other row of the same run.
std::string disagreeing(const ProgramTimes& program) {
  std::vector<std::string> said;
  for (const ProgramTime& other : program.others) said.push_back(other.source + " says " + time_text(other.time.ns));
  return listed(said);
}

/// Counts over the reports.
struct Counts {
  std::size_t with_program = 0, ahead = 0, compared = 0, told_twice = 0;
  std::vector<std::size_t> agrees, open;
};

Counts count(const Design& design, const std::vector<ReportTimes>& times) {
  Counts counts;
  counts.agrees.resize(design.metrics.size());
  counts.open.resize(design.metrics.size());
  for (const ReportTimes& t : times) {
    const auto host = traced(design, t, design.host), device = traced(design, t, design.device);
    if (host && device) {
      ++counts.compared;
      counts.ahead += host->ns < device->ns ? 1U : 0U;
    }
    if (!t.program.time) continue;
    ++counts.with_program;
    counts.told_twice += t.program.others.empty() ? 0U : 1U;
    for (std::size_t m = 0; m < design.metrics.size(); ++m) {
      if (!t.traced[m]) continue;
      const Agreement a = agreement_with(design, t, m);
      counts.agrees[m] += a == Agreement::kAgrees ? 1U : 0U;
      counts.open[m] += a == Agreement::kOpen ? 1U : 0U;
    }
  }
  return counts;
}

Finding answer(const Design& design, const std::vector<ReportTimes>& times, double level) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  const Counts counts = count(design, times);
  std::vector<std::string> parts;
  bool open = false;
  for (std::size_t m = 0; m < design.metrics.size(); ++m) {
    parts.push_back(
        filled("{} in {}{}", {design.metrics[m], std::to_string(counts.agrees[m]),
                              counts.open[m] == 0 ? "" : " (" + std::to_string(counts.open[m]) + " open)"}));
    open = open || counts.open[m] > 0;
  }
  finding.title = counts.with_program == 0 ? "The programs' own times are unknown; the table has host and GPU time"
                                           : filled("The program's own time of a pass agrees with {} of {}",
                                                    {listed(parts), counted(counts.with_program, "profile")});
  finding.text = filled(
      "Medians are compared with medians, and where the program timed all passes together means with means. Agreeing "
      "means that they differ by less than {} %, or by no more than the {} intervals of both together. {}{} is shorter "
      "than {} in {}: there the host only launches and runs ahead, so its time is not the GPU's time.",
      {printed("%g", 100 * design.within), percent(level, 0),
       open
           ? "Intervals of more than " + printed("%g", 100 * kMaxUncertainty) + " % cannot exclude larger differences. "
           : "",
       design.host, design.device, counted_of(counts.ahead, counts.compared, "profile")});
  if (counts.with_program < times.size()) {
    finding.text +=
        " Of " + counted(times.size() - counts.with_program, "profile") + " the program's own time is unknown.";
  }
  if (counts.told_twice > 0) {
    finding.text += " Of " + counted(counts.told_twice, "profile") +
                    " sheets disagree on the program's time: the one in the nearest folder counts, the table shows "
                    "the others.";
  }
  return finding;
}

/// For reports with a program's own time: its relation to each traced time.
std::vector<Finding> evidence(const StudyView& view, const Design& design, const std::vector<ReportTimes>& times) {
  std::vector<Finding> out;
  for (const ReportTimes& t : times) {
    if (!t.program.time || out.size() == kMaxEvidence) continue;
    const ProgramTime& program = *t.program.time;
    Finding finding;
    finding.title = filled("{}: program {} per pass", {view.path(t.report), with_interval(program.time)});
    finding.text = program.by_step
                       ? "Passes were timed one by one (" + std::to_string(program.time.samples) + " passes). "
                       : std::string("All passes were timed together. ");
    if (!t.program.others.empty())
      finding.text += filled("By {}; {} instead. ", {program.source, disagreeing(t.program)});
    for (std::size_t m = 0; m < design.metrics.size(); ++m) {
      if (!t.traced[m]) continue;
      finding.text += filled("It {} {} {}{}",
                             {std::string(word(agreement_with(design, t, m))), design.metrics[m],
                              with_interval(*t.traced[m]), printed(" (x %.3f). ", program.time.ns / t.traced[m]->ns)});
      if (const auto fact = view.fact(static_cast<Row>(t.report), design.metrics[m])) {
        finding.evidence.push_back(static_cast<std::int64_t>(*fact));
      }
    }
    finding.text.pop_back();
    out.push_back(std::move(finding));
  }
  return out;
}

Table time_table(const StudyView& view, const Design& design, const std::vector<ReportTimes>& times) {
  const auto program = [](const ReportTimes& t) {
    return t.program.time ? std::optional(t.program.time->time.ns) : std::nullopt;
  };
  Table table("times", "Time of one pass: device, host, and the program's own");
  table.column("report", "", times, [&](const ReportTimes& t) { return view.path(t.report); });
  for (std::size_t m = 0; m < design.metrics.size(); ++m) {
    table.column(design.metrics[m], "ns", times,
                 [m](const ReportTimes& t) { return t.traced[m] ? std::optional(t.traced[m]->ns) : std::nullopt; });
  }
  table.column("program", "ns", times, program)
      .column("program / " + design.device, "ratio", times,
              [&](const ReportTimes& t) {
                const auto device = traced(design, t, design.device);
                return t.program.time && device ? std::optional(t.program.time->time.ns / device->ns) : std::nullopt;
              })
      .column("by", "", times, [](const ReportTimes& t) { return t.program.time ? t.program.time->source : ""; })
      .column("disagreeing", "", times, [](const ReportTimes& t) { return disagreeing(t.program); })
      .column("why not", "", times, [](const ReportTimes& t) { return t.program.why_not; });
  return table;
}

}  // namespace

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
      {"elapsed_s", OptionType::kText, "elapsed_s", "Column with the seconds of all passes together."},
      {"batches", OptionType::kText, "batches", "Column with the number of passes in elapsed_s."},
      option::number("within", "0.02", "Times that differ by less than this share agree.").within(0, 1),
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
                       std::string(options.text("elapsed_s")), std::string(options.text("batches"))};
    design_.within = options.number("within");
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
