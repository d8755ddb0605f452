// What must be there before the first run, and what must be the same when a recording goes on.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "record/conditions.hpp"
#include "record/design.hpp"

namespace assay::record {

/// Programs, NUMA nodes, room on the disk, and the question's own check. Error: the first that is missing, with how to
/// get it.
Status check_programs(const Design& design);
Status check_room(const std::filesystem::path& folder);
/// Runs `[experiment] check` of every cell, each different command once. Error: its last words.
Status run_checks(const Design& design, const std::filesystem::path& folder, const std::atomic<bool>& stop);

/// What makes runs comparable, in the order in which differences are said: the question, the program's commit and
/// files, the profiler, the driver, the GPUs, the environment, the host.
Identity identity_of(const Design& design, const Conditions& conditions);

/// The first thing in which they differ, as a clause ("the driver was '570.1' and is '580.2'"); empty: none.
std::string identity_difference(const Identity& before, const Identity& now);

/// The first line that a program prints; empty where it does not run.
std::string first_line_of(const std::vector<std::string>& words, const std::filesystem::path& folder);

}  // namespace assay::record
