// Sweep and profiles of one study, joined cell by cell.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/crossover.hpp"
#include "pairs.hpp"
#include "spread.hpp"
#include "sweep.hpp"

namespace assay::tokens {

struct LevelSpeedup {
  double batch = 0;
  std::string text;    ///< as in dims
  double speedup = 0;  ///< median throughput with the reduction over that without
  std::size_t base_rows = 0, treated_rows = 0;
  Bounds bounds;  ///< NaN if the levels have one row per model
};

struct Crossing {
  std::vector<LevelSpeedup> levels;  ///< ascending
  Crossover crossover;               ///< levels by their index in `levels`
};

/// If every level has repeated rows of both models, the bounds come from their spread, pooled over the levels.
Crossing crossing_of(const Sweep& sweep, double level_of_bounds);

/// Thresholds and remedies, from the options.
struct Criteria {
  double more_kernels = 1.05;  ///< kernels per forward pass, reduced over base
  double launch_bound = 0;     ///< share of the reduced run's kernels that waited for the host
  double low_utilization = 0;  ///< GPU busy time over period of the reduced run
  double dynamic_share = 0;    ///< added time of dynamic kernels over GPU busy time of the reduced run
  double memory_share = 0;     ///< memory time over GPU busy time of the reduced run
  std::string dynamic_remedy = {};
};

enum class Status { kConfirmed, kNotConfirmed, kNotTestable };

constexpr std::string_view status_name(Status status) {
  constexpr std::array<std::string_view, 3> names = {"confirmed", "not confirmed", "not testable"};
  return names[static_cast<std::size_t>(status)];
}

struct Cause {
  std::string id;     ///< as in dims: launches, utilization, dynamic_operations, memory
  std::string title;  ///< display name: "more launches"
  Status status = Status::kNotTestable;
  std::string evidence;   ///< clause with the numbers, or with what is missing
  std::string criterion;  ///< clause with the thresholds
  std::string remedy;     ///< what to do if it is confirmed
};

/// The four hypotheses in the order of the guide.
std::vector<Cause> causes_of(const Pair& pair, const Criteria& criteria);

/// The tested batches of one set of labels (one image size).
struct SweepResult {
  Sweep sweep;
  Crossing crossing;
  std::optional<double> flop_reduction;
  std::string no_flop_reduction;  ///< why there is none
};

/// A pair of profiles with the sweep's results for the same cell.
struct PairResult {
  Pair pair;
  std::vector<Cause> causes;
  std::optional<std::size_t> sweep;  ///< its row of Analysis::sweeps
  std::optional<std::size_t> level;  ///< the index of the batch in that sweep; empty: not swept
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
  Sweeps read;  ///< what was excluded from the sheets
  std::vector<UnmatchedReport> unmatched;
  double level = 0.95;  ///< of every interval
};

Analysis analyse(const StudyView& view, const Design& design, const Criteria& criteria);

}  // namespace assay::tokens
