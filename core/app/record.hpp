// `assay record` and `assay study`: from questions to runs, and to decided verdicts.
#pragma once

#include "app/run.hpp"
#include "record/recorder.hpp"

namespace assay {

struct RecordArguments {
  RunOptions run;  ///< its configurations; of `study` also where the results go and how they are made
  record::DesignOptions design;
  record::RecordOptions record;
  std::string order, timeout, budget;
  bool dry_run = false;
};

/// Exit: 0 all runs are recorded, or the claims are decided; 2 nothing was run, with the reason; 3 a run failed for
/// good, or the disk is full; 130 interrupted, and the same command goes on.
Exit record_runs(RecordArguments arguments);

/// Records, converts, judges and reports.
Exit make_study(RecordArguments arguments);

}  // namespace assay
