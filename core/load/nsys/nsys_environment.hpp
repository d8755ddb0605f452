// Where an export of Nsight Systems was made.
#pragma once

#include <filesystem>

#include "load/environment.hpp"

namespace assay::load {

/// Reads small tables of an export. Never fails and takes bounded time: what cannot be read is not there.
Environment nsys_environment(const std::filesystem::path& file);

}  // namespace assay::load
