#include "assay/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

namespace assay {

std::string exact(double value) {
  if (value == 0) return "0";
  std::array<char, 400> buffer;
  const bool integral = std::isfinite(value) && value == std::trunc(value);
  const auto end = integral ? std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::fixed)
                            : std::to_chars(buffer.begin(), buffer.end(), value);
  return {buffer.begin(), end.ptr};
}

std::string fixed(double value, int digits) {
  std::array<char, 400> buffer;
  const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::fixed, digits);
  return {buffer.begin(), end.ptr};
}

namespace detail {

namespace {

constexpr DisplayUnit kTimeUnits[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
constexpr DisplayUnit kByteUnits[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};
constexpr DisplayUnit kWorkUnits[] = {{1e12, "TFLOP"}, {1e9, "GFLOP"}, {1e6, "MFLOP"}, {1, "FLOP"}};
constexpr DisplayUnit kRateUnits[] = {{1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1e6, "MFLOP/s"}, {1, "FLOP/s"}};
constexpr DisplayUnit kBandwidthUnits[] = {{1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}};

// The largest unit not above the magnitude, or else the last.
DisplayUnit pick_unit(std::span<const DisplayUnit> units, double magnitude) {
  for (const DisplayUnit& unit : units) {
    if (magnitude >= unit.factor) return unit;
  }
  return units.back();
}

}  // namespace

std::string significant(double value, int digits) {
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

std::string rounded_number(double value, int digits) {
  const bool whole = value == std::trunc(value) && std::abs(value) < 1e9;
  return whole ? exact(value) : significant(value, digits);
}

}  // namespace detail

DisplayUnit display_unit(double value, std::string_view unit) {
  const double magnitude = std::abs(value);
  if (unit == "ns") return detail::pick_unit(detail::kTimeUnits, magnitude);
  if (unit == "us") {
    const DisplayUnit time = detail::pick_unit(detail::kTimeUnits, magnitude * 1e3);
    return {time.factor / 1e3, time.name};
  }
  if (unit == "bytes") return detail::pick_unit(detail::kByteUnits, magnitude);
  if (unit == "bytes/s") return detail::pick_unit(detail::kBandwidthUnits, magnitude);
  if (unit == "FLOP") return detail::pick_unit(detail::kWorkUnits, magnitude);
  if (unit == "FLOP/s") return detail::pick_unit(detail::kRateUnits, magnitude);
  if (unit == "ratio" || unit == "1") return {1, ""};
  return {1, unit};
}

std::string quantity(double value, std::string_view unit) {
  const DisplayUnit shown = display_unit(value, unit);
  std::string text = detail::rounded_number(value / shown.factor, detail::kDigits);
  if (!shown.name.empty()) text.append(" ").append(shown.name);
  return text;
}

std::string quantity_range(double low, double high, std::string_view unit) {
  const DisplayUnit shown = display_unit(std::max(std::abs(low), std::abs(high)), unit);
  const std::string from = detail::significant(low / shown.factor, detail::kDigits),
                    to = detail::significant(high / shown.factor, detail::kDigits);
  std::string text = from == to ? from : from + " to " + to;
  if (!shown.name.empty()) text.append(" ").append(shown.name);
  return text;
}

}  // namespace assay
