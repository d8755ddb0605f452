// Whether a difference is real: repeat runs are the unit, by the rule of the verdicts (algo/spread.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::difference {

/// The errors of 5 % are divided: most of them are the step's, which is one question, and the rest belongs to all
/// changes together. So 5 % of comparisons of equal programs name anything, whatever there is to look at.
inline constexpr double kStepError = 0.04, kChangesError = 0.01;
inline constexpr double kTick = 32;  ///< ns, of the devices' clocks

/// Values of runs, in one order: their blocks where all have one.
struct RunValues {
  std::vector<double> before, after;
  bool paired = false;  ///< before[i] and after[i] are of one block
  bool once = false;    ///< with `paired`: the number of blocks was fixed beforehand, so that they are judged once
  double widening = 1, degrees = 0;  ///< for the order in which runs were made (algo/run_order.hpp); 0: no limit
  bool logs = false;                 ///< the values are logs
  bool part = false;                 ///< of a part of a step: before block 20 it is compared to within 8 %, not 20 %
};

/// The difference of the means of some values, each on the scale that it is judged on.
struct DifferenceTest {
  double difference = 0;
  std::optional<double> half;  ///< of its interval; nothing: no spread is known
  double p = 1;                ///< the least error at which it is told, where that is below the interval's; else 1
  std::size_t more_runs = 0;   ///< runs a side that would decide the sign, if all stays as it is; 0: too many
  [[nodiscard]] bool significant_at(double error) const { return half && p <= error; }
};

/// `resolution`: of the clock, so that values equal to the tick are no proof. `error`: of the interval.
DifferenceTest judge(const RunValues& values, double resolution, double error);

/// Holm's rule: which of the p-values are told when `error` is shared by all of them.
std::vector<bool> significant_by_holm(std::span<const double> p, double error);

}  // namespace assay::difference
