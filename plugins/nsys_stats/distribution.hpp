// Values of several reports together, stored as distinct values with counts: memory is proportional to the distinct
// values, and the results are exact.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "summary.hpp"

namespace assay::nsys {

class Distribution {
 public:
  /// Counts are positive integers, one per value.
  void add(std::span<const double> values, std::span<const double> counts);
  void add(std::int64_t value) {
    values_.emplace_back(value, 1);
    sorted_ = false;
  }

  [[nodiscard]] bool empty() const { return values_.empty(); }
  /// The summary that nsys would give for all values in one file. Requires at least one value.
  Summary summary();
  /// The quartile (1, 2 or 3): type 2, with an even split the mean of the two values.
  double quartile(std::int64_t quarters);

 private:
  void sort();
  /// The value at an index in sorted order.
  [[nodiscard]] std::int64_t at(std::int64_t place) const;

  std::vector<std::pair<std::int64_t, std::int64_t>> values_;  ///< value, how often
  std::int64_t count_ = 0;
  bool sorted_ = false;
};

}  // namespace assay::nsys
