// Joint effect of several pairs: the geometric mean of their ratios with an interval that includes the spread between
// pairs, and the number of pairs on its side of 1.
//
// The unit is the cell: all pairs with common base runs are one cell, whose log ratio is the mean of theirs, since an
// error of the base moves them together. Cells have equal weight, as in a random effects model whose spread between
// cells is large compared with the errors within them, and the interval of the mean is Student's with cells - 1 degrees
// of freedom (Hartung and Knapp 2001). It includes the spread between cells of any origin, and applies to similar
// cells. Simulated in tests/simulate: common bases, one outlying pair, noise common to a day of measurements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/bounds.hpp"

namespace assay {

inline constexpr std::size_t kMinCells = 6;  ///< with fewer cells the joint interval is shown but decides nothing

/// One pair: the natural log of its ratio, and a number for its base runs, equal for pairs with common base runs.
struct PairLog {
  double log_ratio = 0;
  std::size_t base = 0;
};

/// Joint effect of several pairs; see above.
struct JointEffect {
  std::size_t pairs = 0, cells = 0;
  double ratio = 1;  ///< geometric mean over cells
  double lo = std::numeric_limits<double>::quiet_NaN(),
         hi = lo;  ///< of the ratio, at `level`; NaN with fewer than two cells, or too large for a double
  double level = 0.95;
  std::size_t lower = 0, higher = 0;  ///< pairs with a ratio below and above 1
  bool days_apart = false;            ///< base and treated runs were recorded on different days, so it decides nothing
  std::vector<double> logs;           ///< mean log ratio per cell, by `base`

  /// Whether the interval may decide.
  [[nodiscard]] bool decides() const { return cells >= kMinCells && !days_apart; }
  /// Whether it decides that the ratio is not 1.
  [[nodiscard]] bool differs() const { return decides() && (lo > 1 || hi < 1); }
  /// Number of pairs on the same side of 1 as the mean.
  [[nodiscard]] std::size_t agreeing() const { return ratio < 1 ? lower : higher; }
};

/// Mean of one value per cell (NaN when empty), with Student's interval from the spread between cells; NaN bounds with
/// fewer than two. `level`: 0..1.
struct CellMean {
  double mean = 0;
  Bounds bounds;
};
CellMean mean_over_cells(std::span<const double> values, double level);

/// Joint effect of the pairs by the rule above. Precondition: at least one pair. `level`: confidence, 0..1.
JointEffect joint_effect(std::span<const PairLog> pairs, double level);

/// "1.33x faster ([1.20, 1.47]; 13 of 13 pairs)", for a metric with this unit; without an interval that decides the
/// range over cells: "2.9x to 3.5x faster (3 of 3 pairs)".
std::string joint_text(const JointEffect& joint, std::string_view unit);

/// Exact two-sided interval of the success probability, 0..1, given `successes` of `trials` (Clopper and Pearson 1934);
/// [0, 1] without trials.
Bounds binomial_interval(std::size_t successes, std::size_t trials, double level);

}  // namespace assay
