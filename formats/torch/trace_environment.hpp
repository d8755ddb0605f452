// Where a trace of the PyTorch profiler was made.
#pragma once

#include <filesystem>

#include "load/environment.hpp"

namespace assay::load {

/// Reads the head of a trace. Never fails and takes bounded time: what cannot be read is not there.
Environment trace_environment(const std::filesystem::path& file);

}  // namespace assay::load
