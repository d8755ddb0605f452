#include "estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "assay/algo/stats.hpp"

namespace assay::timing {
namespace {

constexpr std::size_t kEnough = 20;  // passes for a bootstrap
/// Standard error of the median over that of the mean, for many values of a normal distribution.
const double kMedianFactor = std::sqrt(std::numbers::pi / 2);

template <class Middle>
Estimate estimate_of(std::span<const double> passes, double level, double student_factor, Middle middle) {
  std::vector<double> copy(passes.begin(), passes.end());
  const double value = middle(std::span<double>(copy));
  if (passes.size() < 2) return single_value(value);
  if (passes.size() >= kEnough) {
    const std::array all = {passes};
    BootstrapPlan plan;
    plan.level = level;
    const Bounds bounds = bootstrap_bca(
        std::span<const std::span<const double>>(all),
        [&](std::span<const std::span<double>> resample) { return middle(resample[0]); }, plan);
    if (bounds.finite()) return {value, std::min(bounds.lo, value), std::max(bounds.hi, value), passes.size()};
  }
  const auto n = static_cast<double>(passes.size());
  const double half = student_t_quantile((1 + level) / 2, n - 1) * student_factor * sample_sd(passes) / std::sqrt(n);
  return {value, value - half, value + half, passes.size()};
}

}  // namespace

Estimate single_value(double ns) { return {ns, ns, ns, 1}; }

Estimate median_of(std::span<const double> passes, double level) {
  return estimate_of(passes, level, kMedianFactor, [](std::span<double> x) { return median_in_place(x); });
}

Estimate mean_of(std::span<const double> passes, double level) {
  return estimate_of(passes, level, 1, [](std::span<double> x) { return mean(x); });
}

Agreement agreement(const Estimate& program, const Estimate& traced, double within, double open_above) {
  const double off = program.ns - traced.ns;
  if (std::abs(off) <= within * traced.ns) return Agreement::kAgrees;
  const double uncertain = off > 0 ? root_of_squares(program.ns - program.low, traced.high - traced.ns)
                                   : root_of_squares(program.high - program.ns, traced.ns - traced.low);
  if (std::abs(off) > uncertain) return off > 0 ? Agreement::kLonger : Agreement::kShorter;
  return uncertain <= open_above * traced.ns ? Agreement::kAgrees : Agreement::kOpen;
}

}  // namespace assay::timing
