// The command `timeline`: one report as a trace that a trace viewer opens.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "load/reader.hpp"
#include "result.hpp"

namespace assay {

struct TimelineOptions {
  std::filesystem::path file;
  std::filesystem::path out;  ///< -o
  std::string window;         ///< --window; empty: the whole capture
  std::string iterations;     ///< --iterations: a range name with {i}; empty: none
  std::vector<std::filesystem::path> plugin_paths;
};

/// Writes beside and renames. Idle time and its causes come from the analyzer `idle_causes`; without device work there
/// are no such tracks, and that is said.
Exit timeline(const TimelineOptions& options);

}  // namespace assay
