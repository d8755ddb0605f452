#include "assay/algo/steps.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

#include "assay/detail/matching_names.hpp"

namespace assay::step {
namespace {

bool in_window(const Report& report, Interval i) {
  const Window& window = *report.window;
  return window.named == 0 || (i.start >= window.host_start && i.end <= window.host_end);
}

template <class IsStep>
std::vector<Step> ranges_that(const Report& report, IsStep is_step, Steps& found) {
  std::vector<Step> steps;
  for (const RangeTable* table : {report.ranges, report.spans}) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const Interval host{table->start[r], table->end[r]};
      if (!is_step(table->name[r])) continue;
      if (!in_window(report, host)) {
        if (report.window->named == 2) found.without_kernels.emplace_back(report.string(table->name[r]));
        continue;
      }
      steps.push_back(
          {std::string(report.string(table->name[r])), host, host, 0, report.threads->process[table->thread[r]]});
    }
  }
  return steps;
}

std::vector<Step> named_steps(const Report& report, Names& names, Steps& found) {
  return ranges_that(report, [&](StringId name) { return names.is_step(name); }, found);
}

std::vector<Step> ranges_of_steps(const Report& report, const std::string& pattern, Steps& found) {
  if (pattern.empty()) return {};
  detail::MatchingNames meant(report, {&pattern, 1});
  return ranges_that(report, [&](StringId name) { return meant.contains(name); }, found);
}

std::vector<Step> iteration_steps(const Report& report) {
  std::vector<Step> steps;
  if (report.iterations == nullptr) return steps;
  const IterationTable& t = *report.iterations;
  for (std::size_t i = 0; i < t.rows; ++i) {
    const Interval host{t.start[i], t.end[i]};
    const std::uint32_t process = t.thread.present() ? report.threads->process[t.thread[i]] : kAnyProcess;
    if (in_window(report, host)) steps.push_back({"iteration " + std::to_string(t.number[i]), host, host, 0, process});
  }
  return steps;
}

/// From the first start to the last end of everything on the host; empty if there is nothing.
Interval host_extent(const Report& report) {
  Interval out{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  const auto add = [&](const auto* table) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      out.start = std::min(out.start, table->start[r]);
      out.end = std::max(out.end, table->end[r]);
    }
  };
  add(report.ops);
  add(report.ranges);
  add(report.spans);
  add(report.calls);
  return out.end > out.start ? out : Interval{};
}

std::vector<Step> whole_as_step(const Report& report, Steps& found) {
  const Window& window = *report.window;
  const Interval host = window.named != 0 ? Interval{window.host_start, window.host_end} : host_extent(report);
  if (host.end <= host.start) return {};
  found.source = window.named != 0 ? StepSource::kWindow : StepSource::kWhole;
  return {{window.named != 0 ? std::string(window.name.view()) : std::string("whole capture"), host, host}};
}

/// Sorts by start and removes nested steps, so ends rise with starts.
void order(std::vector<Step>& steps, Steps& found) {
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return std::tuple(a.host.start, -a.host.end, a.name) < std::tuple(b.host.start, -b.host.end, b.name);
  });
  std::int64_t reach = std::numeric_limits<std::int64_t>::min();
  found.nested += static_cast<std::int64_t>(std::erase_if(steps, [&](const Step& s) {
    const bool nested = s.host.end <= reach;
    reach = std::max(reach, s.host.end);
    return nested;
  }));
}

/// A launch belongs to the last step that began before it, provided it ends in time.
template <class Table>
void extend_to(const Table* work, const CallTable& calls, std::vector<Step>& steps) {
  if (work == nullptr) return;
  const std::uint32_t process = steps.front().process;
  std::size_t step = 0;  // step of the previous work, which began at about the same time
  for (std::size_t w = 0; w < work->rows; ++w) {
    if (work->call[w] < 0 || (process != kAnyProcess && work->process[w] != process)) continue;
    const std::int64_t start = calls.start[work->call[w]];
    while (step + 1 < steps.size() && steps[step + 1].host.start <= start) ++step;
    while (step > 0 && steps[step].host.start > start) --step;
    if (start < steps[step].host.start || calls.end[work->call[w]] > steps[step].host.end) continue;
    ++steps[step].device_events;
    steps[step].time.end = std::max(steps[step].time.end, work->end[w]);
  }
}

void extend_to_device_work(const Report& report, std::vector<Step>& steps) {
  if (report.calls != nullptr) {
    extend_to(report.kernels, *report.calls, steps);
    extend_to(report.graphs, *report.calls, steps);
    extend_to(report.copies, *report.calls, steps);
    extend_to(report.sets, *report.calls, steps);
  }
  for (std::size_t s = 1; s < steps.size(); ++s) {
    Interval& time = steps[s].time;
    time.start = std::max(time.start, steps[s - 1].time.end);
    time.end = std::max(time.end, time.start);
  }
}

void drop_trailing(std::vector<Step>& steps, double least_last, Steps& found) {
  const auto works = [](const Step& s) { return s.device_events > 0; };
  if (steps.size() < 2 || std::none_of(steps.begin(), steps.end(), works)) return;
  std::size_t keep = steps.size();
  while (!works(steps[keep - 1])) --keep;
  if (keep > 1 && static_cast<double>(steps[keep - 1].device_events) <
                      least_last * static_cast<double>(steps[keep - 2].device_events)) {
    --keep;
    found.last_is_short = true;
  }
  const auto first = steps.begin() + static_cast<std::ptrdiff_t>(keep);
  found.dropped.insert(found.dropped.end(), first, steps.end());
  steps.erase(first, steps.end());
}

/// Grouped by process; a single key if only one process has steps, in which case all work is its own.
std::map<std::uint32_t, std::vector<Step>> by_process(std::vector<Step> steps) {
  std::map<std::uint32_t, std::vector<Step>> all;
  for (Step& step : steps) all[step.process].push_back(std::move(step));
  if (all.size() > 1) return all;
  for (Step& step : all.begin()->second) step.process = kAnyProcess;
  return all;
}

}  // namespace

Interval Steps::span() const {
  if (kept.empty()) return {};
  Interval out = kept.front().time;
  for (const Step& step : kept) out = {std::min(out.start, step.time.start), std::max(out.end, step.time.end)};
  return out;
}

Steps find_steps(const Report& report, Names& names, double least_last) {
  Steps found;
  std::vector<Step> steps = named_steps(report, names, found);
  found.source = StepSource::kNamed;
  if (steps.empty()) {
    steps = iteration_steps(report);
    found.source = StepSource::kIterations;
  }
  if (steps.empty()) {
    steps = ranges_of_steps(report, found_steps(report), found);
    found.source = StepSource::kNamed;
  }
  if (steps.empty()) {
    found.source = StepSource::kNone;
    steps = whole_as_step(report, found);
  }
  if (steps.empty()) return found;
  std::map<std::uint32_t, std::vector<Step>> processes = by_process(std::move(steps));
  found.processes = processes.size();
  for (auto& [process, own] : processes) {
    order(own, found);
    extend_to_device_work(report, own);
    drop_trailing(own, least_last, found);
    std::move(own.begin(), own.end(), std::back_inserter(found.kept));
  }
  return found;
}

}  // namespace assay::step
