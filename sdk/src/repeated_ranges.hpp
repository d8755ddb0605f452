// Recognises which ranges are the steps of a process.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/detail/step_finder.hpp"
#include "launches_in_order.hpp"

namespace assay::step {

/// By row of processes; none where nothing qualifies.
struct RecognisedSteps {
  StepSource source = StepSource::kWhole;
  std::vector<StepPlace> places;
};

/// The marks of the profiler ("ProfilerStep#3"), else the outermost family of ranges that qualifies. A family are the
/// ranges of one thread with one folded name, without those inside another of it. It qualifies if it has three ranges
/// (one, if it is called as steps usually are: "step_3", "iter 3"), if they overlap by at most 1 % of their length, and
/// if at least half of the device time that the process launches is launched while they last, by any thread. Families
/// called after what holds steps (epoch, request, run) count only where none is called after a step (step, iter,
/// decode, batch, token). Of two at one depth the one with more device time. Source: the contract of steps in
/// docs/glossary.md.
std::vector<RecognisedSteps> recognise_steps(const Report& report, const std::vector<Launches>& launches);

}  // namespace assay::step
