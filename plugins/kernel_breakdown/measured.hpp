// Selects the kernels to measure and assigns them to iterations.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay::breakdown {

enum class Measure {
  kWindow,      ///< every kernel of the window
  kIterations,  ///< those launched inside an iteration, without warm-up and time between iterations
};

struct MeasuredKernel {
  std::int64_t duration = 0;  ///< ns
  StringId name = 0;
  std::int32_t device = 0;
  Row call = kNone;                ///< launching call; kNone: not recorded
  std::int32_t iteration = kNone;  ///< 0 .. KernelMeasurement::iterations - 1
};

struct KernelMeasurement {
  std::vector<MeasuredKernel> kernels;  ///< in order of start
  std::int64_t time = 0;                ///< sum of their durations, ns
  std::size_t iterations = 0;           ///< iterations inside the window
  std::int64_t left_out = 0;     ///< kernels of the window outside all iterations, which are not measured
  std::int64_t hidden = 0;       ///< graph launches traced as a whole: their kernels are in no table
  std::int64_t hidden_time = 0;  ///< sum of their durations, ns
};

/// Requires kernels with names; uses calls and iterations if present. A kernel counts with its whole duration, as in
/// nsys stats.
KernelMeasurement measure_kernels(const Report& report, Measure measure);

}  // namespace assay::breakdown
