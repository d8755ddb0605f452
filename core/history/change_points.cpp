#include "history/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"

namespace assay {
namespace {

constexpr double kLevel = 0.95;  ///< of intervals
/// By how many standard errors the autocorrelation is assumed higher than found: by simulation (docs/history.md) the
/// least with which one history in twenty raises an alarm at most also where it is 0.8.
constexpr double kErrors = 2.7;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Sums up to each place, of values less their first, so that a large level costs no digits.
class Sums {
 public:
  explicit Sums(std::span<const double> values) : sum_(values.size() + 1), square_(values.size() + 1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i] - values.front();
      sum_[i + 1] = sum_[i] + value;
      square_[i + 1] = square_[i] + value * value;
    }
  }
  [[nodiscard]] double mean(std::size_t from, std::size_t to) const {
    return (sum_[to] - sum_[from]) / static_cast<double>(to - from);
  }
  /// Squares of what is left about the mean; what rounding leaves of equal values is none.
  [[nodiscard]] double squares(std::size_t from, std::size_t to) const {
    const double raw = square_[to] - square_[from], n = static_cast<double>(to - from);
    const double left = raw - n * mean(from, to) * mean(from, to);
    return left > 1e-12 * square_[to] ? left : 0;
  }

 private:
  std::vector<double> sum_, square_;
};

struct Segment {
  std::size_t from, to;
};

/// Products of neighbours and squares of what is left of a stretch when its line is taken out.
struct Left {
  double product = 0, square = 0;
};

Left left_of_line(std::span<const double> values) {
  const double n = static_cast<double>(values.size()), middle = (n - 1) / 2;
  double mean = 0, slope = 0, spread = 0;
  for (const double value : values) mean += (value - values.front()) / n;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double at = static_cast<double>(i) - middle;
    slope += at * (values[i] - values.front());
    spread += at * at;
  }
  if (spread > 0) slope /= spread;
  const auto rest = [&](std::size_t i) {
    return values[i] - values.front() - mean - slope * (static_cast<double>(i) - middle);
  };
  Left left;
  for (std::size_t i = 0; i < values.size(); ++i) {
    left.square += rest(i) * rest(i);
    if (i > 0) left.product += rest(i) * rest(i - 1);
  }
  return left;
}

/// The autocorrelation of a stretch in which the level changes at `at`, as found, corrected for its bias.
double correlation_in(std::span<const double> values, const Segment& segment, std::size_t at) {
  const Left before = left_of_line(values.subspan(segment.from, at - segment.from));
  const Left after = left_of_line(values.subspan(at, segment.to - at));
  const double n = static_cast<double>(segment.to - segment.from), square = before.square + after.square;
  if (square <= 0) return 0;
  const double raw = (before.product + after.product) / square;
  // Two lines were taken out: each side, of about n / 2, is found lower by (2 + 4 r) / (n / 2).
  return std::clamp(raw + (4 + 8 * std::max(0.0, raw)) / n, -0.99, 0.99);
}

/// What is assumed of `results` of which so much was found.
double assumed_correlation(double found, std::size_t results) {
  const double error = std::sqrt((1 - found * found) / static_cast<double>(results));
  return std::clamp(found + kErrors * error, 0.0, 0.99);
}

/// The difference of the levels on both sides of a place, with the results that count.
struct Test {
  double difference = 0, error = 0, degrees = 1, p = 1;
};

Test test_at(const Sums& sums, const Segment& segment, std::size_t at, double correlation) {
  const double n1 = static_cast<double>(at - segment.from), n2 = static_cast<double>(segment.to - at);
  const double share = (1 - correlation) / (1 + correlation);
  const double counts = std::max(2.0 + 1e-9, (n1 + n2) * share);
  Test test;
  test.difference = sums.mean(at, segment.to) - sums.mean(segment.from, at);
  test.degrees = counts - 2;
  const double left = sums.squares(segment.from, at) + sums.squares(at, segment.to);
  // The variance of single results: what is left, over the results less what correlation hides of it.
  const double variance = left / (n1 + n2) * counts / std::max(counts - 2, 1e-9);
  test.error = std::sqrt(variance * (1 / (n1 * share) + 1 / (n2 * share)));
  if (test.error > 0)
    test.p = 2 * student_t_cdf(-std::abs(test.difference) / test.error, test.degrees);
  else
    test.p = test.difference != 0 ? 0 : 1;
  return test;
}

/// The whole of n values first, then stretches that overlap, each length a square root of two shorter.
std::vector<Segment> stretches(std::size_t n, std::size_t shortest) {
  std::vector<Segment> out = {{0, n}};
  double length = static_cast<double>(n), count = 1;
  while ((length /= std::sqrt(2.0)) >= static_cast<double>(shortest)) {
    count *= std::sqrt(2.0);
    const std::size_t size = static_cast<std::size_t>(std::ceil(length));
    const std::size_t pieces = 2 * static_cast<std::size_t>(std::ceil(count)) - 1;
    for (std::size_t i = 0; i < pieces; ++i) out.push_back({i * (n - size) / (pieces - 1), 0});
    for (std::size_t i = out.size() - pieces; i < out.size(); ++i) out[i].to = out[i].from + size;
  }
  return out;
}

class Search {
 public:
  Search(std::span<const double> values, const ChangeSettings& settings)
      : values_(values),
        least_(std::max<std::size_t>(2, settings.confirmed)),
        sums_(values),
        stretches_(stretches(values.size(), 2 * least_)) {
    correlation_ = assumed_correlation(common_correlation(), values.size());
    double places = 0;
    for (std::size_t i = 1; i < stretches_.size(); ++i) places += places_in(stretches_[i]);
    const double series = static_cast<double>(std::max<std::size_t>(1, settings.series));
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      if (stretches_[i].to - stretches_[i].from < 2 * least_) continue;
      const Candidate candidate = best_of(stretches_[i], 2 * series * (i == 0 ? places_in(stretches_[0]) : places));
      if (candidate.p <= settings.alpha) candidates_.push_back(candidate);
    }
  }

  std::vector<ChangePoint> run() {
    std::ranges::stable_sort(candidates_, [](const Candidate& a, const Candidate& b) {
      const std::size_t wide = a.stretch.to - a.stretch.from, other = b.stretch.to - b.stretch.from;
      return wide != other ? wide < other : a.p < b.p;
    });
    std::vector<std::pair<std::size_t, double>> places;  // place, p
    for (const Candidate& candidate : candidates_) {
      const bool told = std::ranges::any_of(places, [&](const auto& place) {
        return candidate.stretch.from < place.first && place.first < candidate.stretch.to;
      });
      const bool crowded = std::ranges::any_of(places, [&](const auto& place) {
        return std::max(candidate.at, place.first) - std::min(candidate.at, place.first) < least_;
      });
      if (!told && !crowded) places.emplace_back(candidate.at, candidate.p);
    }
    std::ranges::sort(places);
    std::vector<ChangePoint> changes;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t from = i == 0 ? 0 : places[i - 1].first;
      const std::size_t to = i + 1 == places.size() ? values_.size() : places[i + 1].first;
      places[i].first = largest({from, to});  // told by all that lies between its neighbours
      changes.push_back(describe({from, to}, places[i]));
    }
    return changes;
  }

 private:
  struct Candidate {
    Segment stretch;
    std::size_t at;
    double p;
  };

  [[nodiscard]] double places_in(const Segment& stretch) const {
    const std::size_t size = stretch.to - stretch.from;
    return size < 2 * least_ ? 0 : static_cast<double>(size - 2 * least_ + 1);
  }

  [[nodiscard]] Candidate best_of(const Segment& stretch, double tests) const {
    const std::size_t at = largest(stretch);
    return {stretch, at, test_at(sums_, stretch, at, correlation_).p * tests};
  }

  /// The median over stretches between a quarter and a half of the series: most hold one change at most.
  [[nodiscard]] double common_correlation() const {
    std::vector<double> found;
    for (const Segment& stretch : stretches_) {
      const std::size_t size = stretch.to - stretch.from, all = values_.size();
      const bool fits = 4 * size >= all && 2 * size <= all + 1;
      if (fits || stretches_.size() == 1) found.push_back(correlation_in(values_, stretch, largest(stretch)));
    }
    return found.empty() ? correlation_in(values_, stretches_[0], largest(stretches_[0])) : median(found);
  }

  /// The place that leaves least about the two means.
  [[nodiscard]] std::size_t largest(const Segment& segment) const {
    std::size_t best = kNone;
    double fewest = std::numeric_limits<double>::infinity();
    for (std::size_t at = segment.from + least_; at + least_ <= segment.to; ++at) {
      const double left = sums_.squares(segment.from, at) + sums_.squares(at, segment.to);
      if (best == kNone || left < fewest) best = at, fewest = left;
    }
    return best;
  }

  [[nodiscard]] ChangePoint describe(const Segment& segment, const std::pair<std::size_t, double>& place) const {
    const auto& [at, p] = place;
    const Test test = test_at(sums_, segment, at, correlation_);
    ChangePoint change;
    change.at = at;
    change.before = values_.front() + sums_.mean(segment.from, at);
    change.after = values_.front() + sums_.mean(at, segment.to);
    const double half = student_t_quantile((1 + kLevel) / 2, test.degrees) * test.error;
    change.lo = test.difference - half;
    change.hi = test.difference + half;
    change.p = p;
    std::tie(change.earliest, change.latest) = places_like(segment, at);
    return change;
  }

  /// Places whose likelihood is within the bound of the best one's.
  [[nodiscard]] std::pair<std::size_t, std::size_t> places_like(const Segment& segment, std::size_t at) const {
    // (1 - exp(-c / 2))^2 = level
    const double bound = -2 * std::log(1 - std::sqrt(kLevel));
    const double counts = static_cast<double>(segment.to - segment.from) * (1 - correlation_) / (1 + correlation_);
    const auto left = [&](std::size_t k) { return sums_.squares(segment.from, k) + sums_.squares(k, segment.to); };
    const double best = left(at);
    std::size_t earliest = at, latest = at;
    for (std::size_t k = segment.from + 1; k < segment.to && best > 0; ++k) {
      if (counts * std::log(left(k) / best) > bound) continue;
      earliest = std::min(earliest, k);
      latest = std::max(latest, k);
    }
    return {earliest, latest};
  }

  std::span<const double> values_;
  std::size_t least_;  ///< results on each side of a change
  Sums sums_;
  std::vector<Segment> stretches_;
  double correlation_ = 0;             ///< assumed
  std::vector<Candidate> candidates_;  ///< that pass
};

}  // namespace

LevelDifference level_difference(std::span<const double> values, const LevelSegment& before,
                                 const LevelSegment& after) {
  std::vector<double> both(values.begin() + static_cast<std::ptrdiff_t>(before.from),
                           values.begin() + static_cast<std::ptrdiff_t>(before.to));
  const std::size_t at = both.size();
  both.insert(both.end(), values.begin() + static_cast<std::ptrdiff_t>(after.from),
              values.begin() + static_cast<std::ptrdiff_t>(after.to));
  const Sums sums(both);
  const Segment whole{0, both.size()};
  const Test test = test_at(sums, whole, at, assumed_correlation(correlation_in(both, whole, at), both.size()));
  const double half = student_t_quantile((1 + kLevel) / 2, test.degrees) * test.error;
  return {test.difference, test.difference - half, test.difference + half};
}

std::vector<ChangePoint> change_points(std::span<const double> values, const ChangeSettings& settings) {
  return values.size() < 2 * settings.confirmed ? std::vector<ChangePoint>() : Search(values, settings).run();
}

}  // namespace assay
