// Numbers as they are printed: exact for machines, rounded and in a unit that suits them for people.
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

/// The shortest text that reads back as the same double; integral values have neither point nor exponent.
std::string exact(double value);

/// `digits` places after the point, whatever the locale.
std::string fixed(double value, int digits);

/// The unit that a value of this size is printed in: value / factor, "ms" for "ns". The name is empty for pure numbers.
struct DisplayUnit {
  double factor;
  std::string_view name;
};

namespace detail {

/// About `digits` significant digits. From 0.1 to 10 the places after the point are kept equal instead, so that 0.998
/// and 1.002 compare at a glance.
std::string significant(double value, int digits);

/// The same, but whole numbers stay whole.
std::string rounded_number(double value, int digits);

inline constexpr int kDigits = 3;

}  // namespace detail

/// `unit` as metrics have it: "ns", "us", "bytes", "bytes/s", "FLOP" and "FLOP/s" are scaled, "1" and "ratio" are pure
/// numbers.
DisplayUnit display_unit(double value, std::string_view unit);

/// For people: about three significant digits and the unit, scaled where the unit allows it ("16.7 ms", "49.9 GB/s").
std::string quantity(double value, std::string_view unit);

/// Both ends in one unit: "51.9 to 53.0 GB/s"; once where both print the same.
std::string quantity_range(double low, double high, std::string_view unit);

}  // namespace assay
