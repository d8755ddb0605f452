// Rank-based comparison of two samples: Hodges-Lehmann shift with its interval, Mann-Whitney test, Cliff's delta.
// Positive means that treated values are larger than base values.
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

/// Up to this many pairs (n times m) the null distribution of U is computed exactly, beyond that approximated as
/// normal.
inline constexpr std::size_t kExactPairs = 2500;

/// Number of pairs in which the treated value is larger; ties count one half.
double mann_whitney_u(std::span<const double> base, std::span<const double> treated);

/// P(U = u) for u = 0 .. n * m if both samples come from one continuous distribution. Time grows with (n * m)^2, memory
/// with n * m * m.
std::vector<double> mann_whitney_distribution(std::size_t n, std::size_t m);

/// Cliff's delta: P(treated > base) - P(treated < base) over all pairs, -1..1. NaN if a sample is empty.
double cliffs_delta(std::span<const double> base, std::span<const double> treated);

/// Two-sided p of the Mann-Whitney test: exact without ties up to kExactPairs, else normal with correction for ties and
/// continuity. NaN if a sample is empty.
double mann_whitney_p(std::span<const double> base, std::span<const double> treated);

/// Interval of the Hodges-Lehmann shift from order statistics of the n * m differences treated - base: coverage is at
/// least `level` (0..1) for independent values up to kExactPairs (ties only widen it); beyond kExactPairs by the normal
/// distribution. Infinite if the samples are too small for the level (3 against 3 at 0.95), NaN if one is empty.
Bounds hodges_lehmann_interval(std::span<const double> base, std::span<const double> treated, double level);

}  // namespace assay
