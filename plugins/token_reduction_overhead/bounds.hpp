// What bounds the kernels that the reduction adds, where counters of Nsight Compute tell.
#pragma once

#include <optional>

#include "assay/output.hpp"
#include "pairs.hpp"

namespace assay::tokens {

/// Evidence for one pair; nothing when no reduced run of it has counters, or nothing is added.
std::optional<Finding> bounds_of_added(const StudyView& view, const Pair& pair, const Design& design);

}  // namespace assay::tokens
