#include "spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"

namespace assay::tokens {
namespace {

/// Least squares of log latency on log b + log(r + batch): affine in the batch, with r = a / b >= 0.
struct AffineFit {
  double squares = std::numeric_limits<double>::infinity();
  double r = 0, log_b = 0;

  [[nodiscard]] double log_latency(double batch) const { return log_b + std::log(r + batch); }
};

AffineFit affine_at(double r, std::span<const double> batches, std::span<const double> logs) {
  std::vector<double> offsets;
  for (std::size_t i = 0; i < batches.size(); ++i) offsets.push_back(logs[i] - std::log(r + batches[i]));
  return {squared_deviations(offsets), r, mean(offsets)};
}

/// The ratio r is between 0 and far beyond the batches, where the curve is flat: a grid on the log scale, then golden
/// section search around its best point.
AffineFit fit_affine(std::span<const double> batches, std::span<const double> logs) {
  constexpr int kSteps = 200;
  constexpr double kGolden = 0.6180339887498949;
  const double low = std::log(1e-4 * batches.front()), high = std::log(1e4 * batches.back());
  const auto at = [&](double log_r) { return affine_at(std::exp(log_r), batches, logs); };
  const double step = (high - low) / kSteps;
  AffineFit best = affine_at(0, batches, logs);
  double centre = low;
  for (int i = 0; i <= kSteps; ++i) {
    const AffineFit fit = at(low + i * step);
    if (fit.squares < best.squares) {
      best = fit;
      centre = low + i * step;
    }
  }
  double left = centre - step, right = centre + step;
  for (int i = 0; i < 60; ++i) {
    const double a = right - kGolden * (right - left), b = left + kGolden * (right - left);
    (at(a).squares < at(b).squares ? right : left) = at(a).squares < at(b).squares ? b : a;
  }
  const AffineFit refined = at((left + right) / 2);
  return refined.squares < best.squares ? refined : best;
}

}  // namespace

std::vector<double> logs_of(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return logs;
}

double PooledSpread::sd() const { return std::sqrt(squares / degrees); }

std::optional<LatencyFit> fit_latency(std::span<const double> batches, std::span<const double> latencies) {
  const std::vector<double> logs = logs_of(latencies);
  const std::span<const double> all(logs);
  std::optional<LatencyFit> best;
  for (std::size_t host = 0; host + 2 <= batches.size(); ++host) {
    const double degrees = static_cast<double>(batches.size()) - (host == 0 ? 2 : 3);
    if (degrees < 1) break;
    const AffineFit fit = fit_affine(batches.subspan(host), all.subspan(host));
    double squares = fit.squares;
    if (host > 0) {
      const double log_host = mean(all.first(host));
      const bool consistent =
          fit.log_latency(batches[host - 1]) <= log_host && fit.log_latency(batches[host]) >= log_host;
      if (!consistent) continue;
      squares += squared_deviations(all.first(host));
    }
    if (!best || squares / degrees < best->squares / best->degrees) best = LatencyFit{squares, degrees, host};
  }
  return best;
}

PooledSpread pool(const std::vector<Cell>& cells, const std::vector<LatencyFit>& fits) {
  PooledSpread out;
  for (const LatencyFit& fit : fits) {
    out.squares += fit.squares;
    out.fit_degrees += fit.degrees;
  }
  for (const Cell& cell : cells) {
    for (const std::vector<double>* side : {&cell.base, &cell.treated}) {
      if (side->size() < 2) continue;
      out.squares += squared_deviations(*side);
      out.repeated_degrees += static_cast<double>(side->size() - 1);
      const auto [least, most] = std::minmax_element(side->begin(), side->end());
      out.largest_ratio = std::max(out.largest_ratio, std::exp(*most - *least));
    }
  }
  out.degrees = out.fit_degrees + out.repeated_degrees;
  return out;
}

std::optional<std::pair<double, double>> CombinedSpeedup::interval(double level) const {
  if (!(degrees > 0)) return std::nullopt;
  const double half = student_t_quantile((1 + level) / 2, degrees) * sd_log;
  return std::pair(value * std::exp(-half), value * std::exp(half));
}

std::optional<CombinedSpeedup> combine(const Cell& cell, const PooledSpread& spread) {
  if (cell.base.empty() || cell.treated.empty()) return std::nullopt;
  CombinedSpeedup out;
  out.value = std::exp(mean(cell.treated) - mean(cell.base));
  out.measurements = cell.base.size() + cell.treated.size();
  if (!spread.known()) return out;
  const double parts = 1 / static_cast<double>(cell.base.size()) + 1 / static_cast<double>(cell.treated.size());
  out.sd_log = spread.sd() * std::sqrt(parts);
  out.degrees = spread.degrees;
  return out;
}

}  // namespace assay::tokens
