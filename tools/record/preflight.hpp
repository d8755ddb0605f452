// Checks before the first run, and the identity that must be unchanged when a recording continues.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "record/conditions.hpp"
#include "record/design.hpp"

namespace assay::record {

/// Checks programs, NUMA nodes, disk space, and the question's own check. Error: the first that fails, with advice.
Status check_programs(const Design& design);
Status check_room(const std::filesystem::path& folder);
/// Runs `[experiment] check` of every cell, each distinct command once. Error: its last output.
Status run_checks(const Design& design, const std::filesystem::path& folder, const std::atomic<bool>& stop);

/// What makes runs comparable, in the order in which differences are reported: the question, the program's commit and
/// files, the profiler, the driver, the GPUs, the environment, the host.
Identity identity_of(const Design& design, const Conditions& conditions);

/// First difference, as a clause ("the driver was '570.1' and is '580.2'"); empty: none.
std::string identity_difference(const Identity& before, const Identity& now);

/// First output line of a program; empty if it does not run.
std::string first_line_of(const std::vector<std::string>& words, const std::filesystem::path& folder);

}  // namespace assay::record
