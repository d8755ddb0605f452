// The section "What ran" of a page, and device properties used by other sections.
#pragma once

#include <string>

#include "algo/page_sections.hpp"
#include "facts.hpp"

namespace assay::overview {
using namespace page;

/// "HIP" or "CUDA": AMD's runtime includes its name in the version.
std::string runtime_name(const Facts& facts);

/// Number of devices that ran work, over which idle time is summed.
double devices_of(const Facts& facts);

/// Program, device, profiler and capture, stating what is unknown.
void add_setup(const Facts& facts, Sections& to);

}  // namespace assay::overview
