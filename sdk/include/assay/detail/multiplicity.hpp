// Many comparisons at once: the level that they share, and p-values, which are printed as evidence and never decide.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace assay {

/// Level of each of `tests` intervals, so that all of them together err with probability 1 - `level` at most.
double shared_level(std::size_t tests, double level);

/// Adjusted p-values of Benjamini and Hochberg (false discovery rate), in the order given.
std::vector<double> benjamini_hochberg(std::span<const double> p);

}  // namespace assay
