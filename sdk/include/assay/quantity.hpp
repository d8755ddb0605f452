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
inline std::string exact(double value) {
  if (value == 0) return "0";
  std::array<char, 400> buffer;
  const bool integral = std::isfinite(value) && value == std::trunc(value);
  const auto end = integral ? std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::fixed)
                            : std::to_chars(buffer.begin(), buffer.end(), value);
  return {buffer.begin(), end.ptr};
}

/// `digits` places after the point, whatever the locale.
inline std::string fixed(double value, int digits) {
  std::array<char, 400> buffer;
  const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::fixed, digits);
  return {buffer.begin(), end.ptr};
}

/// The unit that a value of this size is printed in: value / factor, "ms" for "ns". The name is empty for pure numbers.
struct DisplayUnit {
  double factor;
  std::string_view name;
};

namespace detail {

inline constexpr DisplayUnit kTimeUnits[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
inline constexpr DisplayUnit kByteUnits[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};
inline constexpr DisplayUnit kBandwidthUnits[] = {{1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}};

/// The largest that the magnitude reaches, else the last.
inline DisplayUnit pick_unit(std::span<const DisplayUnit> units, double magnitude) {
  for (const DisplayUnit& unit : units) {
    if (magnitude >= unit.factor) return unit;
  }
  return units.back();
}

/// About `digits` significant digits. From 0.1 to 10 the places after the point are kept equal instead, so that 0.998
/// and 1.002 compare at a glance.
inline std::string significant(double value, int digits) {
  const double magnitude = std::abs(value);
  if (magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e7)) {
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::general, digits);
    return {buffer.begin(), end.ptr};
  }
  const bool near_one = magnitude == 0 || (magnitude >= 0.1 && magnitude < 10);
  return fixed(value,
               near_one ? digits : std::max(digits - 1 - static_cast<int>(std::floor(std::log10(magnitude))), 0));
}

/// The same, but whole numbers stay whole.
inline std::string rounded_number(double value, int digits) {
  const bool whole = value == std::trunc(value) && std::abs(value) < 1e9;
  return whole ? exact(value) : significant(value, digits);
}

inline constexpr int kDigits = 3;

}  // namespace detail

/// `unit` as metrics have it: "ns", "us", "bytes" and "bytes/s" are scaled, "1" and "ratio" are pure numbers.
inline DisplayUnit display_unit(double value, std::string_view unit) {
  const double magnitude = std::abs(value);
  if (unit == "ns") return detail::pick_unit(detail::kTimeUnits, magnitude);
  if (unit == "us") {
    const DisplayUnit time = detail::pick_unit(detail::kTimeUnits, magnitude * 1e3);
    return {time.factor / 1e3, time.name};
  }
  if (unit == "bytes") return detail::pick_unit(detail::kByteUnits, magnitude);
  if (unit == "bytes/s") return detail::pick_unit(detail::kBandwidthUnits, magnitude);
  if (unit == "ratio" || unit == "1") return {1, ""};
  return {1, unit};
}

/// For people: about three significant digits and the unit, scaled where the unit allows it ("16.7 ms", "49.9 GB/s").
inline std::string quantity(double value, std::string_view unit) {
  const DisplayUnit shown = display_unit(value, unit);
  std::string text = detail::rounded_number(value / shown.factor, detail::kDigits);
  if (!shown.name.empty()) text.append(" ").append(shown.name);
  return text;
}

/// Both ends in one unit: "51.9 to 53.0 GB/s"; once where both print the same.
inline std::string quantity_range(double low, double high, std::string_view unit) {
  const DisplayUnit shown = display_unit(std::max(std::abs(low), std::abs(high)), unit);
  const std::string from = detail::significant(low / shown.factor, detail::kDigits),
                    to = detail::significant(high / shown.factor, detail::kDigits);
  std::string text = from == to ? from : from + " to " + to;
  if (!shown.name.empty()) text.append(" ").append(shown.name);
  return text;
}

}  // namespace assay
