// The command `timeline`: a report, or the ranks of a job, as a trace that a viewer opens.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "load/reader.hpp"
#include "result.hpp"
#include "timeline/chrome_trace.hpp"
#include "window_spec.hpp"

namespace assay {

struct TimelineOptions {
  std::vector<std::filesystem::path> places;  ///< a report, or the reports of a job or their folder
  std::filesystem::path out;                  ///< -o
  std::string window;                         ///< --window; empty: the whole capture
  IterationSpec iterations;  ///< --iterations: range names with {i}, of which the first counts that a report has
  std::size_t only = 0;      ///< --only: this iteration inside the window, from 1; 0: all of the report
  unsigned jobs = 0;         ///< ranks that are compared at a time; 0: one a core
  std::vector<std::filesystem::path> plugin_paths;
};

/// From the start of the iteration `only` inside the window to its end and that of the kernels that it launched; an
/// error where there are not so many.
Result<TraceRange> range_of_iteration(const Report& report, std::size_t only);

/// Writes beside and renames. Idle time and its causes come from the analyzer `idle_causes`; without device work there
/// are no such tracks, and that is said. Clocks and collectives of a job come from the analyzer `ranks`.
Exit timeline(const TimelineOptions& options);

}  // namespace assay
