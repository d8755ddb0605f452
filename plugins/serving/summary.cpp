#include "summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/algo/summary.hpp"

namespace assay::serving {

Quantiles quantiles_of(std::vector<double> values) {
  constexpr std::size_t kMinP95 = 20, kMinP99 = 100;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const auto at = [&](double p, std::size_t least) {
    return values.size() < least ? kNone : quantile_sorted(values, p);
  };
  return {static_cast<std::int64_t>(values.size()), at(0.5, 1), at(0.95, kMinP95), at(0.99, kMinP99), at(1, 1)};
}

void each_quantile(const Quantiles& of, const std::function<void(std::string_view name, double value)>& use) {
  for (const auto& [name, value] : {std::pair("p50", of.p50), {"p95", of.p95}, {"p99", of.p99}, {"max", of.max}}) {
    if (!std::isnan(value)) use(name, value);
  }
}

void emit_quantiles(ReportSink& sink, std::string_view metric, const Quantiles& of, const Dims& dims) {
  each_quantile(of, [&](std::string_view name, double value) {
    Dims all = dims;
    sink.fact(metric, value, all.add("quantile", name));
  });
}

}  // namespace assay::serving
