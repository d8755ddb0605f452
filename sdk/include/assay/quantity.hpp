// Formats numbers: exact for programs, rounded and in a suitable unit for people.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace assay {

/// The shortest text that reads back as an equal double; integral values have neither point nor exponent, -0 is "0".
/// "nan", "inf".
std::string exact(double value);

/// `digits` decimal places, independent of the locale.
std::string fixed(double value, int digits);

/// Unit to print a value in: value / factor, "ms" for "ns". `name` is empty for plain numbers; borrows the unit.
struct DisplayUnit {
  double factor;
  std::string_view name;
};

namespace detail {

/// About `digits` significant digits. From 0.1 to 10 the number of decimal places is fixed instead, so that 0.998 and
/// 1.002 compare at a glance.
std::string significant(double value, int digits);

/// Like significant, but integers stay integers.
std::string rounded_number(double value, int digits);

inline constexpr int kDigits = 3;

}  // namespace detail

/// Largest unit not above the magnitude of a value in `unit` of a metric. Scales "ns", "us", "bytes", "bytes/s", "FLOP"
/// and "FLOP/s" (decimal: 1 kB is 1000 B); "1" and "ratio" are plain numbers; any other unit stays.
DisplayUnit display_unit(double value, std::string_view unit);

/// For people: about three significant digits and the unit, scaled if possible ("16.7 ms", "49.9 GB/s").
std::string quantity(double value, std::string_view unit);

/// Both ends in one unit, that of the larger: "51.9 to 53.0 GB/s"; a single value if both print the same.
std::string quantity_range(double low, double high, std::string_view unit);

}  // namespace assay
