// Sweep and profiles of one study, joined cell by cell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "causes.hpp"
#include "crossings.hpp"
#include "pairs.hpp"
#include "spread.hpp"
#include "sweep.hpp"

namespace assay::tokens {

/// The tested batches of one set of labels (one image size).
struct SweepResult {
  Sweep sweep;
  Crossing crossing;
  std::optional<double> flop_reduction;
  std::string no_flop_reduction;  ///< why there is none
};

/// A pair of profiles with what the sweep says of the same cell.
struct PairResult {
  Pair pair;
  std::vector<Cause> causes;
  std::optional<std::size_t> sweep;  ///< its row of Analysis::sweeps
  std::optional<std::size_t> level;  ///< the batch's place in that sweep; nothing: not swept
  std::optional<std::size_t> cell;   ///< row of Analysis::cells
};

struct CellResult {
  Cell cell;
  std::optional<CombinedSpeedup> combined;
};

struct Analysis {
  std::vector<SweepResult> sweeps;
  std::vector<PairResult> pairs;
  std::vector<CellResult> cells;  ///< every cell that a sweep or a pair measured on both sides
  PooledSpread spread;
  Sweeps read;  ///< what was left out of the sheets
  std::vector<Unmatched> unmatched;
  double level = 0.95;  ///< of every interval
};

Analysis analyse(const StudyView& view, const Design& design, const Criteria& criteria, double opaque_limit);

}  // namespace assay::tokens
