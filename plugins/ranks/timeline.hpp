// Data for a timeline of all ranks: the clock of each rank, and the kernels of each collective.
#pragma once

#include "clocks.hpp"

namespace assay::ranks {

/// The table `clocks` has a row per rank with rows: its report, the conversion of its times to those of the first rank
/// (time + base, plus `offset`, plus `slope` per ns since `pivot`), whether it is aligned, and how well, in words. The
/// table `matched` has a row per collective and rank.
void emit_timeline(const JobRows& job, const Matches& matches, const Waits& waits, const Clocks& clocks, JobSink& sink);

/// Relation of a rank's clock to the first rank's, as a clause.
std::string alignment_text(const JobRows& job, const Clocks& clocks, std::size_t rank);

}  // namespace assay::ranks
