// All commands of the program: `run`, and those of tools.
#pragma once

#include <vector>

#include "cli/command_line.hpp"

namespace assay {

/// Adds `run` to the command line.
void add_run(CommandLine& line);

/// In the order of `assay --help`.
std::vector<Command> all_commands();

}  // namespace assay
