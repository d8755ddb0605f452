#include "distribution.hpp"

#include <algorithm>
#include <cmath>

namespace assay::nsys {

void Distribution::add(std::span<const double> values, std::span<const double> counts) {
  for (std::size_t i = 0; i < std::min(values.size(), counts.size()); ++i)
    values_.emplace_back(static_cast<std::int64_t>(values[i]), static_cast<std::int64_t>(counts[i]));
  sorted_ = false;
}

void Distribution::sort() {
  if (sorted_) return;
  std::sort(values_.begin(), values_.end());
  std::size_t kept = 0;
  count_ = 0;
  for (const auto& [value, times] : values_) {
    count_ += times;
    if (kept > 0 && values_[kept - 1].first == value)
      values_[kept - 1].second += times;
    else
      values_[kept++] = {value, times};
  }
  values_.resize(kept);
  sorted_ = true;
}

std::int64_t Distribution::at(std::int64_t place) const {
  for (const auto& [value, times] : values_) {
    if (place < times) return value;
    place -= times;
  }
  return values_.back().first;
}

double Distribution::quartile(std::int64_t quarters) {
  sort();
  const std::int64_t fourths = count_ * quarters;
  const std::int64_t place = fourths / 4;
  if (fourths % 4 != 0) return static_cast<double>(at(place));
  return (static_cast<double>(at(place - 1)) + static_cast<double>(at(place))) / 2;
}

Summary Distribution::summary() {
  sort();
  Summary s;
  WideSum total;
  for (const auto& [value, times] : values_) total.add(value, times);
  s.count = count_;
  s.total = total.value();
  s.mean = total.real() / static_cast<double>(count_);
  s.min = values_.front().first;
  s.max = values_.back().first;
  s.median = quartile(2);
  if (s.min == s.max) return s;
  double squares = 0;
  for (const auto& [value, times] : values_) {
    const double difference = static_cast<double>(value) - s.mean;
    squares += difference * difference * static_cast<double>(times);
  }
  s.deviation = std::sqrt(squares / static_cast<double>(count_ - 1));
  return s;
}

}  // namespace assay::nsys
