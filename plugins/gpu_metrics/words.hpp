// Sentences about the samples.
#pragma once

#include <string>
#include <vector>

#include "assay/sdk.hpp"
#include "emit.hpp"

namespace assay::gpu_metrics {

/// The effect of load on the clock: where it is lowest, and its value elsewhere. Empty: about constant, or unknown.
std::string clock_text(const DeviceParts& device);

std::vector<Finding> findings(const StudyView& view);

}  // namespace assay::gpu_metrics
