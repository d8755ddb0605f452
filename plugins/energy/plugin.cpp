// Energy and clock of a run, and whether it was throttled, from samples recorded next to the profiles.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algo/properties.hpp"
#include "assay/algo/summary.hpp"
#include "assay/detail/alike.hpp"
#include "assay/detail/text.hpp"
#include "assay/output.hpp"
#include "assay/sdk.hpp"
#include "assay/sheets.hpp"
#include "assay/words.hpp"
#include "course.hpp"
#include "samples.hpp"

namespace assay::energy {
namespace {

constexpr std::string_view kSheet = "power";           // [[sheet]] id; recordings have one
constexpr std::string_view kWindow = "energy.window";  // attribute: begin and end, ns since the epoch

struct RunUse {
  std::size_t report = 0;
  StretchUse use;
  std::optional<double> per_iteration, per_token;
};

std::optional<Window> window_of(const StudyView& view, std::size_t r) {
  const auto text = view.attribute(r, kWindow);
  if (!text) return std::nullopt;
  const std::size_t blank = text->find(' ');
  const auto begin = number_in<std::int64_t>(text->substr(0, blank)),
             end = number_in<std::int64_t>(text->substr(blank + 1));
  if (!begin || !end) return std::nullopt;
  return Window{static_cast<double>(*begin) / 1e9, static_cast<double>(*end) / 1e9};
}

/// Runs that took longer than the others of their cell while only they were throttled, which explains the difference.
class SlowRuns {
 public:
  SlowRuns(const StudyView& view, const std::vector<RunUse>& uses) : view_(view), uses_(uses) {
    for (const RunGroup& group : alike_groups(view, {}).groups) compare(group.runs);
  }
  [[nodiscard]] const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  struct Run {
    const RunUse* use = nullptr;
    double time = 0;
  };
  static constexpr std::size_t kMinRuns = 3;
  static constexpr double kLonger = 1.05, kSpreads = 3;  // relative to the others' median, and beyond their range
  static constexpr double kMoreThrottled = 0.05;         // share of samples

  void compare(const Runs& reports) {
    std::vector<Run> runs;
    for (const RunUse& use : uses_) {
      const auto time = view_.value(static_cast<Row>(use.report), "iteration.period_ns");
      if (time && *time > 0 && std::ranges::count(reports, use.report) > 0) runs.push_back({&use, *time});
    }
    if (runs.size() < kMinRuns) return;
    for (const Run& run : runs) judge(run, runs);
  }

  void judge(const Run& run, const std::vector<Run>& all) {
    if (!run.use->use.throttled_ratio) return;
    std::vector<double> times, throttled, clocks;
    for (const Run& other : all) {
      if (other.use == run.use) continue;
      times.push_back(other.time);
      if (!other.use->use.throttled_ratio) return;  // possibly not the only one throttled
      throttled.push_back(*other.use->use.throttled_ratio);
      if (other.use->use.sm_mhz) clocks.push_back(*other.use->use.sm_mhz);
    }
    const double usual = median(times), range = std::ranges::max(times) - std::ranges::min(times);
    const double own = *run.use->use.throttled_ratio;
    if (run.time < kLonger * usual || run.time < usual + kSpreads * range / 2) return;
    if (own < std::ranges::max(throttled) + kMoreThrottled) return;
    std::string text = filled("{} took {} as long as the {} of its cell because it was throttled ({} of its samples",
                              {view_.path(run.use->report), factor_text(run.time / usual),
                               counted(times.size(), "other run"), percent(own, 0)});
    const auto clock = run.use->use.sm_mhz;
    if (clock && !clocks.empty()) text += printed("; %.0f MHz against %.0f MHz", *clock, median(clocks));
    sentences_.push_back(text + ")");
  }
  static std::string factor_text(double factor) { return printed("%.2fx", factor); }

  const StudyView& view_;
  const std::vector<RunUse>& uses_;
  std::vector<std::string> sentences_;
};

/// The energies of the runs differ for a known reason: "block_002/run_a (throttled in 40 % of its samples)".
std::string throttled_text(const StudyView& view, const std::vector<RunUse>& runs) {
  std::vector<std::string> names;
  std::size_t unknown = 0;
  for (const RunUse& run : runs) {
    const auto& share = run.use.throttled_ratio;
    unknown += share ? 0U : 1U;
    if (share && *share > 0)
      names.push_back(filled("{} ({} of its samples)", {view.path(run.report), percent(*share, 0)}));
  }
  const std::string rest = unknown == 0 ? "" : "; of " + counted(unknown, "run") + " it is not known";
  constexpr std::size_t kMaxNamed = 5;
  const std::size_t count = names.size();
  if (names.size() > kMaxNamed) {
    names.resize(kMaxNamed);
    names.push_back(std::to_string(count - kMaxNamed) + " more");
  }
  if (!names.empty())
    return filled(
        "{}{} for power or heat: {}{}",
        {counted(count, "run"), count == 1 ? " ran below its clock" : " ran below their clocks", listed(names), rest});
  return unknown == 0 || unknown == runs.size() ? "" : "No run is known to have been throttled" + rest;
}

std::string range_text(const std::vector<double>& values, const char* unit) {
  const auto [least, most] = std::ranges::minmax_element(values);
  return *least == *most ? printed("%.3g %s", *least, unit) : printed("%.3g to %.3g %s", *least, *most, unit);
}

/// "Energy by the energy counter (12 runs), power readings, which varied by less than 5 % (4 runs). "
std::string sources_text(const std::vector<RunUse>& runs) {
  std::map<std::string, std::size_t> counts;
  for (const RunUse& run : runs) {
    if (run.use.joules) ++counts[run.use.method];
  }
  std::vector<std::string> sources;
  for (const auto& [method, count] : counts) sources.push_back(filled("{} ({})", {method, counted(count, "run")}));
  return sources.empty() ? "" : "Energy by " + listed(sources) + ". ";
}

/// Damaged samples; empty: there are none.
std::string doubts_text(const Courses& courses) {
  if (courses.doubts().empty()) return {};
  return "Left out, because no board can have it: " + listed(courses.doubts()) + "; sample again";
}

Finding summary(const StudyView& view, const std::vector<RunUse>& runs, const Courses& courses) {
  std::vector<double> watts, per_iteration, per_token;
  for (const RunUse& run : runs) {
    if (run.use.mean_w) watts.push_back(*run.use.mean_w);
    if (run.per_iteration) per_iteration.push_back(*run.per_iteration);
    if (run.per_token) per_token.push_back(*run.per_token);
  }
  Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.title = "Energy of " + counted_of(watts.size(), runs.size(), "run") + " is known";
  if (!per_iteration.empty()) finding.title += ": " + range_text(per_iteration, "J") + " per iteration";
  if (!per_token.empty())
    finding.title += std::string(per_iteration.empty() ? ": " : ", ") + range_text(per_token, "J") + " per token";
  if (!watts.empty()) finding.text = "Mean power of the measured windows: " + range_text(watts, "W") + ". ";
  finding.text += sources_text(runs) + "The energy is that of the whole GPU within the window, idle power included.";
  if (const std::string throttled = throttled_text(view, runs); !throttled.empty())
    finding.text += " " + throttled + ".";
  if (const std::string doubts = doubts_text(courses); !doubts.empty()) finding.text += " " + doubts + ".";
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
      {"energy.joule_per_token", "J", Polarity::kLowerIsBetter,
       "power.mean_w over serving.tokens_per_s; idle power is part of it.", "energy of a generated token"},
      {"power.mean_w", "W", Polarity::kLowerIsBetter, "That energy over the length of the window.",
       "mean power of the GPU"},
      {"clock.sm_mhz", "MHz", Polarity::kNeutral, "Mean of the SM clock over the samples within the window.",
       "SM clock"},
      {"clock.memory_mhz", "MHz", Polarity::kNeutral, "Mean of the memory clock over the samples within the window.",
       "memory clock"},
      {"throttled_ratio", "ratio", Polarity::kLowerIsBetter,
       "Share of the samples within the window in which the clock was below what was asked for, for power or heat.",
       "share of samples that were throttled"},
      {"power.samples", "1", Polarity::kNeutral, "Samples within the window that these rest on.", "samples of the GPU"},
  };
  static constexpr AttributeSpec kAttributes[] = {
      {"energy.window", "Begin and end of the window, ns since the epoch, with a blank between them."},
  };
  static constexpr Str kConsumes[] = {"?iteration.count", "?iteration.period_ns", "?serving.tokens_per_s"};

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
    for (const Sheet& sheet : sheets_of(study, kSheet)) courses.add(sheet);
    if (courses.empty())
      return sink.skip(kNone,
                       "no samples of the GPU stand beside the profiles: neither power.csv of a recording nor a "
                       "[[sheet]] 'power' with the columns time_ns and energy_mj or power_mw, or as nvidia-smi and "
                       "amd-smi write it");
    if (courses.rival_gpus() > 0)
      sink.skip(kNone, "the samples are of " + counted(courses.rival_gpus(), "GPU") +
                           ", and no profile says which is its own: leave one in the file");
    std::vector<Window> windows;
    for (std::size_t r = 0; r < view.report_count(); ++r) {
      if (const auto window = window_of(view, r)) windows.push_back(*window);
    }
    courses.assign_windows(windows);
    if (const std::string doubts = doubts_text(courses); !doubts.empty()) sink.skip(kNone, doubts);
    std::vector<RunUse> runs;
    for (std::size_t r = 0; r < view.report_count(); ++r) {
      if (const auto use = use_in(view, r, courses, sink)) runs.push_back(*use);
    }
    for (const RunUse& run : runs) emit(run, sink);
    if (runs.empty()) return;
    sink.finding(summary(view, runs, courses));
    const SlowRuns slow(view, runs);
    for (const std::string& sentence : slow.sentences()) {
      Finding finding;
      finding.role = FindingRole::kNote;
      finding.title = sentence;
      finding.text =
          "Its time says nothing of the program at the clock of the others: cool the GPU, raise its power "
          "limit, or leave the run out ([experiment] reject = [\"throttled\"] repeats such runs).";
      sink.finding(finding);
    }
  }

 private:
  static std::optional<RunUse> use_in(const StudyView& view, std::size_t r, const Courses& courses, StudySink& sink) {
    const auto window = window_of(view, r);
    if (!window) return std::nullopt;
    const std::vector<PowerSample>* course = courses.samples_of(view.path(r));
    if (course == nullptr) {
      sink.skip(static_cast<Row>(r), "energy.joule: no samples are of this run");
      return std::nullopt;
    }
    RunUse run{r, use_of(*course, window->begin, window->end), {}, {}};
    if (!run.use.refused.empty()) sink.skip(static_cast<Row>(r), "energy.joule: " + run.use.refused);
    const auto iterations = view.value(static_cast<Row>(r), "iteration.count");
    if (run.use.joules && iterations && *iterations > 0) run.per_iteration = *run.use.joules / *iterations;
    const auto rate = view.value(static_cast<Row>(r), "serving.tokens_per_s");
    if (run.use.mean_w && rate && *rate > 0) run.per_token = *run.use.mean_w / *rate;
    return run;
  }

  static void emit(const RunUse& run, StudySink& sink) {
    const auto row = static_cast<Row>(run.report);
    const auto emit = [&](std::string_view metric, const std::optional<double>& value) {
      if (value) sink.report_fact(row, metric, *value);
    };
    emit("energy.joule", run.use.joules);
    emit("energy.joule_per_iteration", run.per_iteration);
    emit("energy.joule_per_token", run.per_token);
    emit("power.mean_w", run.use.mean_w);
    emit("clock.sm_mhz", run.use.sm_mhz);
    emit("clock.memory_mhz", run.use.memory_mhz);
    emit("throttled_ratio", run.use.throttled_ratio);
    sink.report_fact(row, "power.samples", static_cast<double>(run.use.samples));
  }
};

ASSAY_PLUGIN("energy", "1.0.0", Energy);

}  // namespace assay::energy
