#include "assay/algo/steps.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "assay/words.hpp"

namespace assay {

std::string_view disturbance_name(Disturbance why) {
  constexpr std::array<std::string_view, 6> kNames{"none",         "lost launches", "profiler", "launched before",
                                                   "first longer", "first of job"};
  return kNames[std::min<std::size_t>(static_cast<std::size_t>(why), kNames.size() - 1)];
}

std::string_view step_source_name(StepSource source) {
  constexpr std::array<std::string_view, 5> kNames{"whole capture", "window", "named", "profiler marks", "ranges"};
  return kNames[std::min<std::size_t>(static_cast<std::size_t>(source), kNames.size() - 1)];
}

std::string_view account_kind_name(AccountKind kind) {
  constexpr std::array<std::string_view, 6> kNames{"kernel", "graph", "communication", "copy", "set", "idle"};
  return kNames[std::min<std::size_t>(static_cast<std::size_t>(kind), kNames.size() - 1)];
}

std::string_view idle_cause_name(IdleCause cause) {
  constexpr std::array<std::string_view, 11> kNames{"launch",   "calls",   "host",    "blocked", "queued", "stream",
                                                    "profiler", "between", "unknown", "stated",  ""};
  return kNames[std::min<std::size_t>(static_cast<std::size_t>(cause), kNames.size() - 1)];
}

namespace step {
namespace {

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

/// Extends the step by the device work launched in it.
void add_device_work(const Report& report, Step& step) {
  const auto add = [&](const auto* work) {
    for (std::size_t w = 0; work != nullptr && report.calls != nullptr && w < work->rows; ++w) {
      const Row call = work->call[w];
      if (call < 0 || report.calls->start[call] < step.host.start || report.calls->end[call] > step.host.end) continue;
      ++step.device_events;
      step.time.end = std::max(step.time.end, work->end[w]);
    }
  };
  add(report.kernels);
  add(report.graphs);
  add(report.copies);
  add(report.sets);
  step.own = step.time;
}

void add_whole(const Report& report, Steps& out) {
  const Window& window = *report.window;
  const Interval host = window.named != 0 ? Interval{window.host_start, window.host_end} : host_extent(report);
  if (host.end <= host.start) return;
  out.source = window.named != 0 ? StepSource::kWindow : StepSource::kWhole;
  out.processes = 1;
  out.kept.push_back({.name = window.named != 0 ? std::string(window.name.view()) : std::string("whole capture"),
                      .host = host,
                      .time = host,
                      .until = host.end});
  add_device_work(report, out.kept.front());
}

}  // namespace

Interval Steps::span() const {
  if (kept.empty()) return {};
  Interval out = kept.front().time;
  for (const Step& step : kept) out = {std::min(out.start, step.time.start), std::max(out.end, step.time.end)};
  return out;
}

Steps steps_of(const Report& report, DisturbedSteps disturbed) {
  Steps out;
  std::map<std::uint32_t, std::vector<Step>> processes;
  const StepTable* const table = report.steps;
  for (std::size_t s = 0; table != nullptr && s < table->rows; ++s) {
    std::vector<Step>& own = processes[table->process[s]];
    Step step{.name = std::string(report.string(table->name[s])),
              .host = {table->host_start[s], table->host_end[s]},
              .time = {table->start[s], table->end[s]},
              .until = table->until[s],
              .device_events = table->launched[s],
              .process = table->process[s],
              .thread = table->thread[s],
              .range = table->range[s],
              .number = table->number[s],
              .row = static_cast<Row>(s),
              .disturbed = table->disturbed[s]};
    step.own.start = own.empty() ? step.host.start : std::max(step.host.start, own.back().own.end);
    step.own.end = std::max({step.host.end, table->device_end[s], step.own.start});
    if (table->whole[s] == 0)
      out.cut.push_back(step);
    else
      own.push_back(std::move(step));
    out.source = table->source[s];
  }
  const auto clear = [](const Step& step) { return step.disturbed == Disturbance::kNothing; };
  const bool any_clear =
      std::ranges::any_of(processes, [&](const auto& process) { return std::ranges::any_of(process.second, clear); });
  for (auto& [process, own] : processes) {
    if (!own.empty()) ++out.processes;
    for (Step& step : own) {
      const bool leave = disturbed == DisturbedSteps::kLeaveOut && any_clear && !clear(step);
      (leave ? out.disturbed : out.kept).push_back(std::move(step));
    }
  }
  if (out.processes == 1) {
    for (Step& step : out.kept) step.process = kAnyProcess;
  }
  if (out.kept.empty()) {
    out = {};
    add_whole(report, out);
  }
  return out;
}

std::string left_out_text(const Steps& steps) {
  std::map<Disturbance, std::size_t> counts;
  for (const Step& step : steps.disturbed) ++counts[step.disturbed];
  std::string text;
  for (const auto& [why, count] : counts) {
    const bool first = why == Disturbance::kFirst || why == Disturbance::kFirstOfJob;
    const char* const reason = why == Disturbance::kLostLaunches     ? "launches without kernels"
                               : why == Disturbance::kProfiler       ? "the profiler's own work"
                               : why == Disturbance::kLaunchedBefore ? "work launched before the recording"
                               : why == Disturbance::kFirst          ? "more than 1.5 times as long as the others"
                                                                     : "ranks begin it at different times";
    text += filled("{}{} left out: {}", {text.empty() ? "" : ", ",
                                         first        ? std::string("the first")
                                         : count == 1 ? std::string("1 step")
                                                      : std::to_string(count) + " steps",
                                         reason});
  }
  return text;
}

}  // namespace step
}  // namespace assay
