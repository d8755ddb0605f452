// The statistics in every nsys summary of a group of durations or sizes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/output.hpp"

namespace assay::nsys {

/// A sum that cannot overflow: durations of nested ranges may add up to more than 64 bits. For at most 2^31 values.
class WideSum {
 public:
  void add(std::int64_t value) {
    low_ += value & kLowBits;
    high_ += value >> kLow;
  }
  /// Adds the value `times` times, at most 2^31.
  void add(std::int64_t value, std::int64_t times) {
    low_ += (value & kLowBits) * times;
    high_ += (value >> kLow) * times + (low_ >> kLow);
    low_ &= kLowBits;
  }
  /// The sum, or the nearest 64-bit number.
  [[nodiscard]] std::int64_t value() const;
  [[nodiscard]] double real() const;

 private:
  static constexpr int kLow = 32;
  static constexpr std::int64_t kLowBits = (std::int64_t{1} << kLow) - 1;
  std::int64_t high_ = 0, low_ = 0;  ///< of high_ * 2^32 + low_
};

struct Summary {
  std::int64_t total = 0, count = 0, min = 0, max = 0;
  double mean = 0;
  double median = 0;                      ///< type 2: with an even number the mean of the middle two
  double deviation = 0;                   ///< sample deviation; 0 for one value
  std::vector<std::int64_t> values = {};  ///< all values, if requested (Task::keeps_values)
};

/// For at least one value, which it reorders. Linear.
Summary summarize(std::span<std::int64_t> values);
Summary summarize(std::span<std::uint32_t> values);

/// Rounded to a tenth, half away from zero, as in the SQLite of nsys 2024.2.
double tenths(double value);

/// `part` of `whole` in percent, to a tenth. 0 if `whole` is 0.
double percent(std::int64_t part, std::int64_t whole);

/// Adds the columns Avg, Med, Min, Max, StdDev of a column of summaries, with `prefix`; if nothing was counted, empty
/// cells and a deviation of 0.
void add_spread(Table& table, const std::string& prefix, const std::vector<Summary>& summaries);

/// The same in MB of 10^6 bytes.
void add_size_spread(Table& table, const std::vector<Summary>& summaries);

}  // namespace assay::nsys
