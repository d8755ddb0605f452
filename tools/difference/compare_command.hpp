// The command `compare`: profiles of a program before and after a change, or two results of one question.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/ci.hpp"
#include "result.hpp"
#include "runs/configurations.hpp"

namespace assay {

struct CompareOptions {
  std::vector<std::filesystem::path> places;         ///< BEFORE and AFTER
  std::vector<std::filesystem::path> before, after;  ///< --before, --after: further places of a side
  std::vector<std::filesystem::path> noise;          ///< --noise: results of other days
  std::vector<std::string> also;                     ///< --also NAME=PLACE: a third side, compared with BEFORE
  std::vector<std::string> steps;                    ///< --steps: ranges that are steps
  bool best = false;                                 ///< --best: ranks all configurations
  RunChoice choice;                                  ///< --label, --repeats, --by: what names say
  std::vector<std::string> allow;                    ///< --allow step=+2%
  unsigned jobs = 0;                                 ///< profiles read in parallel
  std::filesystem::path out;                         ///< -o; empty: terminal only
  std::vector<std::string> questions;                ///< --question; empty: all that both have
  std::vector<std::string> metrics;                  ///< --metric, globs; empty: all
  double tolerance = 0;                              ///< --tolerance: by what share a metric may be worse
  std::vector<std::filesystem::path> plugin_paths;
  bool force = false;     ///< the folder may contain foreign files
  bool no_cache = false;  ///< --no-cache
  CiOptions ci;           ///< --gate, --annotations
  bool whole = false;     ///< shows of several questions everything that a single one would show
};

/// Compares with the analyzer `result_delta` and prints like `run`; with `out` also writes the same files.
Exit compare_results(const CompareOptions& options);

}  // namespace assay
