// From a claim to its runs, and from those to verdicts.
#pragma once

#include "assay/algo/contrast.hpp"
#include "assay/output.hpp"
#include "claim.hpp"
#include "claimed_effects.hpp"

namespace assay::claims {

/// A claim with its runs: one cell per stratum of the verdict.
struct ClaimRuns {
  Claim claim;
  std::vector<ClaimCell> cells;           ///< with the runs that have the metric
  std::vector<UnmatchedReport> left_out;  ///< runs without a partner, or excluded because a label is not borne out

  /// Whether the runs of a cell have the claimed metric, for a ratio on both sides and with equal work. Otherwise the
  /// cell is untestable.
  [[nodiscard]] bool is_measured(const ClaimCell& cell) const {
    if (!cell.unlike.empty()) return false;
    return cell.fact || (!cell.treated.empty() && (claim.compare != Compare::kRatio || !cell.base.empty()));
  }
  /// Number of measured cells, which share the error level.
  [[nodiscard]] std::size_t measured() const;
};

/// Finds the runs. No cells: nothing to test, and `left_out` may have the reason.
ClaimRuns gather(const StudyView& view, Claim claim);

/// How much runs of one program differ in the claimed metric; never pooled across the label under test (statistics.md).
/// Unknown without repeated runs.
NoiseFloor floor_of(const StudyView& view, const ClaimRuns& gathered);

class RecordedNoise;

/// Judges every cell at the given confidence level, emits the verdict and adds the effects that it rests on.
void emit_verdict(const StudyView& view, const ClaimRuns& gathered, const NoiseFloor& floor, const RecordedNoise& noise,
                  double level, ClaimedEffects& effects, StudySink& sink);

/// A note for each recorded metric with a claim: the A/A pair with its interval at the level of a claim.
void note_twins(const StudyView& view, const std::vector<ClaimRuns>& gathered, const std::vector<NoiseFloor>& floors,
                const RecordedNoise& noise, double level, StudySink& sink);

/// One note with the known noise floors of all claims, the largest per metric; none if all are unknown. `floors` belong
/// to `gathered`.
void note_noise_floors(const std::vector<ClaimRuns>& gathered, const std::vector<NoiseFloor>& floors, StudySink& sink);

}  // namespace assay::claims
