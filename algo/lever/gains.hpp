// Replays a run without each of its levers.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/lever/lever.hpp"
#include "algo/lever/program.hpp"
#include "algo/replay/replay.hpp"
#include "assay/algo/kernel_classes.hpp"

namespace assay::lever {

/// Whether a replay without a change tells what changes gain: its steady steps take as long as those in the profile, by
/// at most 3 %. They do not where work of a step runs beside that of others, as copies that are a step ahead.
bool is_faithful(const replay::Graph& graph, const std::vector<std::int64_t>& steady);

/// The gains of `levers` in the mean step, largest first. `graph`: that of the program; it is as it was afterwards.
/// `before`: its steady lengths, ns. `memory`: of times that are no longer needed.
std::vector<Gain> gains_of(const std::vector<Lever>& levers, const Program& program, replay::Graph& graph,
                           const std::vector<std::int64_t>& before, replay::ReplayTimes memory,
                           const NameRules& classes);

}  // namespace assay::lever
