// Which kernels are measured, and which iteration each belongs to.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay::breakdown {

enum class Measure {
  kWindow,      ///< every kernel of the window
  kIterations,  ///< those launched inside an iteration: warm-up and what lies between is left out
};

struct MeasuredKernel {
  std::int64_t duration = 0;  ///< ns
  StringId name = 0;
  std::int32_t device = 0;
  Row call = kNone;                ///< launching call; kNone: none recorded
  std::int32_t iteration = kNone;  ///< 0 .. KernelMeasurement::iterations - 1
};

struct KernelMeasurement {
  std::vector<MeasuredKernel> kernels;  ///< in order of start
  std::int64_t time = 0;                ///< sum of their durations, ns
  std::size_t iterations = 0;           ///< iterations inside the window
  std::int64_t left_out = 0;     ///< kernels of the window that belong to no iteration and are therefore not measured
  std::int64_t hidden = 0;       ///< graph launches traced as a whole: their kernels are in no table
  std::int64_t hidden_time = 0;  ///< sum of their durations, ns
};

/// Needs kernels with names; calls and iterations where present. A kernel counts with its whole duration, as in nsys
/// stats.
KernelMeasurement measure_kernels(const Report& report, Measure measure);

}  // namespace assay::breakdown
