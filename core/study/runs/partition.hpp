// What was executed once: processes from their captures, and runs from their processes (docs/runs.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runs/name_parts.hpp"
#include "runs/run_facts.hpp"

namespace assay {

/// A profile as the partition sees it.
struct RunFile {
  std::string_view tool;  ///< what wrote it: profiles of two tools are of two runs
  std::string folder;
  std::int64_t rank = -1, world = -1;  ///< as the file states them; -1: it does not
  NameParts name;
  RunFacts facts;
  bool host_only = false;  ///< it says that no device was captured
  std::string recorded{};  ///< path of the recorded run that it is a window of, and which; empty: of none
  std::int64_t window = 0;
};

/// A process: the captures of it, by time.
struct RunProcess {
  std::vector<std::size_t> files;
  std::int64_t rank = -1;
};

struct RunOfFiles {
  std::vector<RunProcess> processes;  ///< by rank, else by first file
  std::string evidence;               ///< why these are one run; empty: one file
};

/// Runs of these files, by first file; each file is in one run.
std::vector<RunOfFiles> partition_runs(const std::vector<RunFile>& files);

}  // namespace assay
