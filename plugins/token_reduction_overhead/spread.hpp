// How far one measured throughput is to be trusted, and what several measurements of one cell say together.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assay/words.hpp"

namespace assay::tokens {

/// Natural logs.
std::vector<double> logs_of(std::span<const double> values);

/// A variance with its degrees of freedom, on the log scale.
struct PooledSpread {
  double squares = 0, degrees = 0;
  double fit_degrees = 0;       ///< of `degrees`, those of deviations from the fitted curve
  double repeated_degrees = 0;  ///< those of repeated measurements of a cell
  double largest_ratio = 1;     ///< between two measurements of one cell

  [[nodiscard]] bool known() const { return degrees > 0; }
  [[nodiscard]] double sd() const;
};

/// Deviations of log latencies from max(h, a + b * batch): host time h, which does not depend on the batch, or GPU
/// time, affine in it, whichever is longer. Least squares over the partitions of the batches into those bound by the
/// host (the smallest) and the others; of the consistent ones that with the smallest residual variance. Batches
/// ascending, all positive.
struct LatencyFit {
  double squares = 0;
  double degrees = 0;          ///< batches less parameters: two without host-bound batches, else three
  std::size_t host_bound = 0;  ///< batches
};
/// Nothing when fewer batches are left than parameters and one.
std::optional<LatencyFit> fit_latency(std::span<const double> batches, std::span<const double> latencies);

/// The measurements of one batch: natural logs of throughputs.
struct Cell {
  LabelTexts labels;
  double batch = 0;
  std::string text;  ///< the batch as in dims
  std::vector<double> base, treated;
};

/// Pools the cells' own spreads with the deviations of the sweeps that were fitted.
PooledSpread pool(const std::vector<Cell>& cells, const std::vector<LatencyFit>& fits);

/// Ratio of the geometric means of a cell's throughputs.
struct CombinedSpeedup {
  double value = 0;
  double sd_log = 0;  ///< standard error of its log; meaningful when `degrees` > 0
  double degrees = 0;
  std::size_t measurements = 0;

  /// Both bounds at a level, e.g. 0.95; nothing when the spread is not known.
  [[nodiscard]] std::optional<std::pair<double, double>> interval(double level) const;
};

/// Nothing when a side has no measurement.
std::optional<CombinedSpeedup> combine(const Cell& cell, const PooledSpread& spread);

}  // namespace assay::tokens
