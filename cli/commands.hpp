// All commands of the program: the host's, each in a file of its name with its options, and those of tools.
#pragma once

#include <filesystem>
#include <vector>

#include "cli/command_line.hpp"
#include "render/rows.hpp"
#include "result.hpp"

namespace assay {

/// Commands of the host with their heading and position in `assay --help`; tools insert theirs in between. A new
/// command is a file with `add_NAME` and a line here.
#define ASSAY_COMMANDS(COMMAND)          \
  COMMAND(look, "Explore profiles", 10)  \
  COMMAND(list, "Explore profiles", 20)  \
  COMMAND(stats, "Explore profiles", 40) \
  COMMAND(plan, "Answer questions", 120) \
  COMMAND(run, "Answer questions", 130)  \
  COMMAND(show, "Answer questions", 140) \
  COMMAND(describe, "Extend assay", 340) \
  COMMAND(plugins, "Extend assay", 350)  \
  COMMAND(doctor, "Set up", 410)         \
  COMMAND(schema, "Set up", 420)         \
  COMMAND(completion, "Set up", 440)

#define ASSAY_DECLARE(name, group, place) void add_##name(CommandLine& line);  ///< adds the command to the command line
ASSAY_COMMANDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE

/// Commands of the host and all tools, in the order of `assay --help`.
std::vector<Command> all_commands();

/// Lists the files of a folder: kind, rows per table, labels (if `configs` declare any), problems.
Exit list_reports(const std::vector<std::filesystem::path>& folders, const std::vector<std::filesystem::path>& configs,
                  RowFormat format = RowFormat::kTable);

}  // namespace assay
