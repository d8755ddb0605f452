// Results of Nsight Compute's own rules.
#pragma once

#include <optional>

#include "catalog/catalog.hpp"
#include "look/page.hpp"

namespace assay::look {

/// Gains estimated by Nsight Compute's rules for the launches of a .ncu-rep, largest first; empty for other files, or
/// without estimates.
std::optional<PageSection> rules_part(const FoundFile& file);

}  // namespace assay::look
