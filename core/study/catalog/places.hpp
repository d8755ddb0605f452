// What the arguments of a command name: the one place where they become files.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "files/walk.hpp"
#include "result.hpp"

namespace assay {

/// Trees of the places: files, folders, and globs of both; of a result, the folders that it was made of; a leading "~"
/// is the home folder. A name is itself first: something called "a*" is no glob. Files of one folder share a tree,
/// which also has the counters of the same runs beside them. Errors (exit 2): a place that does not exist, a result
/// whose profiles are gone.
Result<std::vector<Tree>> trees_at(std::span<const std::filesystem::path> places);

/// There is no profile at the places: what they hold instead, and what is expected.
Error no_report_in(std::span<const std::filesystem::path> places);

}  // namespace assay
