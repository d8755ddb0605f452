#include "difference/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "assay/algo/distributions.hpp"
#include "assay/detail/sequence.hpp"
#include "assay/detail/spread.hpp"

namespace assay::difference {
namespace {

constexpr std::size_t kMostRuns = 500;
constexpr double kLeastError = 1e-12;
constexpr int kHalvings = 24;

/// Of blocks whose number was fixed beforehand: Student's interval of the differences of logs, from the seventh block
/// on widened by how long the noise lasts, as that of a sequence is. In few blocks a state that lasts shows too seldom:
/// it reaches at least a factor of 2 before the ninth, and 20 % before the sixteenth.
double half_width_once(const SeriesNoise& own, const BlockNoise& recording, double error) {
  constexpr std::size_t kFirstWidened = 7, kFewBlocks = 9, kUnseenBlocks = 16;
  constexpr double kFewFactor = 2, kUnseen = 0.2;
  const double n = static_cast<double>(own.n);
  double half = student_t_quantile(1 - error / 2, n - 1) * own.sd / std::sqrt(n);
  if (own.n >= kFirstWidened && own.sd > 0) {
    const double wide = sequence_half_width(own, recording, 1 - error, 0),
                 plain = sequence_half_width(own.n, own.sd, 1 - error);
    half *= std::max(1.0, wide / plain);
  }
  if (own.n >= kUnseenBlocks) return half;
  return std::max(half, own.n < kFewBlocks ? std::log(kFewFactor) : kUnseen);
}

/// Half-width of the interval at an error; nothing where no spread is known.
std::optional<double> half_width(const RunValues& values, double resolution, double error) {
  if (values.paired) {
    BlockSeries series;
    for (std::size_t i = 0; i < values.before.size(); ++i) {
      series.block.push_back(static_cast<double>(i));
      series.value.push_back(values.after[i] - values.before[i]);
    }
    RunningNoise noise;
    for (const double value : series.value) noise.add(value);
    const SeriesNoise own = noise.now();
    if (own.n < 2) return std::nullopt;
    const SeriesNoise all[] = {own};
    const double half =
        values.once ? half_width_once(own, pooled(all), error) : sequence_half_width(own, pooled(all), 1 - error, 0);
    if (!std::isfinite(half)) return std::nullopt;
    return half;
  }
  RunMean sides[] = {run_mean(values.before), run_mean(values.after)};
  std::vector<SpreadGroup> groups;
  for (RunMean& side : sides) {
    const double degrees = static_cast<double>(side.runs) - 1;
    // A clock of steps of that length adds their variance.
    side.squares += degrees * resolution * resolution / 12;
    groups.push_back({side.squares, degrees});
  }
  const double most = values.degrees > 0 ? values.degrees : std::numeric_limits<double>::infinity();
  const auto found = mean_error(sides, spread_prior(groups), 1 - error, values.widening, most);
  if (!found) return std::nullopt;
  return found->half;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Judged judge(const RunValues& values, double resolution, double error) {
  Judged out;
  out.difference = mean_of(values.after) - mean_of(values.before);
  out.half = half_width(values, resolution, error);
  if (!out.half) return out;
  const double size = std::abs(out.difference);
  const auto leaves_out_zero = [&](double at) {
    const auto half = half_width(values, resolution, at);
    return half && *half < size;
  };
  if (*out.half < size) {
    // The error at which the interval just reaches 0, by bisection of its logarithm.
    double low = std::log(kLeastError), high = std::log(error);
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      (leaves_out_zero(std::exp(middle)) ? high : low) = middle;
    }
    out.p = std::exp(high);
  }
  const RunMean sides[] = {run_mean(values.before), run_mean(values.after)};
  const double degrees = static_cast<double>(sides[0].runs + sides[1].runs) - 2;
  const double sd = std::sqrt((sides[0].squares + sides[1].squares) / std::max(1.0, degrees));
  const double infinity = std::numeric_limits<double>::infinity();
  const std::size_t runs =
      size > 0 ? runs_needed(size, sd, RunClaim{0, infinity, 1 - error, 2}, kMostRuns) : kMostRuns + 1;
  out.more_runs = runs > kMostRuns ? 0 : runs;
  return out;
}

std::vector<bool> told_by_holm(std::span<const double> p, double error) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<bool> told(p.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (p[order[i]] > error / static_cast<double>(p.size() - i)) break;
    told[order[i]] = true;
  }
  return told;
}

}  // namespace assay::difference
