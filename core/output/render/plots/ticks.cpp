#include "render/plots/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/format.hpp"

namespace assay {
namespace {

constexpr double kMargin = 0.04;
constexpr int kMaxTicks = 6;

/// The round step (1, 2 or 5 times a power of ten) that fits at most kMaxTicks times into `span`.
double round_step(double span) {
  const double power = std::pow(10.0, std::floor(std::log10(span / kMaxTicks)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (span / (factor * power) <= kMaxTicks) return factor * power;
  }
  return 10 * power;
}

std::string tick_label(double value, int digits, bool shares) {
  if (shares) return fixed(100 * value, std::max(digits - 2, 0)) + " %";
  const double magnitude = std::abs(value);
  if (magnitude >= 1e6 || (magnitude > 0 && magnitude < 1e-4)) return quantity(value, "1");
  return fixed(value, digits);
}

int digits_of(double step) { return std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9))); }

std::vector<DrawnTick> linear_ticks(double lo, double hi, bool shares) {
  const double step = round_step(hi - lo);
  std::vector<DrawnTick> ticks;
  for (double i = std::ceil(lo / step - 1e-9); i * step <= hi + 1e-9 * step; ++i) {
    const double at = i == 0 ? 0 : i * step;
    ticks.push_back({at, tick_label(at, digits_of(step), shares)});
  }
  return ticks;
}

std::vector<DrawnTick> log_ticks(double lo, double hi) {
  const double decades = std::log10(hi / lo);
  std::vector<DrawnTick> ticks;
  for (int power = static_cast<int>(std::floor(std::log10(lo))); std::pow(10.0, power) <= hi; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (decades > 3 && factor > 1) continue;
      const double at = factor * std::pow(10.0, power);
      if (at >= lo * (1 - 1e-9) && at <= hi * (1 + 1e-9))
        ticks.push_back({at, tick_label(at, std::max(0, -power), false)});
    }
  }
  return ticks.size() < 3 ? linear_ticks(lo, hi, false) : ticks;
}

/// Min distance of two ticks, as a share of the axis.
constexpr double kClosest = 0.06;

}  // namespace

void tick_at(DrawnAxis& axis, std::vector<double> values) {
  constexpr std::size_t kMaxValues = 8;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() < 2 || values.size() > kMaxValues) return;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (axis.to_unit(values[i]) - axis.to_unit(values[i - 1]) < kClosest) return;
  }
  axis.ticks.clear();
  for (const double value : values) axis.ticks.push_back({value, quantity(value, "1")});
}

NumberRange NumberRange::nothing() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {infinity, -infinity};
}

void NumberRange::include(double value) {
  if (std::isnan(value)) return;
  lo = std::min(lo, value);
  hi = std::max(hi, value);
}

DrawnAxis number_axis(NumberRange range, const PlotAxis& axis, bool bars) {
  DrawnAxis out;
  if (range.empty()) range = {0, 1};
  out.log = axis.scale == PlotScale::kLog && range.lo > 0;
  const bool shares = (axis.flags & kAxisShares) != 0;
  if (!out.log && (bars || (axis.flags & kAxisZero) != 0)) range.include(0);
  if (out.log) {
    const double margin = range.hi > range.lo ? std::pow(range.hi / range.lo, kMargin) : 1.1;
    out.lo = range.lo / margin;
    out.hi = range.hi * margin;
    out.ticks = log_ticks(out.lo, out.hi);
    return out;
  }
  const double span = range.hi > range.lo ? range.hi - range.lo : std::max(std::abs(range.hi), 1.0);
  const bool whole = shares && bars && range.hi <= 1 + 1e-9;
  out.lo = range.lo == 0 ? 0 : range.lo - kMargin * span;
  out.hi = range.hi == 0 ? 0 : whole ? 1 : range.hi + kMargin * span;
  if (out.lo == out.hi) out.hi = out.lo + 1;
  out.ticks = linear_ticks(out.lo, out.hi, shares);
  return out;
}

}  // namespace assay
