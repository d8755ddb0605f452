// How many steps a run measures where the question leaves it open (steps = "{steps}"): two short runs before the first
// block say it.
#pragma once

#include <iosfwd>

#include "record/one_run.hpp"

namespace assay::record {

/// Two runs of equally many steps.
struct PilotRuns {
  std::size_t steps = 0;
  double run_seconds = 0;  ///< of one, starting included
  PilotProfiles profiles;
};

/// So many steps that starting takes at most half of a run, and that what the steps of a run vary moves the run by no
/// more than runs differ, in runs of at most `longest` seconds; at least one. Precondition: a part was measured.
std::size_t steps_for(const PilotRuns& pilot, double longest);

/// Chooses the steps of each question that leaves them open and has none in `state`, journals them there and says them
/// on `out`. Errors: a pilot run fails or is interrupted, its profiles do not say how long they measured, the journal
/// cannot be written.
Status choose_steps(const RecordContext& shop, const RecordOptions& options, State& state, std::ostream& out);

}  // namespace assay::record
