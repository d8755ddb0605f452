// Finds out whether a library may be loaded, in a process that it cannot harm.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// Opens a library, checks it and closes it again; returns the sentence that refuses it, empty: none.
using TryLibrary = std::function<std::string(const std::filesystem::path&)>;

/// Tries each file in its own process, for seconds at most and several in parallel: code of a library runs when it is
/// loaded, and may crash, hang or exit. Returns for each file the sentence that refuses it; empty: it may be loaded
/// here. Harmless files are recorded in the user's cache folder, by their state once that is settled and by their
/// bytes before, and are not tried again; without such a folder every file is tried each time.
std::vector<std::string> probe_libraries(std::span<const std::filesystem::path> files, const TryLibrary& try_library);

}  // namespace assay
