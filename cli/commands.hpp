// The commands of the program: those of the host, each in a file of its name with its options, and those of tools.
#pragma once

#include <filesystem>
#include <vector>

#include "cli/command_line.hpp"
#include "render/rows.hpp"
#include "result.hpp"

namespace assay {

/// Commands of the host, each with its heading and its place in `assay --help`, between which tools put theirs. A new
/// one is a file with its `add_NAME`, and its line here.
#define ASSAY_COMMANDS(COMMAND)          \
  COMMAND(look, "Explore profiles", 10)  \
  COMMAND(list, "Explore profiles", 20)  \
  COMMAND(plan, "Answer questions", 120) \
  COMMAND(run, "Answer questions", 130)  \
  COMMAND(show, "Answer questions", 140) \
  COMMAND(describe, "Extend assay", 340) \
  COMMAND(plugins, "Extend assay", 350)  \
  COMMAND(doctor, "Set up", 410)         \
  COMMAND(schema, "Set up", 420)         \
  COMMAND(completion, "Set up", 440)

#define ASSAY_DECLARE(name, group, place) void add_##name(CommandLine& line);  ///< joins the command line
ASSAY_COMMANDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE

/// Of the host and of all tools, in the order of `assay --help`.
std::vector<Command> all_commands();

/// What is in a folder: kind of each file, rows of each table, labels (when `configs` declare some), problems.
Exit list_reports(const std::vector<std::filesystem::path>& folders, const std::vector<std::filesystem::path>& configs,
                  RowFormat format = RowFormat::kTable);

}  // namespace assay
