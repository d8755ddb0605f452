// Quantiles as far as so many values have them.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "assay/output.hpp"

namespace assay::serving {

/// Of values in ns, type 7. NaN where there are too few: of fewer than 20 p95, of fewer than 100 p99, of none all.
struct Quantiles {
  std::int64_t count = 0;
  double p50 = 0, p95 = 0, p99 = 0, max = 0;
};

Quantiles quantiles_of(std::vector<double> values);

/// Calls `use(name, value)` for those that are known: "p50", "p95", ...
void each_quantile(const Quantiles& of, const std::function<void(std::string_view name, double value)>& use);

/// A fact of each; without samples, because a run has one of each.
void emit_quantiles(ReportSink& sink, std::string_view metric, const Quantiles& of, const Dims& dims = {});

}  // namespace assay::serving
