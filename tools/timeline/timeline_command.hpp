// The command `timeline`: writes a report, or the ranks of a job, as a trace for a viewer.
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
  std::vector<std::filesystem::path> places;  ///< a report, the reports of a job, or their folder
  std::filesystem::path out;                  ///< -o
  std::string window;                         ///< --window; empty: the whole capture
  IterationSpec iterations;  ///< --iterations: range names with {i}; the first one that a report has counts
  std::size_t only = 0;      ///< --only: this iteration within the window, from 1; 0: the whole report
  unsigned jobs = 0;         ///< ranks compared in parallel; 0: one per core
  std::vector<std::filesystem::path> plugin_paths;
};

/// From the start of iteration `only` within the window to its end and that of kernels launched in it; error if there
/// are fewer iterations.
Result<TraceRange> range_of_iteration(const Report& report, std::size_t only);

/// Writes a temporary file and renames it. Idle time and its causes come from the analyzer `idle_causes`; without
/// device work these tracks are missing, which is reported. Clocks and collectives of a job come from the analyzer
/// `ranks`.
Exit timeline(const TimelineOptions& options);

}  // namespace assay
