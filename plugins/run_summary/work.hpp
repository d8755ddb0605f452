// GPU work of one kind as plain columns, so that kernels, graph launches, copies and sets share code.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"

namespace assay::summary {

/// Columns of one event table, sorted by start; each with `rows` elements, or empty if the export lacks it. A null
/// table has no rows.
struct Work {
  std::size_t rows = 0;
  std::span<const std::int64_t> start, end;
  std::span<const std::int32_t> device, stream, context;
  std::span<const std::uint32_t> process;
  std::span<const Row> call;
  std::span<const Membership> membership;

  [[nodiscard]] bool inside(std::size_t row) const { return membership[row] == Membership::kInside; }
  /// Launching call of a row, or -1.
  [[nodiscard]] Row call_of(std::size_t row) const { return call.empty() ? Row{-1} : call[row]; }
};

/// Index into GpuWork::kinds.
enum WorkKind : std::size_t { kKernel = 0, kGraph = 1, kCopy = 2, kSet = 3 };

struct GpuWork {
  std::array<Work, 4> kinds;
  [[nodiscard]] const Work& kernels() const { return kinds[kKernel]; }
  [[nodiscard]] const Work& graphs() const { return kinds[kGraph]; }
  [[nodiscard]] const Work& copies() const { return kinds[kCopy]; }
  [[nodiscard]] const Work& sets() const { return kinds[kSet]; }
};

GpuWork gpu_work_of(const Report& report);

/// Length, ns.
inline std::int64_t length(Interval i) { return i.end - i.start; }

/// The part of [start, end] inside `window`; empty (length 0) if they do not meet.
inline Interval clipped(std::int64_t start, std::int64_t end, Interval window) {
  const std::int64_t from = std::clamp(start, window.start, window.end);
  return {from, std::clamp(end, from, window.end)};
}

/// Calls `visit(i, row)` for the rows of all `works`, in order of start; ties by i.
template <std::size_t N, class Visit>
void in_start_order(const std::array<Work, N>& works, Visit&& visit) {
  constexpr std::int64_t kNever = INT64_MAX;
  std::array<std::size_t, N> at{};
  for (;;) {
    std::size_t next = N;
    std::int64_t first = kNever, second = kNever;  // start of the next work, and of the next of all others
    for (std::size_t i = 0; i < N; ++i) {
      const std::int64_t head = at[i] < works[i].rows ? works[i].start[at[i]] : kNever;
      if (head < first) {
        second = first;
        first = head;
        next = i;
      } else {
        second = std::min(second, head);
      }
    }
    if (next == N) return;
    do {
      visit(next, at[next]++);
    } while (at[next] < works[next].rows && works[next].start[at[next]] < second);
  }
}

}  // namespace assay::summary
