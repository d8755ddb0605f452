// Values of several reports together, each different one with how often it came: the pool is as large as they differ,
// and what is said of it is exact.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "summary.hpp"

namespace assay::nsys {

class Distribution {
 public:
  /// Counts are whole and above 0; there are as many as values.
  void add(std::span<const double> values, std::span<const double> counts);
  void add(std::int64_t value) { values_.emplace_back(value, 1), sorted_ = false; }

  [[nodiscard]] bool empty() const { return values_.empty(); }
  /// Of at least one value: what a report of nsys says of them all in one file.
  Summary summary();
  /// The value below which `quarters` of 4 lie (1, 2 or 3): type 2, of an even split the mean of the two.
  double quartile(std::int64_t quarters);

 private:
  void sort();
  /// The value at a place among all, in order.
  [[nodiscard]] std::int64_t at(std::int64_t place) const;

  std::vector<std::pair<std::int64_t, std::int64_t>> values_;  ///< value, how often
  std::int64_t count_ = 0;
  bool sorted_ = false;
};

}  // namespace assay::nsys
