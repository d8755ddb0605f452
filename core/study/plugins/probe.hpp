// Whether a library may be loaded, found out where it can do no harm.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace assay {

/// Opens a library, checks it and closes it again; the sentence that refuses it, empty when nothing is wrong.
using TryLibrary = std::function<std::string(const std::filesystem::path&)>;

/// Tries each file in a process of its own, for seconds at most and several at a time: code of a library runs when it
/// is loaded, and it may crash, wait for ever, or end its process. For each file the sentence that refuses it; empty
/// when it may be loaded here. A file that was loaded and closed again without harm is remembered in the user's
/// cache folder, by its state once that is settled and by its bytes before, and not tried again; without such a folder
/// every file is tried each time.
std::vector<std::string> probe_libraries(std::span<const std::filesystem::path> files, const TryLibrary& try_library);

}  // namespace assay
