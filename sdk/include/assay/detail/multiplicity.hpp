// Multiple comparisons: the level that they share, and p-values, which are printed as evidence and never decide.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace assay {

/// Level of each of `tests` intervals such that all cover together with probability at least `level` (Bonferroni).
double shared_level(std::size_t tests, double level);

/// Adjusted p-values of Benjamini and Hochberg (false discovery rate), in input order.
std::vector<double> benjamini_hochberg(std::span<const double> p);

}  // namespace assay
