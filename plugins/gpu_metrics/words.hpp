// What the samples say, in sentences.
#pragma once

#include <string>
#include <vector>

#include "assay/sdk.hpp"
#include "emit.hpp"

namespace assay::gpu_metrics {

/// What load does to the clock: where it is lowest, and how high it is elsewhere. Empty: it is about the same
/// everywhere, or not known.
std::string clock_text(const DeviceParts& device);

std::vector<Finding> findings(const StudyView& view);

}  // namespace assay::gpu_metrics
