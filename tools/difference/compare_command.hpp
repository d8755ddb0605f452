// The command `compare`: profiles of a program before and after, or two finished results of one question.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/ci.hpp"
#include "result.hpp"

namespace assay {

struct CompareOptions {
  std::vector<std::filesystem::path> places;         ///< BEFORE and AFTER
  std::vector<std::filesystem::path> before, after;  ///< --before, --after: more of a side
  std::vector<std::filesystem::path> noise;          ///< --noise: results of other days
  std::vector<std::string> also;                     ///< --also NAME=PLACE: a third side, held against BEFORE
  std::vector<std::string> steps;                    ///< --steps: ranges that are steps
  std::vector<std::string> allow;                    ///< --allow step=+2%
  unsigned jobs = 0;                                 ///< profiles read at a time
  std::filesystem::path out;                         ///< -o; empty: only the terminal
  std::vector<std::string> questions;                ///< --question; none: all that both have
  std::vector<std::string> metrics;                  ///< --metric, globs; none: all
  double tolerance = 0;                              ///< --tolerance: share by which a metric may be worse
  std::vector<std::filesystem::path> plugin_paths;
  bool force = false;  ///< the folder may hold files of somebody else
  CiOptions ci;        ///< --gate, --annotations
  bool whole = false;  ///< of several questions all that one alone would show
};

/// Compares by the analyzer `result_delta` and prints as `run` does; with `out` the same files too.
Exit compare_results(const CompareOptions& options);

}  // namespace assay
