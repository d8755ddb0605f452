// Where an export of Nsight Systems was made.
#pragma once

#include <string_view>

#include "load/format.hpp"

namespace assay::load {

/// Reads small tables of an export. Never fails and takes bounded time: what cannot be read is not there.
Environment nsys_environment(const Candidate& file);

/// The value of a variable as the program had it, of what nsys writes of it: `0` of `"0"`.
std::string_view bare_variable(std::string_view written);

}  // namespace assay::load
