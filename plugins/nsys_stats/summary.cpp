#include "summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::nsys {
namespace {

/// SQLite 3 before 3.43 nudges numbers up before truncating their digits, so that 1607.35, which is stored as slightly
/// less, becomes 1607.4; larger numbers have no digits to spare for that.
constexpr long double kNudgedBelow = 4398046511104.0L;  // 2^42

/// Rounds to x86-64's long double, in which nsys's SQLite computes: keeps 64 of the 113 bits on arm64. (Rounding twice,
/// first to 113 bits, affects the last of 64 bits only within 2^-49 of the middle between two values.)
long double in_64_bits(long double value) {
  if constexpr (std::numeric_limits<long double>::digits > 64) {
    int exponent = 0;
    return std::ldexp(std::nearbyint(std::ldexp(std::frexp(value, &exponent), 64)), exponent - 64);
  }
  return value;
}

template <class T>
double median_of(std::span<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return static_cast<double>(*middle);
  const T below = *std::max_element(values.begin(), middle);
  return (static_cast<double>(below) + static_cast<double>(*middle)) / 2;
}

template <class Get>
auto column_of(const std::vector<Summary>& summaries, Get get) {
  std::vector<decltype(get(summaries.front()))> cells;
  cells.reserve(summaries.size());
  for (const Summary& s : summaries) cells.push_back(get(s));
  return cells;
}

}  // namespace

std::int64_t WideSum::value() const {
  const std::int64_t high = high_ + (low_ >> kLow);
  if (high > std::numeric_limits<std::int32_t>::max()) return std::numeric_limits<std::int64_t>::max();
  if (high < std::numeric_limits<std::int32_t>::min()) return std::numeric_limits<std::int64_t>::min();
  return high * (kLowBits + 1) + (low_ & kLowBits);
}

double WideSum::real() const {
  return static_cast<double>(high_ + (low_ >> kLow)) * static_cast<double>(kLowBits + 1) +
         static_cast<double>(low_ & kLowBits);
}

namespace {

template <class T>
Summary summary_of(std::span<T> values) {
  Summary s;
  WideSum total;
  s.count = static_cast<std::int64_t>(values.size());
  s.min = s.max = values.front();
  for (const std::int64_t value : values) {
    total.add(value);
    s.min = std::min(s.min, value);
    s.max = std::max(s.max, value);
  }
  s.total = total.value();
  s.mean = total.real() / static_cast<double>(s.count);
  if (s.min != s.max) {
    double squares = 0;
    for (const std::int64_t value : values) {
      const double difference = static_cast<double>(value) - s.mean;
      squares += difference * difference;
    }
    s.deviation = std::sqrt(squares / static_cast<double>(s.count - 1));
    s.median = median_of(values);
  } else {
    s.median = static_cast<double>(s.min);
  }
  return s;
}

}  // namespace

Summary summarize(std::span<std::int64_t> values) { return summary_of(values); }
Summary summarize(std::span<std::uint32_t> values) { return summary_of(values); }

double tenths(double value) {
  if (!std::isfinite(value)) return value;
  const long double size = std::abs(static_cast<long double>(value));
  const long double nudge = size < kNudgedBelow ? in_64_bits(size * in_64_bits(3e-16L)) : 0;
  const long double raised = in_64_bits(in_64_bits(size + in_64_bits(0.05L)) + nudge);
  const long double cut = in_64_bits(std::floor(in_64_bits(raised * 10)) / 10);
  return static_cast<double>(std::copysign(cut, static_cast<long double>(value)));
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : tenths(static_cast<double>(part) * 100.0 / static_cast<double>(whole));
}

void add_spread(Table& table, const std::string& prefix, const std::vector<Summary>& summaries) {
  const auto number = [](double Summary::* member) {
    return [member](const Summary& s) { return s.count == 0 ? kNothing : tenths(s.*member); };
  };
  const auto integer = [](std::int64_t Summary::* member) {
    return [member](const Summary& s) { return s.count == 0 ? kNoInteger : s.*member; };
  };
  table.add(prefix + "Avg", "ns", column_of(summaries, number(&Summary::mean)));
  table.add(prefix + "Med", "ns", column_of(summaries, number(&Summary::median)));
  table.add(prefix + "Min", "ns", column_of(summaries, integer(&Summary::min)));
  table.add(prefix + "Max", "ns", column_of(summaries, integer(&Summary::max)));
  // nsys prints a deviation even if nothing was counted.
  table.add(prefix + "StdDev", "ns", column_of(summaries, [](const Summary& s) { return tenths(s.deviation); }));
}

void add_size_spread(Table& table, const std::vector<Summary>& summaries) {
  const auto megabytes = [](auto member) {
    return [member](const Summary& s) { return static_cast<double>(s.*member) / kBytesPerMb; };
  };
  table.add("Avg", "MB", column_of(summaries, megabytes(&Summary::mean)));
  table.add("Med", "MB", column_of(summaries, megabytes(&Summary::median)));
  table.add("Min", "MB", column_of(summaries, megabytes(&Summary::min)));
  table.add("Max", "MB", column_of(summaries, megabytes(&Summary::max)));
  table.add("StdDev", "MB", column_of(summaries, megabytes(&Summary::deviation)));
}

}  // namespace assay::nsys
