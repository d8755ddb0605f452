// Exports of Nsight Systems by the folders that hold them.
#pragma once

#include <filesystem>
#include <vector>

#include "result.hpp"

namespace assay {

/// The files as named, and in the place of a folder the SQLite exports of nsys below it, sorted by path. Error: a
/// folder without any.
Result<std::vector<std::filesystem::path>> exports_at(const std::vector<std::filesystem::path>& places);

}  // namespace assay
