// Memory in use over time and by step.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "assay/report.hpp"

namespace assay::memory {

/// Saturating sum of sizes, since those in a file may be arbitrary.
inline std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t all = 0;
  return __builtin_add_overflow(a, b, &all) ? std::numeric_limits<std::int64_t>::max() : all;
}

/// The required columns of memory_allocations; each with `rows` cells.
struct Allocations {
  explicit Allocations(const DeclaredTable& table);

  std::size_t rows;
  Column<std::int64_t> begin, end, size, device, stack, allocated_by, freed_by;

  /// Whether a row is allocated after a row of the table `allocations`; kNone: before all.
  [[nodiscard]] bool is_live(std::size_t row, std::int64_t change) const {
    return allocated_by[row] <= change && (freed_by[row] == kNone || freed_by[row] > change);
  }
};

/// The maximum in use on a device.
struct DevicePeak {
  std::int32_t device = 0;
  std::int64_t bytes = 0;
  std::int64_t change = kNone;    ///< row of `allocations` after which it was reached; kNone: before all
  std::int64_t time = 0;          ///< ns
  std::int64_t reserved = kNone;  ///< the maximum held by the allocator; kNone: unknown
  std::int64_t before = 0;        ///< in use before the first row
};

/// By device, largest peak first. `allocations` of a snapshot; null: the report has only changes.
std::vector<DevicePeak> device_peaks(const Report& report, const Allocations* allocations);

/// A named time range: an annotation of a snapshot, or a range of a trace.
struct Annotation {
  std::int64_t begin = 0, end = 0;
  std::string_view name;
};
std::vector<Annotation> annotations_of(const Report& report);

/// Steps: those of the question, otherwise from annotations of the profiler or of the optimizer. Only those that
/// overlap the history of allocations.
struct Steps {
  std::vector<std::int64_t> ends;     ///< ns, ascending
  std::vector<std::int64_t> numbers;  ///< from their names; for an optimizer's from 0
  std::vector<std::int64_t> updates;  ///< ns, when the optimizer began in each; empty: unknown
  std::string name;                   ///< of the annotation; empty: there are no steps

  /// Number of the step at a time, from 0; after the last end: the number of ends.
  [[nodiscard]] std::size_t at(std::int64_t time) const;
};
Steps find_steps(const Report& report, const std::vector<Annotation>& annotations);

/// Bytes in use on a device: the maximum of each step, and the minimum of each but the first, which begins empty. The
/// minimum is what a step leaves to the next; at its end gradients may still be there.
struct StepUse {
  std::vector<double> peak, least;
};
StepUse use_of_steps(const Report& report, const DevicePeak& device, const Steps& steps);

/// Differences of successive values.
std::vector<double> differences(const std::vector<double>& values);

}  // namespace assay::memory
