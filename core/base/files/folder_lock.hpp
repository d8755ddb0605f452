// One writer of a folder at a time.
#pragma once

#include <chrono>
#include <filesystem>

#include "files/descriptor.hpp"
#include "result.hpp"

namespace assay::files {

/// Waits at most `patience` for others. Not open when the folder is not there (any more). Error (exit 3): another
/// process holds it; the sentence says which, where the system tells.
Result<Descriptor> lock_folder(const std::filesystem::path& folder, std::chrono::milliseconds patience);

}  // namespace assay::files
