// The order of the stages if profiles do not name who sends to whom (Nsight Systems).
#pragma once

#include <vector>

#include "rows.hpp"

namespace assay::pipeline {

/// The only chain of the job, by the times at which its ranks begin to compute in every step from `first` on: one rank
/// computes first, the others compute one after the other, each after a message. Empty if the ranks do not.
std::vector<stages::Chain> chain_by_begins(const JobRows& job, std::size_t first);

/// [rank][event]: the whole event if it is a message whose peer is not named: how much of it is transfer is unknown.
std::vector<std::vector<std::int64_t>> unnamed_waits(const JobRows& job, std::size_t step);

}  // namespace assay::pipeline
