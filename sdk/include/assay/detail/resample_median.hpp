// The median of a bootstrap resample of independent values, drawn from its exact distribution: one random number in the
// place of one a value.
#pragma once

#include <span>
#include <vector>

#include "assay/detail/random.hpp"

namespace assay {

/// Of n sorted values a resample draws n with replacement; which two of them are in its middle follows from the
/// distribution of order statistics (David and Nagaraja 2003, eq. 2.1.3 and 2.2.1). Drawn by Walker's alias method.
class ResampleMedian {
 public:
  /// `sorted`: ascending, not empty, without NaN.
  explicit ResampleMedian(std::span<const double> sorted);

  double draw(Random& random) const {
    const double at = random.uniform() * static_cast<double>(outcomes_.size());
    const Outcome& outcome = outcomes_[static_cast<std::size_t>(at)];
    return outcome.medians[at < outcome.until ? 0 : 1];  // by place: no branch could be predicted
  }

 private:
  struct Outcome {
    double until;  ///< place of the outcome plus the share of it that is the first median
    double medians[2];
  };
  struct WeightedMedian {
    double median, probability;
  };
  static std::vector<WeightedMedian> medians_of_odd(std::span<const double> sorted);
  static std::vector<WeightedMedian> medians_of_even(std::span<const double> sorted);
  std::vector<Outcome> outcomes_;
};

}  // namespace assay
