// Summaries of samples: mean, spread, quantiles.
//
// Samples may be in any order. An empty sample has no mean or quantile: the result is NaN.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace assay {

/// Arithmetic mean, summed in order; NaN when empty.
double mean(std::span<const double> x);

/// Sum of squared deviations from the mean; 0 for fewer than two values.
double squared_deviations(std::span<const double> x);

/// Sample standard deviation (divisor n - 1); 0 for one value, NaN when empty.
double sample_sd(std::span<const double> x);

/// Quantile of type 7 (Hyndman and Fan 1996: linear interpolation, R's default) of values sorted ascending.
/// 0 <= p <= 1; NaN when empty.
double quantile_sorted(std::span<const double> sorted, double p);

/// Like quantile_sorted, for values in any order, which it reorders: linear, for callers that own a scratch copy and
/// need few quantiles. NaN when empty.
double quantile_in_place(std::span<double> x, double p);

/// Like quantile_sorted, for values in any order, which it copies.
double quantile(std::span<const double> x, double p);

/// Quantile of type 2 (Hyndman and Fan 1996: inverse of the distribution function, averaged at its steps), as printed
/// by `nsys stats`. 0 <= p <= 1; NaN when empty.
double quantile_type2(std::span<const double> x, double p);

/// Median; reorders `x`. NaN when empty. For callers that own a scratch copy.
double median_in_place(std::span<double> x);

/// Median: the middle value, or the mean of the middle two. NaN when empty.
double median(std::span<const double> x);

}  // namespace assay
