// How much memory was in use, when, and in which steps.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "assay/report.hpp"

namespace assay::memory {

/// Sum of sizes, which a file may have made up: at most what fits.
inline std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t all = 0;
  return __builtin_add_overflow(a, b, &all) ? std::numeric_limits<std::int64_t>::max() : all;
}

/// The columns of memory_allocations that are needed; all of `rows`.
struct Allocations {
  explicit Allocations(const DeclaredTable& table);

  std::size_t rows;
  Column<std::int64_t> begin, end, size, device, stack, allocated_by, freed_by;

  /// Whether a row is allocated after a row of the table `allocations`; kNone: before all.
  [[nodiscard]] bool is_live(std::size_t row, std::int64_t change) const {
    return allocated_by[row] <= change && (freed_by[row] == kNone || freed_by[row] > change);
  }
};

/// The most that was in use on a device.
struct DevicePeak {
  std::int32_t device = 0;
  std::int64_t bytes = 0;
  std::int64_t change = kNone;    ///< row of `allocations` after which it was; kNone: before all
  std::int64_t time = 0;          ///< ns
  std::int64_t reserved = kNone;  ///< the most that the allocator held; kNone: not known
  std::int64_t before = 0;        ///< in use before the first row
};

/// By device, largest peak first. `allocations` of a snapshot; null: the report has only what happened.
std::vector<DevicePeak> device_peaks(const Report& report, const Allocations* allocations);

/// A range of time that has a name: an annotation of a snapshot, or a range of a trace.
struct Annotation {
  std::int64_t begin = 0, end = 0;
  std::string_view name;
};
std::vector<Annotation> annotations_of(const Report& report);

/// Steps: those of the question, else by the annotations of the profiler or of the optimizer's step. Only those that
/// the history of allocations has something of.
struct Steps {
  std::vector<std::int64_t> ends;     ///< ns, ascending
  std::vector<std::int64_t> numbers;  ///< as their names have it; of an optimizer's from 0
  std::vector<std::int64_t> updates;  ///< ns, when the optimizer began in each; empty: not known
  std::string name;                   ///< of the annotation; empty: there are no steps

  /// Number of the step at a time, from 0; after the last end: the number of ends.
  [[nodiscard]] std::size_t at(std::int64_t time) const;
};
Steps find_steps(const Report& report, const std::vector<Annotation>& annotations);

/// Bytes in use on a device: the most in each step, and the least in each but the first, which begins with nothing.
/// The least is what a step leaves to the next; when it ends, gradients may still be there.
struct StepUse {
  std::vector<double> peak, least;
};
StepUse use_of_steps(const Report& report, const DevicePeak& device, const Steps& steps);

/// Differences of successive values.
std::vector<double> differences(const std::vector<double>& values);

}  // namespace assay::memory
