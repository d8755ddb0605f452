// The straight line: config -> plugins -> plan -> discover -> load -> analyze -> conclude -> render.
#pragma once

#include <filesystem>
#include <vector>

#include "load/reader.hpp"
#include "result.hpp"

namespace assay {

struct RunOptions {
  std::vector<std::filesystem::path> configs;
  std::vector<std::filesystem::path> reports;       ///< --reports, one or more; none: see report_folders
  std::vector<std::filesystem::path> plugin_paths;  ///< --plugin-path
  std::filesystem::path out = "assay-out";          ///< -o
  unsigned jobs = 0;                                ///< -j; 0: all cores
  Reader reader = Reader::kDirect;                  ///< --reader
  bool gate = false;                                ///< exit 1 when a claim is refuted
  bool strict = false;                              ///< exit 3 when anything failed or was skipped
  bool quiet = false;                               ///< -q: no summary, errors only
  bool whole = false;                               ///< -v: of several questions the whole summary of each
};

/// Runs and prints; returns the exit code. Errors are printed to standard error as one sentence.
Exit run(const RunOptions& options);

}  // namespace assay
