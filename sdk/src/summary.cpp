#include "assay/algo/summary.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace assay {

double mean(std::span<const double> x) {
  if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

double squared_deviations(std::span<const double> x) {
  const double centre = mean(x);
  double sum = 0;
  for (const double v : x) sum += (v - centre) * (v - centre);
  return x.size() < 2 ? 0 : sum;
}

double sample_sd(std::span<const double> x) {
  if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
  return x.size() < 2 ? 0 : std::sqrt(squared_deviations(x) / static_cast<double>(x.size() - 1));
}

double quantile_sorted(std::span<const double> sorted, double p) {
  assert(p >= 0 && p <= 1);
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double h = static_cast<double>(sorted.size() - 1) * p;
  const auto below = static_cast<std::size_t>(h);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = h - static_cast<double>(below);
  return part == 0 ? sorted[below] : sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

double quantile_in_place(std::span<double> x, double p) {
  assert(p >= 0 && p <= 1);
  if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double h = static_cast<double>(x.size() - 1) * p;
  const auto below = std::min(static_cast<std::size_t>(h), x.size() - 1);
  const auto place = x.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(x.begin(), place, x.end());
  const double part = h - static_cast<double>(below);
  if (part == 0 || below + 1 == x.size()) return *place;
  return *place + part * (*std::min_element(place + 1, x.end()) - *place);
}

double quantile(std::span<const double> x, double p) {
  std::vector<double> sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_sorted(sorted, p);
}

double quantile_type2(std::span<const double> x, double p) {
  assert(p >= 0 && p <= 1);
  if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end());
  const double np = static_cast<double>(sorted.size()) * p;
  // n * p is an integer up to rounding: take the step, as R does.
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::max(1.0, np);
  const double whole = std::floor(np + rounding);
  const auto j = static_cast<std::size_t>(whole);
  if (j >= sorted.size()) return sorted.back();
  if (j == 0) return sorted.front();
  const bool at_step = np - whole < rounding;
  return at_step ? sorted[j - 1] + (sorted[j] - sorted[j - 1]) / 2 : sorted[j];
}

double median_in_place(std::span<double> x) {
  if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  if (x.size() % 2 == 1) return *middle;
  const double below = *std::max_element(x.begin(), middle);
  return below + (*middle - below) / 2;
}

double median(std::span<const double> x) {
  std::vector<double> copy(x.begin(), x.end());
  return median_in_place(copy);
}

}  // namespace assay
