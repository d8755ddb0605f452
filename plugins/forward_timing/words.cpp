#include "words.hpp"

#include "assay/words.hpp"

namespace assay::timing {
namespace {

constexpr std::size_t kMostEvidence = 12;  // the table has them all

std::string_view word(Agreement a) {
  return a == Agreement::kAgrees ? "agrees with" : a == Agreement::kLonger ? "is longer than" : "is shorter than";
}

std::optional<Time> traced(const Design& design, const ReportTimes& times, const std::string& metric) {
  for (std::size_t m = 0; m < design.metrics.size(); ++m) {
    if (design.metrics[m] == metric) return times.traced[m];
  }
  return std::nullopt;
}

std::string with_spread(const Time& time) {
  return time_text(time.ns) + (time.samples < 2 ? "" : " [" + time_text(time.low) + ", " + time_text(time.high) + "]");
}

}  // namespace

Finding answer(const Design& design, const std::vector<ReportTimes>& times) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  std::size_t with_program = 0, ahead = 0, compared = 0;
  std::vector<std::size_t> agrees(design.metrics.size());
  for (const ReportTimes& t : times) {
    const auto host = traced(design, t, design.host), device = traced(design, t, design.device);
    if (host && device) {
      ++compared;
      ahead += host->ns < device->ns ? 1U : 0U;
    }
    if (!t.program) continue;
    ++with_program;
    for (std::size_t m = 0; m < design.metrics.size(); ++m) {
      agrees[m] += t.traced[m] && agreement(*t.program, *t.traced[m], design.within) == Agreement::kAgrees ? 1U : 0U;
    }
  }
  std::vector<std::string> parts;
  for (std::size_t m = 0; m < design.metrics.size(); ++m) {
    parts.push_back(design.metrics[m] + " in " + std::to_string(agrees[m]));
  }
  finding.title = with_program == 0 ? "The programs' own times are not known; host and GPU time stand in the table"
                                    : "The program's own time of a pass agrees with " + listed(parts) + " of " +
                                          counted(with_program, "report");
  finding.text =
      "Agreeing means that the medians differ by no more than both spreads (2.5 to 97.5 % of the passes) "
      "together, or by less than " +
      printed("%g", 100 * design.within) + " %. " + design.host + " is shorter than " + design.device + " in " +
      counted_of(ahead, compared, "report") +
      ": there the host only launches and runs ahead, and its time is not the GPU's.";
  if (with_program < times.size()) {
    finding.text += " Of " + counted(times.size() - with_program, "report") + " the program's own time is not known.";
  }
  return finding;
}

std::vector<Finding> evidence(const StudyView& view, const Design& design, const std::vector<ReportTimes>& times) {
  std::vector<Finding> out;
  for (const ReportTimes& t : times) {
    if (!t.program || out.size() == kMostEvidence) continue;
    Finding finding;
    finding.title = std::string(view.path(t.report)) + ": program " + with_spread(*t.program) + " a pass";
    finding.text = t.by_step ? "Passes were timed one by one (" + std::to_string(t.program->samples) + " passes). "
                             : std::string("All passes were timed together. ");
    for (std::size_t m = 0; m < design.metrics.size(); ++m) {
      if (!t.traced[m]) continue;
      const Agreement a = agreement(*t.program, *t.traced[m], design.within);
      finding.text += "It " + std::string(word(a)) + " " + design.metrics[m] + " " + with_spread(*t.traced[m]) +
                      printed(" (x %.3f). ", t.program->ns / t.traced[m]->ns);
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
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> reports, why;
  std::vector<std::vector<double>> columns(design.metrics.size());
  std::vector<double> programs, ratios;
  for (const ReportTimes& t : times) {
    reports.emplace_back(view.path(t.report));
    for (std::size_t m = 0; m < columns.size(); ++m) columns[m].push_back(t.traced[m] ? t.traced[m]->ns : kNothing);
    programs.push_back(t.program ? t.program->ns : kNothing);
    const auto device = traced(design, t, design.device);
    ratios.push_back(t.program && device ? t.program->ns / device->ns : kNothing);
    why.push_back(t.why_no_program);
  }
  Table table("times", "Time of one pass: device, host, and the program's own");
  table.add("report", "", std::move(reports));
  for (std::size_t m = 0; m < columns.size(); ++m) table.add(design.metrics[m], "ns", std::move(columns[m]));
  table.add("program", "ns", std::move(programs));
  table.add("program / " + design.device, "ratio", std::move(ratios));
  table.add("why not", "", std::move(why));
  return table;
}

}  // namespace assay::timing
