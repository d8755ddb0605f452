// Reliability of one measured throughput, and of several measurements of one cell together.
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
  double fit_degrees = 0;       ///< part of `degrees` from deviations from the fitted curve
  double repeated_degrees = 0;  ///< part from repeated measurements of a cell
  double largest_ratio = 1;     ///< between two measurements of one cell

  [[nodiscard]] bool known() const { return degrees > 0; }
  [[nodiscard]] double sd() const;
};

/// Deviations of log latencies from max(h, a + b * batch): the host time h, which does not depend on the batch, or the
/// GPU time, affine in it, whichever is longer. Least squares over the partitions of the batches into those bound by
/// the host (the smallest) and the others; of the consistent ones, the one with the smallest residual variance. Batches
/// must be ascending and positive.
struct LatencyFit {
  double squares = 0;
  double degrees = 0;          ///< batches minus parameters: two without host-bound batches, otherwise three
  std::size_t host_bound = 0;  ///< batches
};
/// Empty if there are fewer batches than parameters plus one.
std::optional<LatencyFit> fit_latency(std::span<const double> batches, std::span<const double> latencies);

/// The measurements of one batch: natural logs of throughputs.
struct Cell {
  LabelTexts labels;
  double batch = 0;
  std::string text;  ///< the batch as in dims
  std::vector<double> base, treated;
};

/// Pools the spreads within cells with the deviations from the fitted sweeps.
PooledSpread pool(const std::vector<Cell>& cells, const std::vector<LatencyFit>& fits);

/// Ratio of the geometric means of a cell's throughputs.
struct CombinedSpeedup {
  double value = 0;
  double sd_log = 0;  ///< standard error of its log; meaningful if `degrees` > 0
  double degrees = 0;
  std::size_t measurements = 0;

  /// Both bounds at a level such as 0.95; empty if the spread is unknown.
  [[nodiscard]] std::optional<std::pair<double, double>> interval(double level) const;
};

/// Empty if a side has no measurement.
std::optional<CombinedSpeedup> combine(const Cell& cell, const PooledSpread& spread);

}  // namespace assay::tokens
