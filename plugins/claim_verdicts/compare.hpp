// From a claim to the runs it speaks of, and from those to verdicts.
#pragma once

#include "assay/algo/contrast.hpp"
#include "assay/output.hpp"
#include "claim.hpp"

namespace assay::claims {

/// A claim with the runs that bear on it: one cell a stratum of its verdict.
struct ClaimRuns {
  Claim claim;
  std::vector<ClaimCell> cells;           ///< with the runs that have the metric
  std::vector<UnmatchedReport> left_out;  ///< runs without a partner, or taken out because a label is not borne out

  /// Whether the runs of a cell have what is claimed, on both sides of a ratio, and did the same work. Else the cell is
  /// untestable.
  [[nodiscard]] bool is_measured(const ClaimCell& cell) const {
    if (!cell.unlike.empty()) return false;
    return cell.fact || (!cell.treated.empty() && (claim.compare != Compare::kRatio || !cell.base.empty()));
  }
  /// Cells that are: those share the error level.
  [[nodiscard]] std::size_t measured() const;
};

/// Finds the runs. No cells: nothing to test, and `left_out` may say why.
ClaimRuns gather(const StudyView& view, Claim claim);

/// How far runs of one program differ on what is claimed; never pooled across the label under test (statistics.md).
/// Not known without runs to compare.
NoiseFloor floor_of(const StudyView& view, const ClaimRuns& gathered);

class RecordedNoise;

/// Judges every cell at the given level of the interval and hands the verdict to the sink.
void emit_verdict(const StudyView& view, const ClaimRuns& gathered, const NoiseFloor& floor, const RecordedNoise& noise,
                  double level, StudySink& sink);

/// A note for each recorded metric that is claimed: the A/A pair with its interval at the level of a claim.
void note_twins(const StudyView& view, const std::vector<ClaimRuns>& gathered, const std::vector<NoiseFloor>& floors,
                const RecordedNoise& noise, double level, StudySink& sink);

/// One note with the known floors of all claims, the largest of each metric; none where nothing is known. `floors` are
/// those of `gathered`.
void note_noise_floors(const std::vector<ClaimRuns>& gathered, const std::vector<NoiseFloor>& floors, StudySink& sink);

}  // namespace assay::claims
