// Where a PyTorch profiler trace was made.
#pragma once

#include <filesystem>

#include "load/environment.hpp"

namespace assay::load {

/// Reads the head of a trace. Never fails and takes bounded time; unreadable values are omitted.
Environment trace_environment(const std::filesystem::path& file);

}  // namespace assay::load
