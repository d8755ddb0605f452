// The commands of the program; each stands in a file of its name, with its options.
#pragma once

#include <filesystem>
#include <vector>

#include "render/rows.hpp"
#include "result.hpp"

namespace assay {

/// Every command with its group, in the order of `assay --help`. A new one is a file with its `add_NAME`, and its line
/// here.
#define ASSAY_COMMANDS(COMMAND)                    \
  COMMAND(look, "Explore profiles")                \
  COMMAND(list, "Explore profiles")                \
  COMMAND(query, "Explore profiles")               \
  COMMAND(stats, "Explore profiles")               \
  COMMAND(timeline, "Explore profiles")            \
  COMMAND(init, "Answer questions")                \
  COMMAND(plan, "Answer questions")                \
  COMMAND(run, "Answer questions")                 \
  COMMAND(show, "Answer questions")                \
  COMMAND(compare, "Answer questions")             \
  COMMAND(whatif, "Answer questions")              \
  COMMAND(history, "Answer questions")             \
  COMMAND(record, "Record and process many runs")  \
  COMMAND(study, "Record and process many runs")   \
  COMMAND(submit, "Record and process many runs")  \
  COMMAND(merge, "Record and process many runs")   \
  COMMAND(convert, "Record and process many runs") \
  COMMAND(new, "Extend assay")                     \
  COMMAND(check, "Extend assay")                   \
  COMMAND(bench, "Extend assay")                   \
  COMMAND(describe, "Extend assay")                \
  COMMAND(plugins, "Extend assay")                 \
  COMMAND(doctor, "Set up")                        \
  COMMAND(schema, "Set up")                        \
  COMMAND(mcp, "Set up")                           \
  COMMAND(completion, "Set up")

struct CommandLine;
#define ASSAY_DECLARE(name, group) void add_##name(CommandLine& line);  ///< joins the command line
ASSAY_COMMANDS(ASSAY_DECLARE)
#undef ASSAY_DECLARE

/// What is in a folder: kind of each file, rows of each table, labels (when `configs` declare some), problems.
Exit list_reports(const std::vector<std::filesystem::path>& folders, const std::vector<std::filesystem::path>& configs,
                  RowFormat format = RowFormat::kTable);

}  // namespace assay
