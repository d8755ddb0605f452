// Options shared by commands that run questions.
#pragma once

#include "cli/answer.hpp"
#include "cli/command_line.hpp"
#include "runs/configurations.hpp"

namespace assay {

/// --cache and its limits, for commands that read reports.
void add_cache(CLI::App& command, RunOptions& to);
/// --isolate and its limits, and those of every [[metric]].
void add_isolation(CLI::App& command, RunOptions& to);
/// Options for the end of a run, and -v, -q, --log-file. Returns those that only a concluding run can have.
std::vector<CLI::Option*> add_ending(CLI::App& command, CommandLine& line, RunOptions& to);
/// --label, --repeats and --by: what the user says of fields of names, for commands that group profiles into runs.
void add_run_choice(CLI::App& command, RunChoice& to);
/// Copies options that every run has from the command line.
void read_common_options(const CommandLine& line, RunOptions& to);

}  // namespace assay
