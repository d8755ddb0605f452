// What the device does in a step: compute, communication and copies as five parts that sum to the step's window to the
// nanosecond. Of compute kernels C, kernels that communicate X, and copies and sets M, each a union of intervals within
// the window W:
//   compute alone |C - X|, overlap |C and X|, exposed communication |X - C|, copies alone |M - C - X|, idle the rest.
// W reaches from the first start to the last end of the work that was launched in the step, on any thread.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "assay/algo/communication.hpp"
#include "assay/algo/intervals.hpp"
#include "assay/algo/named_ranges.hpp"
#include "assay/report.hpp"

namespace assay {

/// Times in ns; the five parts sum to `window`.
struct StepParts {
  std::int64_t window = 0, compute_only = 0, overlap = 0, exposed = 0, copy_only = 0, idle = 0;
  std::int64_t compute_busy = 0, comm_busy = 0;
  std::int64_t exposed_copy = 0;  ///< of `exposed` what lies under a copy, which does not hide it
};

struct DeviceStep {
  std::int64_t number = 0;                                 ///< in the range's name; its place where the name has none
  Interval host;                                           ///< the range
  Interval window;                                         ///< of the work launched in it; empty: none
  std::vector<Row> kernels;                                ///< launched in it, by start
  std::int64_t compute_kernels = 0, compute_time_sum = 0;  ///< of kernels that do not communicate; ns
  bool worked = false;                                     ///< something was launched in it
};

/// Device work of one report as unions, which all steps share.
class DeviceWork {
 public:
  /// Needs col::kernels and col::collectives; copies, sets and calls where present. Without a table of collectives no
  /// kernel communicates.
  explicit DeviceWork(const Report& report)
      : communicates_(report.kernels == nullptr ? 0 : static_cast<std::size_t>(report.kernels->rows), 0) {
    if (report.collectives != nullptr) {
      for (const Row kernel : report.collectives->kernel.view()) communicates_[static_cast<std::size_t>(kernel)] = 1;
    }
    Intervals compute, communication, copies;
    for (std::size_t k = 0; k < communicates_.size(); ++k)
      (communicates_[k] != 0 ? communication : compute).push_back({report.kernels->start[k], report.kernels->end[k]});
    add(report.copies, copies), add(report.sets, copies);
    compute_ = merge(compute), communication_ = merge(communication), copies_ = merge(copies);
  }

  [[nodiscard]] bool communicates(std::size_t kernel) const { return communicates_[kernel] != 0; }
  [[nodiscard]] const Intervals& compute() const { return compute_; }
  [[nodiscard]] const Intervals& communication() const { return communication_; }

  /// First start to last end of all device work but graphs; empty when there is none.
  [[nodiscard]] Interval extent() const {
    Interval out{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    for (const Intervals* all : {&compute_, &communication_, &copies_}) {
      if (all->empty()) continue;
      out.start = std::min(out.start, all->front().start);
      out.end = std::max(out.end, all->back().end);
    }
    return out.end > out.start ? out : Interval{};
  }

  [[nodiscard]] StepParts parts(Interval window) const {
    const Intervals c = within(compute_, window), x = within(communication_, window), m = within(copies_, window);
    const Intervals exposed = subtract(x, c);
    StepParts out;
    out.window = window.end - window.start;
    out.compute_busy = measure(c);
    out.comm_busy = measure(x);
    out.overlap = measure(intersect(c, x));
    out.compute_only = out.compute_busy - out.overlap;
    out.exposed = out.comm_busy - out.overlap;
    out.exposed_copy = measure(intersect(exposed, m));
    out.copy_only = measure(subtract(subtract(m, c), x));
    out.idle = out.window - out.compute_only - out.overlap - out.exposed - out.copy_only;
    return out;
  }

  /// What of `all`, in normal form, lies within an interval; takes logarithmic time and what it gives.
  static Intervals within(const Intervals& all, Interval window) {
    const auto first =
        std::partition_point(all.begin(), all.end(), [&](const Interval& i) { return i.end <= window.start; });
    const auto last = std::partition_point(first, all.end(), [&](const Interval& i) { return i.start < window.end; });
    return clip(std::span<const Interval>(first, last), window);
  }

 private:
  template <class Table>
  static void add(const Table* table, Intervals& to) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) to.push_back({table->start[r], table->end[r]});
  }

  std::vector<std::uint8_t> communicates_;
  Intervals compute_, communication_, copies_;
};

namespace detail {

/// The number that a pattern's "{i}" stands for in a name that matches it; -1: the pattern has none.
inline std::int64_t number_in_name(std::string_view pattern, std::string_view name) {
  const std::size_t at = pattern.find("{i}");
  if (at == std::string_view::npos) return -1;
  std::int64_t number = -1;
  std::from_chars(name.data() + at, name.data() + name.size(), number);
  return number;
}

inline std::vector<DeviceStep> named_device_steps(const Report& report, std::span<const std::string> patterns) {
  std::vector<DeviceStep> steps;
  for (const RangeTable* table : {report.ranges, report.spans}) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const std::string_view name = report.string(table->name[r]);
      const auto fits = std::find_if(patterns.begin(), patterns.end(),
                                     [&](const std::string& p) { return range_name_matches(p, name); });
      if (fits == patterns.end()) continue;
      DeviceStep& step = steps.emplace_back();
      step.number = number_in_name(*fits, name);
      step.host = {table->start[r], table->end[r]};
    }
  }
  return steps;
}

/// Row of the step in which a call starts; steps are disjoint and sorted.
inline std::ptrdiff_t step_at(const std::vector<DeviceStep>& steps, std::int64_t time) {
  const auto after =
      std::partition_point(steps.begin(), steps.end(), [&](const DeviceStep& s) { return s.host.start <= time; });
  if (after == steps.begin() || (after - 1)->host.end < time) return -1;
  return after - 1 - steps.begin();
}

}  // namespace detail

/// The steps that ranges of these names are ("step_{i}"), else those of [iterations], by host start; one inside another
/// is left out. Device work belongs to the step in which its launching call starts, on whichever thread; unlinked work
/// to that in which it starts itself. Empty when there are neither.
inline std::vector<DeviceStep> device_steps(const Report& report, const DeviceWork& work,
                                            std::span<const std::string> patterns) {
  std::vector<DeviceStep> steps = detail::named_device_steps(report, patterns);
  if (steps.empty() && report.iterations != nullptr) {
    for (std::size_t i = 0; i < report.iterations->rows; ++i) {
      DeviceStep& step = steps.emplace_back();
      step.number = report.iterations->number[i];
      step.host = {report.iterations->start[i], report.iterations->end[i]};
    }
  }
  std::sort(steps.begin(), steps.end(), [](const DeviceStep& a, const DeviceStep& b) {
    return std::tuple(a.host.start, -a.host.end, a.number) < std::tuple(b.host.start, -b.host.end, b.number);
  });
  std::int64_t reach = std::numeric_limits<std::int64_t>::min();
  std::erase_if(steps, [&](const DeviceStep& s) {
    const bool overlaps = s.host.start < reach;
    if (!overlaps) reach = s.host.end;
    return overlaps;
  });
  const auto assign = [&](const auto* table, auto&& use) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const Row call = table->call.present() && report.calls != nullptr ? table->call[r] : kNone;
      const std::int64_t launched =
          call == kNone ? table->start[r] : report.calls->start[static_cast<std::size_t>(call)];
      const std::ptrdiff_t at = detail::step_at(steps, launched);
      if (at < 0) continue;
      DeviceStep& step = steps[static_cast<std::size_t>(at)];
      step.window.start = step.worked ? std::min(step.window.start, table->start[r]) : table->start[r];
      step.window.end = step.worked ? std::max(step.window.end, table->end[r]) : table->end[r];
      step.worked = true;
      use(step, r);
    }
  };
  assign(report.kernels, [&](DeviceStep& step, std::size_t k) {
    step.kernels.push_back(static_cast<Row>(k));
    if (work.communicates(k)) return;
    ++step.compute_kernels;
    step.compute_time_sum += report.kernels->end[k] - report.kernels->start[k];
  });
  assign(report.copies, [](DeviceStep&, std::size_t) {});
  assign(report.sets, [](DeviceStep&, std::size_t) {});
  std::int64_t place = 0;
  for (DeviceStep& step : steps) step.number = step.number < 0 ? place++ : step.number;
  return steps;
}

}  // namespace assay
