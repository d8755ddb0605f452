// How many steps a run measures where the question leaves it open (steps = "{steps}"): two short runs before the first
// block say it.
#pragma once

#include <iosfwd>

#include "record/one_run.hpp"

namespace assay::record {

/// One of two runs of unequal length.
struct PilotRun {
  std::size_t steps = 0;
  double seconds = 0;  ///< starting included
  double measured_seconds = 0;
  double within = 0;  ///< PilotProfile::within
};

struct PilotRuns {
  PilotRun few, many;
  double between = 0;  ///< PilotProfiles::between
};

/// What a run takes, s: `start`, and for each step `step`, of which `measured`. The line through both runs; noise
/// between them never makes a step cheaper than what is measured of it, nor starting less than nothing.
struct RunCost {
  double start = 0, step = 0, measured = 0;
};
RunCost cost_of(const PilotRuns& pilot);

/// So many steps that starting takes at most half of a run, and that what the steps of a run vary moves the run by no
/// more than runs differ, in runs of at most `longest` seconds; at least one. Where a step costs more than twice what
/// is measured of it (its profile is written), half of a run can never be measured: then no more than the second asks
/// for, but not fewer than the pilot measured. Precondition: a part was measured.
std::size_t steps_for(const PilotRuns& pilot, double longest);

/// Chooses the steps of each question that leaves them open and has none in `state`, journals them there and says them
/// on `out`. Errors: a pilot run fails or is interrupted, its profiles do not say how long they measured, the journal
/// cannot be written.
Status choose_steps(const RecordContext& shop, const RecordOptions& options, State& state, std::ostream& out);

}  // namespace assay::record
