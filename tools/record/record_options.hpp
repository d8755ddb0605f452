// Options shared by `record`, `study` and `submit --record`: which runs to make, and how.
#pragma once

#include "cli/answer.hpp"
#include "cli/command_line.hpp"
#include "record/join.hpp"
#include "record/recorder.hpp"

namespace assay {

struct RecordArguments {
  RunOptions run;  ///< its configurations; for `study` also the destination of results and how they are computed
  std::vector<std::filesystem::path> outs = {};  ///< for `study`: -o and --out as given
  record::DesignOptions design;
  record::RecordOptions record;
  std::string order, timeout, budget;
  bool dry_run = false;
  RowFormat format = RowFormat::kTable;  ///< of the dry run
  std::filesystem::path join;            ///< --join: folder of the blocks; empty: record
};

/// Options of all recording commands: which runs to make, and how.
void add_design(CLI::App& command, RecordArguments& to);

/// Number of blocks, if each can be recorded on a GPU chosen by the scheduler. Error (exit 2): the question is invalid,
/// or selects GPUs itself.
Result<std::size_t> blocks_to_record(RecordArguments arguments);

/// Design of separately recorded blocks; refers to the questions. Errors as of blocks_to_record.
Result<record::Design> design_of_parts(RecordArguments& arguments, const std::vector<Question>& questions);

/// Parses --timeout, --budget and --order.
Status read_times(RecordArguments& arguments);

/// Parts of add_design, which `record` orders differently in its help.
void add_choice(CLI::App& command, RecordArguments& to);
void add_order(CLI::App& command, RecordArguments& to);

}  // namespace assay
