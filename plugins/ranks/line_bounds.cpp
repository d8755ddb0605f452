#include "line_bounds.hpp"

#include <algorithm>
#include <limits>

namespace assay::ranks {
namespace {

constexpr int kHalvings = 100;  // exhausts the precision of a double

/// Position of the maximum of a unimodal function in [from, to].
template <class Of>
double top_of(double from, double to, Of&& of) {
  for (int i = 0; i < kHalvings; ++i) {
    const double left = from + (to - from) / 3, right = to - (to - from) / 3;
    (of(left) < of(right) ? from : to) = of(left) < of(right) ? left : right;
  }
  return from + (to - from) / 2;
}

/// The last position from `inside`, where a condition is true, towards `outside` at which it still is.
template <class Holds>
double edge_of(double inside, double outside, Holds&& holds) {
  if (holds(outside)) return outside;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = inside + (outside - inside) / 2;
    (holds(middle) ? inside : outside) = middle;
  }
  return inside;
}

}  // namespace

void HalfHull::add(double x, double y) {
  constexpr std::size_t kBatch = 256;
  points_.push_back({x, sign_ * y});
  if (points_.size() > 2 * reduced_ + kBatch) reduce();
}

/// The lower hull, by the monotone chain algorithm.
void HalfHull::reduce() {
  std::sort(points_.begin(), points_.end(),
            [](const BoundPoint& a, const BoundPoint& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::size_t size = 0;
  for (const BoundPoint& p : points_) {
    if (size > 0 && points_[size - 1].x == p.x) continue;  // the lower of the two came first
    while (size > 1) {
      const BoundPoint &a = points_[size - 2], &b = points_[size - 1];
      if ((b.y - a.y) * (p.x - a.x) < (p.y - a.y) * (b.x - a.x)) break;
      --size;
    }
    points_[size++] = p;
  }
  points_.resize(size);
  reduced_ = size;
}

double HalfHull::limit(double slope) {
  if (reduced_ != points_.size()) reduce();
  double least = std::numeric_limits<double>::infinity();
  for (const BoundPoint& p : points_) least = std::min(least, p.y - sign_ * slope * p.x);
  return sign_ * least;
}

std::optional<std::pair<double, double>> LineBounds::slopes() {
  const double best = top_of(-kSteepest, kSteepest, [&](double slope) { return room(slope); });
  if (room(best) < 0) return std::nullopt;
  const auto fits = [&](double slope) { return room(slope) >= 0; };
  return std::pair(edge_of(best, -kSteepest, fits), edge_of(best, kSteepest, fits));
}

std::pair<double, double> LineBounds::range_at(double x, std::pair<double, double> slopes) {
  const auto least = [&](double slope) { return -(least_.limit(slope) + slope * x); };
  const auto most = [&](double slope) { return most_.limit(slope) + slope * x; };
  return {-least(top_of(slopes.first, slopes.second, least)), most(top_of(slopes.first, slopes.second, most))};
}

}  // namespace assay::ranks
