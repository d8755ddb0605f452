// Tests whether a difference is real: repeat runs are the unit, by the rule of the verdicts (algo/spread.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::difference {

/// Division of the error level of 5 %: most is for the step, a single question; all changes share the rest. So 5 % of
/// comparisons of equal programs report anything, however many items there are.
inline constexpr double kStepError = 0.04, kChangesError = 0.01;
inline constexpr double kTick = 32;  ///< ns, resolution of device clocks

/// Values of runs: in block order if all have a block.
struct RunValues {
  std::vector<double> before, after;
  bool paired = false;  ///< before[i] and after[i] are of one block
  bool once = false;    ///< with `paired`: the number of blocks was fixed in advance, so that there is one look
  double widening = 1, degrees = 0;  ///< for the order of the runs (algo/run_order.hpp); 0: no limit
  bool logs = false;                 ///< the values are logarithms
  bool part = false;                 ///< of a part of a step: compared to within 8 % before block 20, not 20 %
};

/// Test of a difference of means, on the scale of the values.
struct DifferenceTest {
  double difference = 0;
  std::optional<double> half;  ///< of its interval; empty: no spread is known
  double p = 1;                ///< min error level at which it is significant, if below that of the interval; else 1
  std::size_t more_runs = 0;   ///< runs per side that would decide the sign at the present spread; 0: too many
  [[nodiscard]] bool significant_at(double error) const { return half && p <= error; }
};

/// Compares the means. `resolution`: tick of the clock, in the unit of the values; its rounding error is added to the
/// spread, so equal values do not prove zero spread. `error`: error level of the interval, 0..1. `half` is empty if no
/// spread is known.
DifferenceTest judge(const RunValues& values, double resolution, double error);

/// Holm's rule: which p-values are significant if all of them share `error`.
std::vector<bool> significant_by_holm(std::span<const double> p, double error);

}  // namespace assay::difference
