// Parts of a page that say how close kernels and operators come to the limits of the device.
#pragma once

#include <filesystem>
#include <optional>

#include "look/page.hpp"
#include "look/report_facts.hpp"

namespace assay::look {

/// Kernels by their counters: how close each comes to the peak of the SMs and of the memory.
std::optional<Part> bound_part(const ReportResult& report);

/// Kernels by their counters: what a launch moved and computed, and where that is in the roofline.
std::optional<Part> counted_part(const ReportResult& report);

/// What Nsight Compute's own rules estimate to gain, largest first, of the launches of a .ncu-rep; nothing for other
/// files, and where it estimates none.
std::optional<Part> rules_part(const std::filesystem::path& file);

/// Operators that are farthest above their roof, and how much of what the device could compute a step asked for.
std::optional<Part> roof_part(const Facts& facts, const ReportResult& report);

}  // namespace assay::look
