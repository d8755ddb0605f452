// The section "What ran" of a page, and what other sections say of the device.
#pragma once

#include <string>

#include "assay/detail/page_sections.hpp"
#include "facts.hpp"

namespace assay::overview {
using namespace page;

/// "HIP" or "CUDA": AMD's runtime says its own name in the version.
std::string runtime_name(const Facts& facts);

/// Devices that ran something, by how often idle time counts the window.
double devices_of(const Facts& facts);

/// Program, device, profiler and capture, with what is not known said.
void add_setup(const Facts& facts, Sections& to);

}  // namespace assay::overview
