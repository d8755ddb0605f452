// Rank-based comparison of two samples: Hodges-Lehmann shift with its interval, Mann-Whitney test, Cliff's delta.
// "treated" against "base": positive means that treated values are larger.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "assay/algo/bounds.hpp"
#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"

namespace assay {

/// Up to this many pairs (n times m) the null distribution of U is computed exactly, beyond it is taken as normal.
inline constexpr std::size_t kExactPairs = 2500;

/// Number of pairs in which the treated value is the larger one; ties count a half.
double mann_whitney_u(std::span<const double> base, std::span<const double> treated);

/// P(U = u) for u = 0 .. n * m when both samples come from one continuous distribution. Time and memory grow with
/// (n * m)^2 and n * m * m.
std::vector<double> mann_whitney_distribution(std::size_t n, std::size_t m);

/// Cliff's delta: P(treated > base) - P(treated < base) over all pairs, -1..1. NaN when a sample is empty.
double cliffs_delta(std::span<const double> base, std::span<const double> treated);

/// Two-sided p of the Mann-Whitney test: exact without ties up to kExactPairs, else from the normal distribution with
/// correction for ties and continuity. NaN when a sample is empty.
double mann_whitney_p(std::span<const double> base, std::span<const double> treated);

/// Interval of the Hodges-Lehmann shift from the order of the n * m differences treated - base: coverage is at least
/// `level` (0..1) for independent values up to kExactPairs, ties only make it wider than needed; beyond kExactPairs by
/// the normal distribution. Infinite when the samples are too small for the level (3 against 3 at 0.95), NaN when one
/// is empty.
Bounds hodges_lehmann_interval(std::span<const double> base, std::span<const double> treated, double level);

}  // namespace assay
