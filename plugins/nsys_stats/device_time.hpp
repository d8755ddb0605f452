// The two rules of nsys on idle and little-used GPUs.
#pragma once

#include "assay/report.hpp"
#include "made.hpp"

namespace assay::nsys {

struct GapRule {
  std::int64_t longer_than = 0;  ///< ns
  std::size_t rows = 50;         ///< at most this many, the longest
};

struct UseRule {
  std::int64_t chunks = 1;
  double percent = 50;  ///< chunks used less than this are listed
};

/// The use of a device by a process, part by part.
struct DeviceUse {
  struct Part {
    std::int64_t start = 0, duration = 0;  ///< ns
    double busy = 0;                       ///< ns of work, adding up concurrent work
  };
  std::int64_t process = 0, device = 0;
  std::vector<Part> parts;  ///< of the time from first to last work
};

/// For every process on every device it used, the time between first and last work divided into `parts` equal parts, of
/// which the last may be shorter. Corrected, CUDA graphs traced as a whole count as work.
std::vector<DeviceUse> device_use(const Report& report, std::int64_t parts, Mode mode);

/// Gaps in the union of all work of a process on a device.
ReportTable gaps(const Report& report, const Task& task, const GapRule& rule);

/// Stretches between first and last work of a process on a device with little total work.
ReportTable low_use(const Report& report, const Task& task, const UseRule& rule);

}  // namespace assay::nsys
