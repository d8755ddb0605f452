// Options that several commands have which run questions.
#pragma once

#include "cli/answer.hpp"
#include "cli/command_line.hpp"

namespace assay {

/// --cache and what bounds it, of the commands that read reports.
void add_cache(CLI::App& command, RunOptions& to);
/// --isolate and its limits, and those of every [[metric]].
void add_isolation(CLI::App& command, RunOptions& to);
/// Options of how a run ends, and -v, -q, --log-file. Those that only a run that concludes can have.
std::vector<CLI::Option*> add_ending(CLI::App& command, CommandLine& line, RunOptions& to);
/// What the command line says of every run.
void read_common_options(const CommandLine& line, RunOptions& to);

}  // namespace assay
