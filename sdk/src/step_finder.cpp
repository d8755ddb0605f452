#include "assay/detail/step_finder.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "assay/algo/intervals.hpp"
#include "assay/detail/column_of.hpp"
#include "assay/detail/matching_names.hpp"
#include "launches_in_order.hpp"
#include "repeated_ranges.hpp"

namespace assay::step {
namespace {

constexpr double kMostProfiler = 0.01, kMuchLonger = 1.5, kLeastOfLast = 0.8;
constexpr std::size_t kLeastOthers = 3;

/// A step while it is found.
struct TiledStep {
  StepPlace place;
  std::uint32_t process = 0;
  std::int32_t number = 0;
  std::int64_t start = 0, end = 0, until = 0;
  std::int64_t device_start = kNone, device_end = kNone, launched = 0, launched_before = 0;
  bool whole = true;
  Disturbance disturbed = Disturbance::kNothing;
  StepSource source = StepSource::kNamed;

  [[nodiscard]] std::int64_t length() const { return end - start; }
};

std::int64_t median_of(std::vector<std::int64_t> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Drops steps inside another one, cuts each at the next, and gives each the work that is launched from its start to
/// the next one's, or to its own end if a pause follows.
void tile(std::vector<TiledStep>& steps, const Launches& launches) {
  std::ranges::stable_sort(steps, [](const TiledStep& a, const TiledStep& b) {
    return std::tuple(a.place.start, -a.place.end) < std::tuple(b.place.start, -b.place.end);
  });
  std::int64_t reach = std::numeric_limits<std::int64_t>::min();
  std::erase_if(steps, [&](const TiledStep& step) {
    const bool nested = step.place.end <= reach;
    reach = std::max(reach, step.place.end);
    return nested;
  });
  std::vector<std::int64_t> lengths;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    StepPlace& place = steps[s].place;
    if (s + 1 < steps.size()) place.end = std::min(place.end, steps[s + 1].place.start);
    lengths.push_back(place.end - place.start);
  }
  const std::int64_t longest_pause = median_of(std::move(lengths));
  std::int64_t before = std::numeric_limits<std::int64_t>::min();
  for (std::size_t s = 0; s < steps.size(); ++s) {
    TiledStep& step = steps[s];
    const bool follows = s + 1 < steps.size() && steps[s + 1].place.start - step.place.end <= longest_pause;
    step.until = follows ? steps[s + 1].place.start : step.place.end;
    step.number = static_cast<std::int32_t>(s);
    step.start = std::max(step.place.start, before);
    step.end = std::max(step.until, step.start);
    for (const Launch& launch : launches.in(step.place.start, step.until)) {
      if (!launch.recorded) {  // its start does not say which step launched it
        if (launch.start < launches.first_recorded()) step.launched_before += launch.time;
        continue;
      }
      step.launched += launch.count;
      step.device_start = step.device_start < 0 ? launch.start : std::min(step.device_start, launch.start);
      step.device_end = std::max(step.device_end, launch.end);
    }
    step.end = before = std::max(step.end, step.device_end);
  }
}

/// The last steps are cut if they launch nothing, or too little, where the others do.
void mark_cut(std::vector<TiledStep>& steps) {
  for (TiledStep& step : steps) step.whole = !step.place.open;
  const auto works = [](const TiledStep& step) { return step.launched > 0; };
  if (steps.size() < 2 || std::ranges::none_of(steps, works)) return;
  std::size_t last = steps.size() - 1;
  for (; !works(steps[last]); --last) steps[last].whole = false;
  if (last > 0 &&
      static_cast<double>(steps[last].launched) < kLeastOfLast * static_cast<double>(steps[last - 1].launched))
    steps[last].whole = false;
}

/// What disturbs steps besides their own length.
class Disturbances {
 public:
  Disturbances(const Report& report, const StepSearch& search) : report_(report), lost_(report.processes->rows) {
    for (const Row call : search.lost_launches)
      lost_[report.threads->process[report.calls->thread[call]]].push_back(report.calls->start[call]);
    std::vector<Intervals> own(report.processes->rows);
    const OverheadTable* const overheads = report.overheads;
    for (std::size_t o = 0; overheads != nullptr && o < overheads->rows; ++o) {
      if (overheads->process[o] < own.size())
        own[overheads->process[o]].push_back({overheads->start[o], overheads->end[o]});
    }
    for (Intervals& each : own) profiler_.push_back(merge(std::move(each)));
  }

  [[nodiscard]] Disturbance of(const TiledStep& step) const {
    const std::vector<std::int64_t>& lost = lost_[step.process];
    const auto first = std::ranges::lower_bound(lost, step.place.start);
    const Window& window = *report_.window;
    const bool outside =
        window.named == 2 && (step.place.start < window.host_start || step.place.end > window.host_end);
    if (outside || (first != lost.end() && *first < step.place.end)) return Disturbance::kLostLaunches;
    if (exceeds(profiler_time(step), step)) return Disturbance::kProfiler;
    return exceeds(step.launched_before, step) ? Disturbance::kLaunchedBefore : Disturbance::kNothing;
  }

 private:
  static bool exceeds(std::int64_t time, const TiledStep& step) {
    return static_cast<double>(time) > kMostProfiler * static_cast<double>(step.length());
  }

  [[nodiscard]] std::int64_t profiler_time(const TiledStep& step) const {
    const Intervals& own = profiler_[step.process];
    std::int64_t time = 0;
    for (auto o = std::ranges::upper_bound(own, step.start, {}, &Interval::end); o != own.end() && o->start < step.end;
         ++o)
      time += std::min(o->end, step.end) - std::max(o->start, step.start);
    return time;
  }

  const Report& report_;
  std::vector<std::vector<std::int64_t>> lost_;  ///< by process, starts of launches without kernels
  std::vector<Intervals> profiler_;              ///< by process, the profiler's own work
};

void mark_disturbed(std::vector<TiledStep>& steps, const Disturbances& disturbances, bool rank_of_several) {
  for (TiledStep& step : steps) step.disturbed = disturbances.of(step);
  if (steps.size() <= kLeastOthers || steps.front().disturbed != Disturbance::kNothing) return;
  std::vector<std::int64_t> others;
  for (std::size_t s = 1; s < steps.size(); ++s) {
    if (steps[s].whole) others.push_back(steps[s].length());
  }
  if (others.size() < kLeastOthers) return;
  const auto usual = static_cast<double>(median_of(std::move(others)));
  if (rank_of_several)
    steps.front().disturbed = Disturbance::kFirstOfJob;
  else if (static_cast<double>(steps.front().length()) > kMuchLonger * usual)
    steps.front().disturbed = Disturbance::kFirst;
}

std::vector<StepPlace> named_places(const Report& report, std::span<const std::string> names) {
  detail::MatchingNames meant(report, names);
  std::map<std::int32_t, std::vector<StepPlace>> by_name;
  const Window& window = *report.window;
  for (const RangeTable* table : {report.ranges, report.spans}) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const std::int32_t name = meant.pattern_of(table->name[r]);
      if (name == kNone || table->end[r] < table->start[r]) continue;
      if (window.named == 1 && (table->start[r] < window.host_start || table->end[r] > window.host_end)) continue;
      by_name[name].push_back({table->start[r], table->end[r], table->name[r], table->thread[r],
                               table == report.ranges ? static_cast<Row>(r) : kNone,
                               table->open.present() && table->open[r] != 0});
    }
  }
  return by_name.empty() ? std::vector<StepPlace>() : std::move(by_name.begin()->second);
}

StepRows rows_of(std::vector<TiledStep> steps) {
  std::ranges::stable_sort(steps, [](const TiledStep& a, const TiledStep& b) {
    return std::tuple(a.start, a.end, a.process) < std::tuple(b.start, b.end, b.process);
  });
  StepRows rows;
  for (const TiledStep& step : steps) {
    rows.start.push_back(step.start);
    rows.end.push_back(step.end);
    rows.process.push_back(step.process);
    rows.number.push_back(step.number);
    rows.name.push_back(step.place.name);
    rows.thread.push_back(step.place.thread);
    rows.range.push_back(step.place.range);
    rows.host_start.push_back(step.place.start);
    rows.host_end.push_back(step.place.end);
    rows.until.push_back(step.until);
    rows.device_start.push_back(step.device_start);
    rows.device_end.push_back(step.device_end);
    rows.launched.push_back(step.launched);
    rows.whole.push_back(step.whole ? 1 : 0);
    rows.disturbed.push_back(step.disturbed);
    rows.source.push_back(step.source);
  }
  return rows;
}

/// Steps of all processes, from the places of each.
StepRows finished(const Report& report, std::vector<RecognisedSteps> places, const std::vector<Launches>& launches,
                  const StepSearch& search) {
  const Disturbances disturbances(report, search);
  std::vector<TiledStep> all;
  for (std::size_t p = 0; p < places.size(); ++p) {
    std::vector<TiledStep> steps;
    for (const StepPlace& place : places[p].places)
      steps.push_back({.place = place, .process = static_cast<std::uint32_t>(p), .source = places[p].source});
    tile(steps, launches[p]);
    mark_cut(steps);
    mark_disturbed(steps, disturbances, search.rank_of_several);
    all.insert(all.end(), steps.begin(), steps.end());
  }
  return rows_of(std::move(all));
}

std::vector<RecognisedSteps> by_process(const Report& report, std::vector<StepPlace> places) {
  std::vector<RecognisedSteps> out(static_cast<std::size_t>(report.processes->rows));
  for (StepPlace& place : places) {
    RecognisedSteps& own = out[report.threads->process[place.thread]];
    own.source = StepSource::kNamed;
    own.places.push_back(place);
  }
  return out;
}

}  // namespace

StepTable StepRows::table() const {
  StepTable out;
  out.rows = start.size();
  out.start = detail::column_of(start);
  out.end = detail::column_of(end);
  out.process = detail::column_of(process);
  out.number = detail::column_of(number);
  out.name = detail::column_of(name);
  out.thread = detail::column_of(thread);
  out.range = detail::column_of(range);
  out.host_start = detail::column_of(host_start);
  out.host_end = detail::column_of(host_end);
  out.until = detail::column_of(until);
  out.device_start = detail::column_of(device_start);
  out.device_end = detail::column_of(device_end);
  out.launched = detail::column_of(launched);
  out.whole = detail::column_of(whole);
  out.disturbed = detail::column_of(disturbed);
  out.source = detail::column_of(source);
  return out;
}

StepRows find_step_rows(const Report& report, const StepSearch& search) {
  if (report.ranges == nullptr && report.spans == nullptr) return {};
  if (!search.named.empty()) return step_rows_at(report, named_places(report, search.named), search);
  const std::vector<Launches> launches = launches_of(report);
  return finished(report, recognise_steps(report, launches), launches, search);
}

StepRows step_rows_at(const Report& report, std::vector<StepPlace> places, const StepSearch& search) {
  if (places.empty()) return {};
  return finished(report, by_process(report, std::move(places)), launches_of(report), search);
}

}  // namespace assay::step
