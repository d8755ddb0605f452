// Quantiles, as far as the number of values allows.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "assay/output.hpp"

namespace assay::serving {

/// Of values in ns, type 7. NaN with too few values: p95 needs 20, p99 needs 100, all others one.
struct Quantiles {
  std::int64_t count = 0;
  double p50 = 0, p95 = 0, p99 = 0, max = 0;
};

Quantiles quantiles_of(std::vector<double> values);

/// Calls `use(name, value)` for known quantiles: "p50", "p95", ...
void each_quantile(const Quantiles& of, const std::function<void(std::string_view name, double value)>& use);

/// A fact for each; without samples, because a run has one of each.
void emit_quantiles(ReportSink& sink, std::string_view metric, const Quantiles& of, const Dims& dims = {});

}  // namespace assay::serving
