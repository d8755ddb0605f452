// What a timeline of all ranks needs: where each rank's clock stands, and which kernels are one collective.
#pragma once

#include "clocks.hpp"

namespace assay::ranks {

/// The table `clocks`, a row for each rank that has rows: its report, what turns a time of its file into one of the
/// first rank's (time + base, then `offset` more and `slope` with every ns since `pivot`), whether that is aligned, and
/// how well, in words. The table `matched`: a row for each collective on each of its ranks.
void emit_timeline(const JobRows& job, const Matches& matches, const Waits& waits, const Clocks& clocks, JobSink& sink);

/// How a rank's clock stands to the first rank's, a clause.
std::string alignment_text(const JobRows& job, const Clocks& clocks, std::size_t rank);

}  // namespace assay::ranks
