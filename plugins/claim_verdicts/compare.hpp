// From a claim to the runs it speaks of, and from those to verdicts.
#pragma once

#include <utility>

#include "assay/algo/contrast.hpp"
#include "assay/output.hpp"
#include "claim.hpp"

namespace assay::claims {

/// A claim with the runs that bear on it: one cell a stratum of its verdict.
struct Gathered {
  Claim claim;
  std::vector<Stratum> cells;       ///< level: runs in `treated`; ratio: both sides; step: all runs of the axis in
                                    ///< `treated`; study: one row of Study::facts in `treated`
  std::vector<Unmatched> left_out;  ///< runs without a partner, or taken out because a label is not borne out
};

/// Finds the runs. No cells: nothing to test, and `left_out` may say why.
Gathered gather(const StudyView& view, Claim claim);

/// Judges every cell at the given level of the interval and hands the verdict to the sink.
void give_verdict(const StudyView& view, const Gathered& gathered, double level, StudySink& sink);

}  // namespace assay::claims
