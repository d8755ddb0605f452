// What `record`, `study` and `submit --record` share: which runs are made, and how.
#pragma once

#include "cli/answer.hpp"
#include "cli/command_line.hpp"
#include "record/join.hpp"
#include "record/recorder.hpp"

namespace assay {

struct RecordArguments {
  RunOptions run;  ///< its configurations; of `study` also where the results go and how they are made
  std::vector<std::filesystem::path> outs = {};  ///< of `study`: -o and --out as given
  record::DesignOptions design;
  record::RecordOptions record;
  std::string order, timeout, budget;
  bool dry_run = false;
  RowFormat format = RowFormat::kTable;  ///< of the dry run
  std::filesystem::path join;            ///< --join: the folder of the blocks; empty: record
};

/// Which runs, and how they are made, of all commands that record.
void add_design(CLI::App& command, RecordArguments& to);

/// How many blocks there are, of those that can each be recorded on a GPU that somebody else chooses. Error (exit 2):
/// the question is wrong, or it chooses GPUs itself.
Result<std::size_t> blocks_to_record(RecordArguments arguments);

/// The design of blocks that are recorded by themselves; it refers to the questions. Error: as of blocks_to_record.
Result<record::Design> design_of_parts(RecordArguments& arguments, const std::vector<Question>& questions);

/// --timeout, --budget and --order, read.
Status read_times(RecordArguments& arguments);

/// The parts of add_design, which `record` orders otherwise in its help.
void add_choice(CLI::App& command, RecordArguments& to);
void add_order(CLI::App& command, RecordArguments& to);

}  // namespace assay
