// The two rules of nsys about when a GPU did nothing, or little.
#pragma once

#include "assay/report.hpp"
#include "made.hpp"

namespace assay::nsys {

struct GapRule {
  std::int64_t longer_than = 0;  ///< ns
  std::size_t rows = 0;          ///< at most so many, the longest
};

struct UseRule {
  std::int64_t chunks = 1;
  double percent = 0;  ///< chunks in use for less are listed
};

/// How a device was used by a process, part by part.
struct DeviceUse {
  struct Part {
    std::int64_t start = 0, duration = 0;  ///< ns
    double busy = 0;                       ///< ns of work in it, which adds where it ran at the same time
  };
  std::int64_t process = 0, device = 0;
  std::vector<Part> parts;  ///< of the time from first work to last
};

/// Of every process on every device that ran anything, the time between first and last work cut into `parts` equal
/// ones, the last of which may be shorter. Corrected, CUDA graphs that were traced as a whole count as work.
std::vector<DeviceUse> device_use(const Report& report, std::int64_t parts, Mode mode);

/// Gaps of the union of all work of a process on a device.
ReportTable gaps(const Report& report, const Task& task, const GapRule& rule);

/// Stretches of the time between first and last work of a process on a device in which work sums up to little.
ReportTable low_use(const Report& report, const Task& task, const UseRule& rule);

}  // namespace assay::nsys
