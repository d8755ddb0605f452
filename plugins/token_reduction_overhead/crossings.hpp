// From the tested batches of a sweep to speed-ups and the batch from which the reduction wins.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/crossover.hpp"
#include "sweep.hpp"

namespace assay::tokens {

struct LevelSpeedup {
  double batch = 0;
  std::string text;    ///< as in dims
  double speedup = 0;  ///< median throughput with the reduction over that without
  std::size_t base_rows = 0, treated_rows = 0;
  Bounds bounds;  ///< NaN where the levels have one row a model
};

struct Crossing {
  std::vector<LevelSpeedup> levels;  ///< ascending
  Crossover crossover;               ///< levels by their place in `levels`
};

/// Where every level has repeated rows of both models, the bounds come from their spread, pooled over the levels.
Crossing crossing_of(const Sweep& sweep, double level_of_bounds);

}  // namespace assay::tokens
