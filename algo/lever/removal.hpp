// Replayable runs without a removable cost.
#pragma once

#include "algo/lever/lever.hpp"
#include "algo/lever/program.hpp"
#include "assay/algo/kernel_classes.hpp"

namespace assay::lever {

/// The levers of a program that may gain anything: each is worth a replay.
std::vector<Lever> candidates(const Program& program, const NameRules& classes);

/// Changes the lags of `graph`: that of the program, or one with the same points. Returns how many calls, pieces of
/// host code and kernels are meant.
std::size_t remove(const Lever& lever, const Program& program, replay::Graph& graph, const NameRules& classes);

}  // namespace assay::lever
