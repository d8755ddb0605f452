// `assay record` and `assay study`: from questions to runs, and to decided verdicts.
#pragma once

#include "app/run.hpp"
#include "record/join.hpp"
#include "record/recorder.hpp"

namespace assay {

struct RecordArguments {
  RunOptions run;  ///< its configurations; of `study` also where the results go and how they are made
  record::DesignOptions design;
  record::RecordOptions record;
  std::string order, timeout, budget;
  bool dry_run = false;
  std::filesystem::path join;  ///< --join: the folder of the blocks; empty: record
};

/// Exit: 0 all runs are recorded, or the claims are decided; 2 nothing was run, with the reason; 3 a run failed for
/// good, or the disk is full; 130 interrupted, and the same command goes on.
Exit record_runs(RecordArguments arguments);

/// Which runs, and how they are made, of all commands that record.
void add_design(CLI::App& command, RecordArguments& to);

/// How many blocks there are, of those that can each be recorded on a GPU that somebody else chooses. Error (exit 2):
/// the question is wrong, or it chooses GPUs itself.
Result<std::size_t> blocks_to_record(RecordArguments arguments);

/// Records, converts, judges and reports.
Exit make_study(RecordArguments arguments);

}  // namespace assay
