// One writer of a folder at a time.
#pragma once

#include <chrono>
#include <filesystem>

#include "files/descriptor.hpp"
#include "result.hpp"

namespace assay::files {

/// Locks the folder; waits at most `patience` for another holder. Not open if the folder does not exist (any more).
/// Error (exit 3): another process holds the lock; the message names it if the system does.
Result<Descriptor> lock_folder(const std::filesystem::path& folder, std::chrono::milliseconds patience);

}  // namespace assay::files
