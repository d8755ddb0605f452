// What Nsight Compute itself says of kernels.
#pragma once

#include <optional>

#include "catalog/catalog.hpp"
#include "look/page.hpp"

namespace assay::look {

/// What Nsight Compute's own rules estimate to gain, largest first, of the launches of a .ncu-rep; nothing for other
/// files, and where it estimates none.
std::optional<PageSection> rules_part(const FoundFile& file);

}  // namespace assay::look
