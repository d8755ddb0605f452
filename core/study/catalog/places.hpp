// Resolves the arguments of commands to files; the only place that does.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "files/walk.hpp"
#include "result.hpp"

namespace assay {

/// Trees for the places: files, folders, and globs of both; for a result, the folders that it was made from; a leading
/// "~" is the home folder. An existing name takes precedence over a glob. Files of one folder share a tree, which also
/// has the counters of the same runs. Errors (exit 2): a place that does not exist, a result whose profiles are gone.
Result<std::vector<Tree>> trees_at(std::span<const std::filesystem::path> places);

/// Error for places without a profile: what they contain instead, and what is expected.
Error no_report_in(std::span<const std::filesystem::path> places);

}  // namespace assay
