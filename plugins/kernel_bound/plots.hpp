// Kernels in the roofline of the device on which they were counted.
#pragma once

#include <optional>
#include <vector>

#include "assay/plot.hpp"
#include "words.hpp"

namespace assay::bound {

/// One point per kernel whose FLOPs, DRAM bytes and duration were counted; nothing without any.
std::optional<Plot> kernel_roofline(const StudyView& view, const std::vector<RunBounds>& runs);

}  // namespace assay::bound
