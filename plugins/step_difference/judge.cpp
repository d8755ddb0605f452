#include "judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "algo/noise/lasting_noise.hpp"
#include "algo/noise/sequence.hpp"
#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "assay/detail/spread.hpp"

namespace assay::difference {
namespace {

constexpr std::size_t kMaxRuns = 500;
constexpr double kMinError = 1e-12;
constexpr int kHalvings = 24;

/// Differences within blocks; the interval allows for noise that lasts over several blocks, as far as few blocks cannot
/// exclude it.
class PairedSpread {
 public:
  PairedSpread(const RunValues& values, double resolution) : once_(values.once) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < values.before.size(); ++i) differences.push_back(values.after[i] - values.before[i]);
    const RunMean all = run_mean(differences);
    if (all.runs < 2) return;
    // Quantization to ticks of that length adds their variance on either side.
    const double sd = std::sqrt(all.squares / static_cast<double>(all.runs - 1) + resolution * resolution / 6);
    const bool varies = all.squares > 0;
    blocks_ = static_cast<double>(all.runs);
    const double shift = values.part ? std::min(unseen_by(all.runs), kUnseenShift) : unseen_by(all.runs);
    if (varies) unseen_ = shift * (values.logs ? 1 : std::abs(mean(values.before)));
    interval_.emplace(all.runs, sd, varies ? lasting_share(differences) : 0);
  }
  [[nodiscard]] std::optional<double> half_width(double error) const {
    if (!interval_) return std::nullopt;
    double half = once_ ? interval_->once(error) : interval_->at_each_look(error, kSequencePrior);
    // The sequence has no interval after so few blocks; their looks share an eighth of the error each.
    constexpr double kFirstLooks = 8;
    if (!once_ && blocks_ < kFirstLooks) half = std::min(half, interval_->once(error / kFirstLooks));
    return std::isfinite(half) ? std::optional(std::max(half, unseen_)) : std::nullopt;
  }

 private:
  bool once_;
  double blocks_ = 0, unseen_ = 0;
  std::optional<LastingInterval> interval_;
};

/// Half-width of the interval at an error level; empty if no spread is known.
std::optional<double> half_width(const RunValues& values, double resolution, double error) {
  RunMean sides[] = {run_mean(values.before), run_mean(values.after)};
  std::vector<SpreadGroup> groups;
  for (RunMean& side : sides) {
    const double degrees = static_cast<double>(side.runs) - 1;
    // Quantization to ticks of that length adds their variance.
    side.squares += degrees * resolution * resolution / 12;
    groups.push_back({side.squares, degrees});
  }
  const double most = values.degrees > 0 ? values.degrees : std::numeric_limits<double>::infinity();
  const auto found = mean_error(sides, spread_prior(groups), 1 - error, values.widening, most);
  if (!found) return std::nullopt;
  // Satterthwaite gets too many degrees of freedom where one side is noisier than the other. Of many runs mean_error
  // takes one less, of few it trusts groups of other runs, which two sides alone do not have.
  const auto smaller = static_cast<double>(std::min(sides[0].runs, sides[1].runs));
  if (smaller >= static_cast<double>(kOwnRuns)) return found->half;
  const auto factor = [&](double degrees) { return student_t_quantile(1 - error / 2, degrees); };
  return found->half * factor(std::max(smaller - 1, found->degrees - 1)) / factor(found->degrees);
}

}  // namespace

DifferenceTest judge(const RunValues& values, double resolution, double error) {
  DifferenceTest out;
  out.difference = mean(values.after) - mean(values.before);
  const std::optional<PairedSpread> pairs =
      values.paired ? std::optional<PairedSpread>({values, resolution}) : std::nullopt;
  const auto half_at = [&](double at) { return pairs ? pairs->half_width(at) : half_width(values, resolution, at); };
  out.half = half_at(error);
  if (!out.half) return out;
  const double size = std::abs(out.difference);
  const auto leaves_out_zero = [&](double at) {
    const auto half = half_at(at);
    return half && *half < size;
  };
  if (*out.half < size) {
    // The error level at which the interval just reaches 0, by bisection of its logarithm.
    double low = std::log(kMinError), high = std::log(error);
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
      size > 0 ? runs_needed(size, sd, RunClaim{0, infinity, 1 - error, 2}, kMaxRuns) : kMaxRuns + 1;
  out.more_runs = runs > kMaxRuns ? 0 : runs;
  return out;
}

std::vector<bool> significant_by_holm(std::span<const double> p, double error) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<bool> significant(p.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (p[order[i]] > error / static_cast<double>(p.size() - i)) break;
    significant[order[i]] = true;
  }
  return significant;
}

}  // namespace assay::difference
