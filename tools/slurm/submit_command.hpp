// `assay submit`: shards of a run, or blocks of a recording, as jobs of Slurm.
#pragma once

#include <string>
#include <vector>

#include "record/record_options.hpp"
#include "slurm/submission.hpp"

namespace assay {

struct SubmitOptions {
  RecordArguments arguments;              ///< its run: what a run is told; the rest with --record
  std::vector<std::string> sbatch;        ///< what stands after "--"
  std::vector<std::string> read_words;    ///< options for the shards, as given
  std::vector<std::string> end_words;     ///< options for the merge, as given
  std::vector<std::string> design_words;  ///< options for what records, as given
  std::size_t shards = 0;
  bool record = false, dry_run = false, status = false, wait = false, again = false, once = false, cancel = false;
  bool quiet = false;
};

/// What is submitted. Error (exit 2): what a task would find wrong with the questions, reports or plugins.
Result<slurm::Work> shards_of_run(const SubmitOptions& options);
Result<slurm::Work> blocks_of_recording(const SubmitOptions& options);

/// Whether a task has left what it is for: a part that can be read, a block that is recorded.
slurm::Done done_in(const std::filesystem::path& folder, const slurm::Submission& submission);

/// How it stands, printed; exit 0 when it goes on or is done, else the last job's own or 3.
Exit show_status(const SubmitOptions& options);

}  // namespace assay
