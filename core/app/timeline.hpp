// The command `timeline`: a report, or the ranks of a job, as a trace that a viewer opens.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "load/reader.hpp"
#include "result.hpp"

namespace assay {

struct TimelineOptions {
  std::vector<std::filesystem::path> places;  ///< a report, or the reports of a job or their folder
  std::filesystem::path out;                  ///< -o
  std::string window;                         ///< --window; empty: the whole capture
  std::string iterations;                     ///< --iterations: a range name with {i}; empty: none
  unsigned jobs = 0;                          ///< ranks that are compared at a time; 0: one a core
  std::vector<std::filesystem::path> plugin_paths;
};

/// Writes beside and renames. Idle time and its causes come from the analyzer `idle_causes`; without device work there
/// are no such tracks, and that is said. Clocks and collectives of a job come from the analyzer `ranks`.
Exit timeline(const TimelineOptions& options);

}  // namespace assay
