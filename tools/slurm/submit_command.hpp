// `assay submit`: shards of a run, or blocks of a recording, as jobs of Slurm.
#pragma once

#include <string>
#include <vector>

#include "record/record_options.hpp"
#include "slurm/submission.hpp"

namespace assay {

struct SubmitOptions {
  RecordArguments arguments;              ///< its run: options of a run; the rest with --record
  std::vector<std::string> sbatch;        ///< everything after "--"
  std::vector<std::string> read_words;    ///< options for the shards, as given
  std::vector<std::string> end_words;     ///< options for the merge, as given
  std::vector<std::string> design_words;  ///< options for recording, as given
  std::size_t shards = 0;
  bool record = false, dry_run = false, status = false, wait = false, again = false, once = false, cancel = false;
  bool quiet = false;
};

/// What to submit. Error (exit 2): problems with the questions, reports or plugins that every task would have.
Result<slurm::Work> shards_of_run(const SubmitOptions& options);
Result<slurm::Work> blocks_of_recording(const SubmitOptions& options);

/// Whether a task has left its result: a readable part, or a recorded block.
slurm::Done done_in(const std::filesystem::path& folder, const slurm::Submission& submission);

/// Prints the state; exit 0 if it is running or done, otherwise that of the last job, or 3.
Exit show_status(const SubmitOptions& options);

}  // namespace assay
