// Models a series as stretches of constant level plus first-order autoregressive noise: the fit of a partition, and the
// best partition per number of stretches. Independent of results and alarms.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// Places at which a new level begins, ascending, without 0.
using Partition = std::vector<std::size_t>;

/// Fit of a model, with its best autocorrelation.
struct LevelFit {
  double criterion = 0;    ///< -2 log likelihood up to a constant, with the innovation variance profiled out
  double correlation = 0;  ///< lag-1, one of kCorrelations
};

/// Autocorrelations to try, with and without changes. Negative ones are treated as 0, which is conservative.
inline constexpr double kCorrelations[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};

/// Min distance of two values, beyond rounding of doubles; 0 if all are equal.
double smallest_difference(std::span<const double> values);

/// The noise of each stretch is a stationary process of its own (Chakar, Lebarbier, Levy-Leduc and Robin 2017 estimate
/// the autocorrelation first; here it is fitted together with the changes, so that steps are not mistaken for
/// autocorrelation or vice versa). Residuals are at least the rounding of the values: their smallest difference
/// squared, over 12.
class LevelModel {
 public:
  /// `least`: min number of results in a stretch. Precondition: the series has at least twice as many.
  LevelModel(std::span<const double> values, std::size_t least);

  [[nodiscard]] LevelFit fit(const Partition& changes) const;
  /// Fits one straight line to the whole series.
  [[nodiscard]] LevelFit fit_line() const;
  /// [k]: the best partition with k changes, 0..most (fewer if the series is too short).
  [[nodiscard]] std::vector<Partition> best_partitions(std::size_t most) const;

  /// Squared innovations about the levels of a partition, or about the line.
  [[nodiscard]] double squares(const Partition& changes, double correlation) const;
  [[nodiscard]] double squares_of_line(double correlation) const;
  /// Information on the level of `length` results whose innovations have variance 1.
  [[nodiscard]] static double information(std::size_t length, double correlation);
  [[nodiscard]] double mean(std::size_t from, std::size_t to) const;
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  /// Running sums of y = x - r * (previous x), for one r.
  struct Sums {
    std::vector<double> y, yy;
  };
  [[nodiscard]] double squares_between(const Sums& sums, std::size_t from, std::size_t to, double r) const;
  [[nodiscard]] Sums sums_of(double r) const;
  [[nodiscard]] double rounding(double r) const;
  [[nodiscard]] double criterion(double squares, std::size_t stretches, double r) const;

  std::vector<double> values_;  ///< less their first
  double first_ = 0;
  std::size_t least_;
  double resolution_ = 0;            ///< smallest difference of two values
  std::vector<Sums> sums_;           ///< for each of kCorrelations
  std::vector<std::size_t> places_;  ///< candidates for changes, with 0 and the end
};

}  // namespace assay
