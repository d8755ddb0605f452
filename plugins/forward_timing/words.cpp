#include "words.hpp"

#include "assay/words.hpp"

namespace assay::timing {
namespace {

constexpr std::size_t kMostEvidence = 12;  // the table has them all

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
  return time_text(time.ns) + (time.samples < 2 ? "" : " [" + time_text(time.low) + ", " + time_text(time.high) + "]");
}

Agreement agreement_with(const Design& design, const ReportTimes& times, std::size_t metric) {
  return agreement(times.program.time->time, *times.traced[metric], design.within, design.open_above);
}

/// "x/results.json says 20 ms", of every other row that is of the same run.
std::string disagreeing(const ProgramTimes& program) {
  std::vector<std::string> said;
  for (const ProgramTime& other : program.others) said.push_back(other.source + " says " + time_text(other.time.ns));
  return listed(said);
}

/// What was counted over the reports.
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

}  // namespace

Finding answer(const Design& design, const std::vector<ReportTimes>& times, double level) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  const Counts counts = count(design, times);
  std::vector<std::string> parts;
  bool open = false;
  for (std::size_t m = 0; m < design.metrics.size(); ++m) {
    parts.push_back(design.metrics[m] + " in " + std::to_string(counts.agrees[m]) +
                    (counts.open[m] == 0 ? "" : " (" + std::to_string(counts.open[m]) + " open)"));
    open = open || counts.open[m] > 0;
  }
  finding.title = counts.with_program == 0 ? "The programs' own times are unknown; the table has host and GPU time"
                                           : "The program's own time of a pass agrees with " + listed(parts) + " of " +
                                                 counted(counts.with_program, "profile");
  finding.text =
      "Medians are compared with medians, and where the program timed all passes together means with means. Agreeing "
      "means that they differ by less than " +
      printed("%g", 100 * design.within) + " %, or by no more than the " + percent(level, 0) +
      " intervals of both together. " +
      (open ? "Intervals of more than " + printed("%g", 100 * design.open_above) +
                  " % cannot exclude larger differences. "
            : "") +
      design.host + " is shorter than " + design.device + " in " +
      counted_of(counts.ahead, counts.compared, "profile") +
      ": there the host only launches and runs ahead, so its time is not the GPU's time.";
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

std::vector<Finding> evidence(const StudyView& view, const Design& design, const std::vector<ReportTimes>& times) {
  std::vector<Finding> out;
  for (const ReportTimes& t : times) {
    if (!t.program.time || out.size() == kMostEvidence) continue;
    const ProgramTime& program = *t.program.time;
    Finding finding;
    finding.title = std::string(view.path(t.report)) + ": program " + with_interval(program.time) + " per pass";
    finding.text = program.by_step
                       ? "Passes were timed one by one (" + std::to_string(program.time.samples) + " passes). "
                       : std::string("All passes were timed together. ");
    if (!t.program.others.empty())
      finding.text += "By " + program.source + "; " + disagreeing(t.program) + " instead. ";
    for (std::size_t m = 0; m < design.metrics.size(); ++m) {
      if (!t.traced[m]) continue;
      finding.text += "It " + std::string(word(agreement_with(design, t, m))) + " " + design.metrics[m] + " " +
                      with_interval(*t.traced[m]) + printed(" (x %.3f). ", program.time.ns / t.traced[m]->ns);
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
  std::vector<std::string> reports, by, others, why;
  std::vector<std::vector<double>> columns(design.metrics.size());
  std::vector<double> programs, ratios;
  for (const ReportTimes& t : times) {
    const std::optional<ProgramTime>& program = t.program.time;
    reports.emplace_back(view.path(t.report));
    for (std::size_t m = 0; m < columns.size(); ++m) columns[m].push_back(t.traced[m] ? t.traced[m]->ns : kNothing);
    programs.push_back(program ? program->time.ns : kNothing);
    const auto device = traced(design, t, design.device);
    ratios.push_back(program && device ? program->time.ns / device->ns : kNothing);
    by.push_back(program ? program->source : "");
    others.push_back(disagreeing(t.program));
    why.push_back(t.program.why_not);
  }
  Table table("times", "Time of one pass: device, host, and the program's own");
  table.add("report", "", std::move(reports));
  for (std::size_t m = 0; m < columns.size(); ++m) table.add(design.metrics[m], "ns", std::move(columns[m]));
  table.add("program", "ns", std::move(programs));
  table.add("program / " + design.device, "ratio", std::move(ratios));
  table.add("by", "", std::move(by));
  table.add("disagreeing", "", std::move(others));
  table.add("why not", "", std::move(why));
  return table;
}

}  // namespace assay::timing
