// The rival explanation of a jump: the run stops being launch-bound, rather than passing a value of the axis.
#pragma once

#include <optional>
#include <vector>

#include "shape.hpp"
#include "sweep.hpp"

namespace assay::cliff {

/// A run with its score for the rival: mean kernel time / median launch interval. Below 1 the device waits for the
/// host.
struct ScoredRun {
  std::size_t report = 0;
  std::size_t sweep = 0;  ///< index into the sweeps
  Observation observation;
  double axis = 0;  ///< value of the axis label
  double score = 0;
};

struct Rival {
  std::vector<ScoredRun> runs;  ///< runs with both metrics of the score
  double boundary = 0;          ///< metric value above which a run is above the widest gap
  std::size_t above = 0;        ///< runs that do
  Separation by_axis;           ///< one threshold for all strata, as in "the cliff is at 768"
  Separation by_score;          ///< the best threshold, not necessarily 1
  Separation by_launch_bound;   ///< the threshold 1, below which a run is launch-bound
  /// Number of runs with a score below 1.
  [[nodiscard]] std::size_t launch_bound() const;
};

/// Empty if fewer than three runs have a score, or their metric has no gap.
std::optional<Rival> rival_of(const StudyView& view, const std::vector<Sweep>& sweeps, std::string_view axis,
                              std::string_view numerator, std::string_view denominator);

}  // namespace assay::cliff
