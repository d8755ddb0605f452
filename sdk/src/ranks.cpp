#include "assay/detail/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

namespace assay {

double mann_whitney_u(std::span<const double> base, std::span<const double> treated) {
  std::vector<double> sorted(base.begin(), base.end());
  std::sort(sorted.begin(), sorted.end());
  double u = 0;
  for (const double t : treated) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), t);
    u += static_cast<double>(first - sorted.begin()) + 0.5 * static_cast<double>(last - first);
  }
  return u;
}

std::vector<double> mann_whitney_distribution(std::size_t n, std::size_t m) {
  // by_m[j] is the distribution for (i, j). The largest of i + j values is one of the i with probability i / (i + j),
  // and then exceeds all j others.
  std::vector<std::vector<double>> by_m(m + 1, std::vector<double>{1.0});
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = 1; j <= m; ++j) {
      const double mine = static_cast<double>(i) / static_cast<double>(i + j);
      std::vector<double> next(i * j + 1, 0.0);
      for (std::size_t u = 0; u < by_m[j].size(); ++u) next[u + j] += mine * by_m[j][u];
      for (std::size_t u = 0; u < by_m[j - 1].size(); ++u) next[u] += (1 - mine) * by_m[j - 1][u];
      by_m[j] = std::move(next);
    }
  }
  return by_m[m];
}

double cliffs_delta(std::span<const double> base, std::span<const double> treated) {
  const double pairs = static_cast<double>(base.size()) * static_cast<double>(treated.size());
  return 2 * mann_whitney_u(base, treated) / pairs - 1;
}

double mann_whitney_p(std::span<const double> base, std::span<const double> treated) {
  if (base.empty() || treated.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> all(base.begin(), base.end());
  all.insert(all.end(), treated.begin(), treated.end());
  std::sort(all.begin(), all.end());
  double ties = 0;  // sum of t^3 - t over groups of equal values
  for (auto i = all.begin(); i != all.end();) {
    const auto next = std::upper_bound(i, all.end(), *i);
    const auto t = static_cast<double>(next - i);
    ties += t * t * t - t;
    i = next;
  }
  const double pairs = static_cast<double>(base.size()) * static_cast<double>(treated.size());
  const double u = mann_whitney_u(base, treated);
  if (ties == 0 && base.size() * treated.size() <= kExactPairs) {
    const std::vector<double> null = mann_whitney_distribution(base.size(), treated.size());
    const auto nearer_end = static_cast<std::size_t>(std::min(u, pairs - u));
    double tail = 0;
    for (std::size_t i = 0; i <= nearer_end; ++i) tail += null[i];
    return std::min(1.0, 2 * tail);
  }
  const auto n = static_cast<double>(all.size());
  const double variance = pairs / 12 * (n + 1 - ties / (n * (n - 1)));
  if (!(variance > 0)) return 1;
  const double z = std::max(0.0, std::abs(u - pairs / 2) - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::numbers::sqrt2);
}

Bounds hodges_lehmann_interval(std::span<const double> base, std::span<const double> treated, double level) {
  if (base.empty() || treated.empty()) return {};
  const std::size_t n = base.size(), m = treated.size(), pairs = n * m;
  const double tail = (1 - level) / 2;
  std::size_t outside = 0;  // differences excluded at each end: the largest k with P(U < k) <= tail
  if (pairs <= kExactPairs) {
    const std::vector<double> null = mann_whitney_distribution(n, m);
    // 1 - 0.95 is not exactly 0.05: tail probabilities equal to the level up to rounding are accepted.
    for (double below = null[0]; below <= tail * (1 + 1e-12); below += null[outside]) ++outside;
  } else {
    const double centre = static_cast<double>(pairs) / 2;
    const double sd = std::sqrt(static_cast<double>(pairs) * static_cast<double>(n + m + 1) / 12);
    outside = static_cast<std::size_t>(std::max(0.0, std::floor(centre + 0.5 + normal_quantile(tail) * sd)));
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (outside == 0) return {-infinity, infinity};
  std::vector<double> differences;
  differences.reserve(pairs);
  for (const double t : treated) {
    for (const double b : base) differences.push_back(t - b);
  }
  const auto at = [&](std::size_t rank) {
    const auto place = differences.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(differences.begin(), place, differences.end());
    return *place;
  };
  return {at(outside - 1), at(pairs - outside)};
}

}  // namespace assay
