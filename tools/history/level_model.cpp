#include "history/level_model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace assay {
namespace {

/// Up to this many results every place is a candidate.
constexpr std::size_t kAllPlaces = 128;
/// Beyond that, number of candidates per averaging width.
constexpr std::size_t kPlacesPerWidth = 40;

/// Candidates: local maxima of the difference between the levels left and right, over several widths.
std::vector<std::size_t> likely_places(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<double> sums(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) sums[i + 1] = sums[i] + values[i];
  std::vector<std::size_t> out = {0, n};
  for (const std::size_t width : {3U, 6U, 12U, 24U, 48U}) {
    std::vector<double> contrast(n + 1, 0);
    for (std::size_t i = width; i + width <= n; ++i)
      contrast[i] = std::abs(sums[i + width] - 2 * sums[i] + sums[i - width]);
    std::vector<std::pair<double, std::size_t>> peaks;
    for (std::size_t i = width; i + width <= n; ++i) {
      const auto from = contrast.begin() + static_cast<std::ptrdiff_t>(i - width / 2),
                 to = contrast.begin() + static_cast<std::ptrdiff_t>(std::min(n, i + width / 2) + 1);
      if (contrast[i] >= *std::max_element(from, to)) peaks.emplace_back(-contrast[i], i);
    }
    std::ranges::sort(peaks);
    if (peaks.size() > kPlacesPerWidth) peaks.resize(kPlacesPerWidth);
    for (const auto& [size, place] : peaks) out.push_back(place);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

double smallest_difference(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double difference = sorted[i] - sorted[i - 1];
    // Ignores differences due to rounding of doubles.
    if (difference > 1e-12 * std::max(std::abs(sorted[i]), std::abs(sorted[i - 1])))
      least = std::min(least, difference);
  }
  return std::isinf(least) ? 0 : least;
}

LevelModel::LevelModel(std::span<const double> values, std::size_t least)
    : first_(values.front()), least_(least), resolution_(smallest_difference(values)) {
  for (const double value : values) values_.push_back(value - first_);
  for (const double r : kCorrelations) sums_.push_back(sums_of(r));
  if (values.size() > kAllPlaces) {
    places_ = likely_places(values_);
  } else {
    for (std::size_t i = 0; i <= values.size(); ++i) places_.push_back(i);
  }
}

LevelModel::Sums LevelModel::sums_of(double r) const {
  Sums sums{{0}, {0}};
  double y = 0, yy = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double one = values_[i] - (i > 0 ? r * values_[i - 1] : 0);
    sums.y.push_back(y += one);
    sums.yy.push_back(yy += one * one);
  }
  return sums;
}

double LevelModel::information(std::size_t length, double r) {
  const auto n = static_cast<double>(length);
  return (1 - r) * (n - (n - 2) * r);
}

/// The first result of a stretch has the variance of single results, each later one that of an innovation.
double LevelModel::squares_between(const Sums& sums, std::size_t from, std::size_t to, double r) const {
  const double head = values_[from], own = 1 - r * r;
  const double square = own * head * head + sums.yy[to] - sums.yy[from + 1];
  const double product = own * head + (1 - r) * (sums.y[to] - sums.y[from + 1]);
  return std::max(0.0, square - product * product / information(to - from, r));
}

double LevelModel::rounding(double r) const {
  return static_cast<double>(values_.size()) * (1 + r * r) * resolution_ * resolution_ / 12;
}

double LevelModel::criterion(double squares, std::size_t stretches, double r) const {
  const double most = std::max(sums_[0].yy.back(), std::numeric_limits<double>::min());
  const double left = std::max(squares, 1e-24 * most);
  return static_cast<double>(values_.size()) * std::log(left) - static_cast<double>(stretches) * std::log(1 - r * r);
}

double LevelModel::squares(const Partition& changes, double r) const {
  const auto at = std::ranges::find(kCorrelations, r);
  const Sums own = at == std::end(kCorrelations) ? sums_of(r) : Sums();
  const Sums& sums = at == std::end(kCorrelations) ? own : sums_[static_cast<std::size_t>(at - kCorrelations)];
  double all = 0;
  std::size_t from = 0;
  for (const std::size_t change : changes) all += squares_between(sums, std::exchange(from, change), change, r);
  return all + squares_between(sums, from, values_.size(), r) + rounding(r);
}

double LevelModel::squares_of_line(double r) const {
  // Least squares of the whitened values on the whitened constant and time.
  double vv = 0, cc = 0, tt = 0, vc = 0, vt = 0, ct = 0;
  const double middle = static_cast<double>(values_.size() - 1) / 2, root = std::sqrt(1 - r * r);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double time = static_cast<double>(i) - middle;
    const double v = i == 0 ? root * values_[0] : values_[i] - r * values_[i - 1];
    const double c = i == 0 ? root : 1 - r;
    const double t = i == 0 ? root * time : time - r * (time - 1);
    vv += v * v;
    cc += c * c;
    tt += t * t;
    vc += v * c;
    vt += v * t;
    ct += c * t;
  }
  const double det = cc * tt - ct * ct;
  const double level = (vc * tt - vt * ct) / det, slope = (vt * cc - vc * ct) / det;
  return std::max(0.0, vv - level * vc - slope * vt) + rounding(r);
}

LevelFit LevelModel::fit(const Partition& changes) const {
  LevelFit best{std::numeric_limits<double>::infinity(), 0};
  for (const double r : kCorrelations) {
    const double found = criterion(squares(changes, r), changes.size() + 1, r);
    if (found < best.criterion) best = {found, r};
  }
  return best;
}

LevelFit LevelModel::fit_line() const {
  LevelFit best{std::numeric_limits<double>::infinity(), 0};
  for (const double r : kCorrelations) {
    const double found = criterion(squares_of_line(r), 1, r);
    if (found < best.criterion) best = {found, r};
  }
  return best;
}

double LevelModel::mean(std::size_t from, std::size_t to) const {
  return first_ + (sums_[0].y[to] - sums_[0].y[from]) / static_cast<double>(to - from);
}

std::vector<Partition> LevelModel::best_partitions(std::size_t most) const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const std::size_t places = places_.size();
  std::vector<Partition> out(1);
  std::vector<double> found(most + 1, kNever), costs(places * places), now(places), next(places);
  std::vector<std::vector<std::size_t>> from(most + 1, std::vector<std::size_t>(places, 0));
  std::vector<Partition> best(most + 1);
  for (std::size_t c = 0; c < std::size(kCorrelations); ++c) {
    const double r = kCorrelations[c];
    for (std::size_t i = 0; i < places; ++i) {
      for (std::size_t j = i + 1; j < places; ++j)
        costs[j * places + i] =
            places_[j] - places_[i] < least_ ? kNever : squares_between(sums_[c], places_[i], places_[j], r);
    }
    for (std::size_t j = 0; j < places; ++j) now[j] = j == 0 ? kNever : costs[j * places];
    for (std::size_t k = 1; k <= most; ++k) {
      for (std::size_t j = 0; j < places; ++j) {
        double least = kNever;
        std::size_t at = 0;
        const double* cost = costs.data() + j * places;
        for (std::size_t i = 0; i < j; ++i) {
          const double sum = now[i] + cost[i];
          if (sum < least) {
            least = sum;
            at = i;
          }
        }
        next[j] = least;
        from[k][j] = at;
      }
      std::swap(now, next);
      if (now.back() == kNever) break;
      const double reached = criterion(now.back() + rounding(r), k + 1, r);
      if (reached >= found[k]) continue;
      found[k] = reached;
      best[k].clear();
      for (std::size_t j = places - 1, left = k; left > 0; --left) best[k].push_back(places_[j = from[left][j]]);
      std::ranges::reverse(best[k]);
    }
  }
  for (std::size_t k = 1; k <= most && found[k] < kNever; ++k) out.push_back(std::move(best[k]));
  return out;
}

}  // namespace assay
