// What a run took of energy, at which clock, and whether it was throttled, from samples that stand beside the profiles.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/output.hpp"
#include "assay/sdk.hpp"
#include "assay/sheets.hpp"
#include "course.hpp"

namespace assay::energy {
namespace {

constexpr std::string_view kSheet = "power";           // [[sheet]] id; a recording has one
constexpr std::string_view kWindow = "energy.window";  // attribute: begin and end, ns since the epoch

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> origin_of(const Report& report) {
  if (report.properties == nullptr) return std::nullopt;
  for (std::size_t row = 0; row < report.properties->rows; ++row) {
    if (report.properties->name[row].view() == "origin_ns") return whole_number(report.properties->value[row].view());
  }
  return std::nullopt;
}

/// Samples of one run, or of a GPU where a sheet names no runs, by the text of the column `run`.
using Courses = std::map<std::string, std::vector<PowerSample>>;

/// One column of a sheet as numbers times a factor.
class NumberColumn {
 public:
  NumberColumn(const Sheet& sheet, std::string_view name, double factor)
      : sheet_(sheet), at_(sheet.column(name)), factor_(factor) {}
  [[nodiscard]] bool present() const { return at_.has_value(); }
  [[nodiscard]] std::optional<double> operator[](std::size_t row) const {
    const auto value = at_ ? sheet_.number(row, *at_) : std::nullopt;
    return value ? std::optional(*value * factor_) : std::nullopt;
  }

 private:
  const Sheet& sheet_;
  std::optional<std::size_t> at_;
  double factor_;
};

void add_courses(const Sheet& sheet, Courses& courses) {
  const auto run = sheet.column("run"), time = sheet.column("time_ns");
  if (!time) return;
  const NumberColumn energy(sheet, "energy_mj", 1e-3), power(sheet, "power_mw", 1e-3), clock(sheet, "sm_mhz", 1),
      throttled(sheet, "throttled", 1);
  for (std::size_t row = 0; row < sheet.rows(); ++row) {
    const auto ns = whole_number(sheet.text(row, *time));
    if (!ns) continue;
    courses[run ? std::string(sheet.text(row, *run)) : std::string()].push_back(
        {static_cast<double>(*ns) / 1e9, energy[row], power[row], clock[row], throttled[row]});
  }
}

/// The course of the run that a report is of: "block_001/run_a" of ".../block_001/run_a.sqlite".
const std::vector<PowerSample>* course_of(const Courses& courses, std::string_view path) {
  for (const auto& [run, course] : courses) {
    if (!run.empty() && path.find(run + ".") != std::string_view::npos) return &course;
  }
  const auto all = courses.find("");
  return all == courses.end() ? nullptr : &all->second;
}

struct RunUse {
  std::size_t report = 0;
  StretchUse use;
  std::optional<double> per_iteration;
};

/// The energies of the runs are unlike for a reason that is known: "block_002/run_a (throttled in 40 % of its
/// samples)".
std::string throttled_text(const StudyView& view, const std::vector<RunUse>& runs) {
  std::vector<std::string> names;
  std::size_t unknown = 0;
  for (const RunUse& run : runs) {
    const auto& share = run.use.throttled_ratio;
    unknown += share ? 0U : 1U;
    if (share && *share > 0)
      names.push_back(std::string(view.path(run.report)) + " (" + percent(*share, 0) + " of its samples)");
  }
  const std::string rest = unknown == 0 ? "" : "; of " + counted(unknown, "run") + " it is not known";
  constexpr std::size_t kMostNamed = 5;
  const std::size_t count = names.size();
  if (names.size() > kMostNamed) names.resize(kMostNamed);
  if (!names.empty()) return counted(count, "run") + " ran below its clock for power or heat: " + listed(names) + rest;
  return unknown == 0 || unknown == runs.size() ? "" : "No run is known to have been throttled" + rest;
}

std::string range_text(const std::vector<double>& values, const char* unit) {
  const auto [least, most] = std::ranges::minmax_element(values);
  return *least == *most ? printed("%.3g %s", *least, unit) : printed("%.3g to %.3g %s", *least, *most, unit);
}

Finding summary(const StudyView& view, const std::vector<RunUse>& runs) {
  std::vector<double> watts, per_iteration;
  for (const RunUse& run : runs) {
    if (run.use.mean_w) watts.push_back(*run.use.mean_w);
    if (run.per_iteration) per_iteration.push_back(*run.per_iteration);
  }
  Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.title = "Energy of " + counted_of(watts.size(), runs.size(), "run") + " is known";
  if (!per_iteration.empty()) finding.title += ": " + range_text(per_iteration, "J") + " per iteration";
  if (!watts.empty()) finding.text = "Mean power of the measured windows: " + range_text(watts, "W") + ". ";
  finding.text += "The energy is that of the whole GPU within the window, idle power included.";
  if (const std::string throttled = throttled_text(view, runs); !throttled.empty())
    finding.text += " " + throttled + ".";
  return finding;
}

}  // namespace

class Energy {
 public:
  static constexpr std::string_view kSummary =
      "Energy per iteration, power, clock and throttling of each run, from samples beside the profiles.";
  static constexpr ColumnId kWants[] = {col::properties};
  static constexpr MetricSpec kProduces[] = {
      {"energy.joule", "J", Polarity::kLowerIsBetter,
       "Energy of the GPU within the window, by the driver's counter at its begin and end, or by power readings that "
       "are corrected for their lag.",
       "energy of the window", kExtensive},
      {"energy.joule_per_iteration", "J", Polarity::kLowerIsBetter,
       "That energy over the iterations of the window; idle power is part of it.", "energy of an iteration"},
      {"power.mean_w", "W", Polarity::kLowerIsBetter, "That energy over the length of the window.",
       "mean power of the GPU"},
      {"clock.sm_mhz", "MHz", Polarity::kNeutral, "Mean of the SM clock over the samples within the window.",
       "SM clock"},
      {"throttled_ratio", "ratio", Polarity::kLowerIsBetter,
       "Share of the samples within the window in which the clock was below what was asked for, for power or heat.",
       "share of samples that were throttled"},
      {"power.samples", "1", Polarity::kNeutral, "Samples within the window that these rest on.", "samples of the GPU"},
  };
  static constexpr AttributeSpec kAttributes[] = {
      {"energy.window", "Begin and end of the window, ns since the epoch, with a blank between them."},
  };
  static constexpr Str kConsumes[] = {"?iteration.count"};

  explicit Energy(const Options&) {}

  void analyze(const Report& report, ReportSink& sink) const {
    const auto origin = origin_of(report);
    if (!origin) return sink.skip("energy.joule", "the profile does not say when it was recorded");
    sink.attribute(kWindow,
                   std::to_string(*origin + report.window->start) + " " + std::to_string(*origin + report.window->end));
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    Courses courses;
    for (const Sheet& sheet : sheets_of(study, kSheet)) add_courses(sheet, courses);
    if (courses.empty())
      return sink.skip(kNone,
                       "no samples of the GPU stand beside the profiles: neither power.csv of a recording nor a "
                       "[[sheet]] 'power' with the columns time_ns and energy_mj or power_mw");
    for (auto& [run, course] : courses) std::ranges::sort(course, {}, &PowerSample::time_s);
    std::vector<RunUse> runs;
    for (std::size_t r = 0; r < view.report_count(); ++r) {
      if (const auto use = use_in(view, r, courses, sink)) runs.push_back(*use);
    }
    for (const RunUse& run : runs) emit(run, sink);
    if (!runs.empty()) sink.finding(summary(view, runs));
  }

 private:
  static std::optional<RunUse> use_in(const StudyView& view, std::size_t r, const Courses& courses, StudySink& sink) {
    const auto window = view.attribute(r, kWindow);
    if (!window) return std::nullopt;
    const std::size_t blank = window->find(' ');
    const auto begin = whole_number(window->substr(0, blank)), end = whole_number(window->substr(blank + 1));
    const std::vector<PowerSample>* course = course_of(courses, view.path(r));
    if (!begin || !end || course == nullptr) {
      sink.skip(static_cast<Row>(r), "energy.joule: no samples are of this run");
      return std::nullopt;
    }
    RunUse run{r, use_of(*course, static_cast<double>(*begin) / 1e9, static_cast<double>(*end) / 1e9), {}};
    if (!run.use.refused.empty()) sink.skip(static_cast<Row>(r), "energy.joule: " + run.use.refused);
    const auto iterations = view.value(static_cast<Row>(r), "iteration.count");
    if (run.use.joules && iterations && *iterations > 0) run.per_iteration = *run.use.joules / *iterations;
    return run;
  }

  static void emit(const RunUse& run, StudySink& sink) {
    const auto row = static_cast<Row>(run.report);
    const auto give = [&](std::string_view metric, const std::optional<double>& value) {
      if (value) sink.report_fact(row, metric, *value);
    };
    give("energy.joule", run.use.joules);
    give("energy.joule_per_iteration", run.per_iteration);
    give("power.mean_w", run.use.mean_w);
    give("clock.sm_mhz", run.use.sm_mhz);
    give("throttled_ratio", run.use.throttled_ratio);
    sink.report_fact(row, "power.samples", static_cast<double>(run.use.samples));
  }
};

ASSAY_PLUGIN("energy", "1.0.0", Energy);

}  // namespace assay::energy
