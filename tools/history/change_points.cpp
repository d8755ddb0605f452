#include "history/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "assay/detail/beta.hpp"
#include "history/level_model.hpp"

namespace assay {
namespace {

constexpr double kLevel = 0.95;  ///< of intervals
/// Max number of changes, and results per change.
constexpr std::size_t kMaxChanges = 20, kPerChange = 8;
/// From this autocorrelation on a wandering level cannot be distinguished from a changed one (docs/history.md).
constexpr double kTooAlike = 0.9;
/// By simulation (docs/accuracy.md): how much more likely a chance find is with a fitted autocorrelation than with a
/// known one.
constexpr double kFitted = 6;

/// Weight of a line against steps: a wandering series often looks like a line.
constexpr double kLine = 6;

/// Length of the stretch around [from, to) whose values are within `near` of its mean: at the start of a level, the
/// median around its first results is still that of the previous level.
std::size_t goes_on(std::span<const double> values, std::size_t from, std::size_t to, double near) {
  const double level = mean(values.subspan(from, to - from));
  while (from > 0 && std::abs(values[from - 1] - level) <= near) --from;
  while (to < values.size() && std::abs(values[to] - level) <= near) ++to;
  return to - from;
}

/// Pulls outliers in to four deviations from the median of the surrounding eleven results: one or two in a row are not
/// a level. Three in a row on one side are, and stay.
std::vector<double> without_wild(std::span<const double> values, std::size_t confirmed) {
  constexpr std::size_t kAround = 5;
  constexpr double kDeviations = 4;
  /// Standard deviation of normal values divided by their median distance from the median around them.
  constexpr double kScale = 1.6;
  std::vector<double> medians, distances;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t from = i < kAround ? 0 : i - kAround, to = std::min(values.size(), i + kAround + 1);
    medians.push_back(median(values.subspan(from, to - from)));
    distances.push_back(std::abs(values[i] - medians.back()));
  }
  // If most values equal their neighbours, the mean distance replaces the spread. Never less than the distance to the
  // next value: counts are not outliers.
  const double spread = median(distances) > 0 ? kScale * median(distances) : 1.25 * mean(distances);
  const double most = std::max(kDeviations * spread, smallest_difference(values));
  std::vector<double> out(values.begin(), values.end());
  const auto side = [&](std::size_t i) { return distances[i] <= most ? 0 : values[i] > medians[i] ? 1 : -1; };
  for (std::size_t from = 0, to = 0; from < values.size(); from = to) {
    while (to < values.size() && side(to) == side(from)) ++to;
    if (side(from) == 0 || to - from >= confirmed || goes_on(values, from, to, most / 2) >= confirmed) continue;
    for (std::size_t i = from; i < to; ++i) out[i] = medians[i] + side(i) * most;
  }
  return out;
}

/// Probability that `changes` steps of noise explain as much, for one partition: 1 - share has a beta distribution.
double beta_tail(const LevelFit& without, const LevelFit& with, std::size_t steps, std::size_t size,
                 std::size_t stretches) {
  const auto n = static_cast<double>(size);
  const double share = std::exp(std::min(0.0, (with.criterion - without.criterion) / n));
  // One degree of freedom is spent on the fitted autocorrelation.
  const double a = std::max(0.5, (n - static_cast<double>(stretches) - 1) / 2), b = static_cast<double>(steps) / 2;
  return beta_cdf(share, a, b);
}

/// Number of ways to choose `changes` places with at least `least` results in each stretch.
double partitions(std::size_t size, std::size_t changes, std::size_t least) {
  const std::size_t room = size - (changes + 1) * least + changes;
  double ways = 1;
  for (std::size_t i = 0; i < changes; ++i) ways *= static_cast<double>(room - i) / static_cast<double>(i + 1);
  return ways;
}

class Search {
 public:
  Search(std::vector<double> values, const ChangeSettings& settings)
      : least_(std::max<std::size_t>(2, settings.confirmed)),
        alpha_(settings.alpha),
        looks_(kFitted * static_cast<double>(std::max<std::size_t>(1, settings.series))),
        model_(values, least_) {
    out_.values = std::move(values);
  }

  LevelChanges run() {
    const LevelFit level = model_.fit({});
    const std::size_t most = std::clamp<std::size_t>(model_.size() / kPerChange, 1, kMaxChanges);
    const std::vector<Partition> best = model_.best_partitions(most);
    Partition chosen;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 1; k < best.size(); ++k) {
      const double p = chance_of_any(level, best[k]);
      if (p < least) {
        least = p;
        chosen = best[k];
      }
    }
    const LevelFit line = model_.fit_line();
    const double creep = kLine * looks_ * beta_tail(level, line, 1, model_.size(), 2);
    keep_significant(chosen);
    if (!chosen.empty() && chance_of_any(level, chosen) > alpha_) chosen.clear();
    LevelFit noise = model_.fit(chosen);
    out_.creeps = creep <= alpha_ && (chosen.empty() || line.criterion < noise.criterion);
    if (out_.creeps) {
      noise = line;
      chosen = best[std::min<std::size_t>(2, best.size() - 1)];
    }
    set_noise(noise, out_.creeps ? 2 : chosen.size() + 1, chosen);
    out_.too_alike = chosen.empty() && noise.correlation >= kTooAlike;
    for (std::size_t i = 0; i < chosen.size(); ++i) out_.changes.push_back(describe(chosen, i));
    return std::move(out_);
  }

 private:
  [[nodiscard]] double chance_of_any(const LevelFit& level, const Partition& changes) const {
    const std::size_t k = changes.size();
    // Half of the probability is for one change, a quarter for two, ...; half of all for a line.
    const double share = std::ldexp(1.0, -static_cast<int>(k) - 1);
    return looks_ / share * partitions(model_.size(), k, least_) *
           beta_tail(level, model_.fit(changes), k, model_.size(), k + 1);
  }

  [[nodiscard]] double chance_of(const Partition& changes, const LevelFit& all, std::size_t which) const {
    Partition others = changes;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(which));
    return looks_ * static_cast<double>(model_.size()) *
           beta_tail(model_.fit(others), all, 1, model_.size(), changes.size() + 1);
  }

  /// Backward elimination: removes the least significant change until all that remain are significant.
  void keep_significant(Partition& changes) {
    while (!changes.empty()) {
      const LevelFit all = model_.fit(changes);
      p_.clear();
      for (std::size_t i = 0; i < changes.size(); ++i) p_.push_back(chance_of(changes, all, i));
      const auto worst = std::ranges::max_element(p_);
      if (*worst <= alpha_) return;
      changes.erase(changes.begin() + (worst - p_.begin()));
    }
  }

  /// Fitted autocorrelations are too low by about (1 + 3 r) / n per stretch (Marriott and Pope 1954).
  void set_noise(const LevelFit& fit, std::size_t fitted, const Partition& changes) {
    const double n = static_cast<double>(model_.size()), r = fit.correlation;
    const double bias = static_cast<double>(fitted) * (1 + 3 * r) / n, error = std::sqrt((1 - r * r) / n);
    LevelNoise& noise = out_.noise;
    noise.correlation = r > 0 ? std::min(0.95, r + bias + error) : std::min(0.95, bias);
    noise.degrees = std::max(1.0, n - static_cast<double>(fitted) - 1);
    const double squares =
        out_.creeps ? model_.squares_of_line(noise.correlation) : model_.squares(changes, noise.correlation);
    noise.innovation = std::sqrt(squares / noise.degrees);
  }

  [[nodiscard]] ChangePoint describe(const Partition& changes, std::size_t i) const {
    const std::size_t from = i == 0 ? 0 : changes[i - 1];
    const std::size_t to = i + 1 == changes.size() ? model_.size() : changes[i + 1];
    ChangePoint change;
    change.at = changes[i];
    change.before = model_.mean(from, change.at);
    change.after = model_.mean(change.at, to);
    const LevelDifference difference = out_.difference({from, change.at}, {change.at, to});
    change.lo = difference.lo;
    change.hi = difference.hi;
    change.p = out_.creeps ? alpha_ : p_[i];
    // Places whose likelihood is within the bound of the best one's: (1 - exp(-c / 2))^2 = level.
    const double bound = -2 * std::log(1 - std::sqrt(kLevel));
    const double variance = out_.noise.innovation * out_.noise.innovation;
    Partition moved = changes;
    const double r = out_.noise.correlation, best = model_.squares(changes, r);
    change.earliest = change.latest = change.at;
    for (std::size_t place = from + 1; place < to; ++place) {
      moved[i] = place;
      if (model_.squares(moved, r) - best > bound * variance) continue;
      change.earliest = std::min(change.earliest, place);
      change.latest = std::max(change.latest, place);
    }
    return change;
  }

  std::size_t least_;  ///< min number of results on each side of a change
  double alpha_, looks_;
  LevelModel model_;
  std::vector<double> p_;  ///< of each change that remains
  LevelChanges out_;
};

}  // namespace

LevelDifference LevelChanges::difference(const LevelSegment& before, const LevelSegment& after) const {
  const std::span<const double> all(values);
  const double value =
      mean(all.subspan(after.from, after.to - after.from)) - mean(all.subspan(before.from, before.to - before.from));
  const double variance = 1 / LevelModel::information(before.to - before.from, noise.correlation) +
                          1 / LevelModel::information(after.to - after.from, noise.correlation);
  const double half = student_t_quantile((1 + kLevel) / 2, noise.degrees) * noise.innovation * std::sqrt(variance);
  return {value, value - half, value + half};
}

LevelChanges change_points(std::span<const double> values, const ChangeSettings& settings) {
  if (values.size() < 2 * settings.confirmed) return {};
  return Search(without_wild(values, settings.confirmed), settings).run();
}

}  // namespace assay
