// A submission on disk: what was submitted, what is done, and what is submitted again.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "files/descriptor.hpp"
#include "slurm/client.hpp"
#include "slurm/scripts.hpp"

namespace assay::slurm {

/// One array of a round.
struct Array {
  std::string job;
  Chunk chunk;
  std::vector<std::size_t> tasks;
};

struct SubmissionRound {
  std::string name;  ///< of its jobs, and unique to this submission
  std::vector<Array> arrays;
  std::string last;  ///< the combining job; empty: the submitter died before submitting it
};

/// submission.json: replaced atomically after each step.
struct Submission {
  std::string task;  ///< "shard" or "block"
  std::size_t tasks = 0;
  std::string name, since;  ///< its own name, and a time before its creation in any zone
  std::vector<Chunk> chunks;
  std::vector<SubmissionRound> rounds;
  std::map<std::size_t, std::size_t> failed;  ///< by task: how often it was resubmitted through its own fault
};

/// Whether a task has left its result.
using Done = std::function<bool(std::size_t task)>;

/// Where the submission of a result or of recordings is stored: next to it, "OUT.slurm".
std::filesystem::path folder_of(const std::filesystem::path& out);

/// Creates the folder and its scripts and submits all tasks to Slurm. Errors: there is a submission already (exit 2,
/// with the jobs), the folder cannot be written or Slurm refuses (exit 3), after which none of its jobs is left.
Result<Submission> submit_work(const Work& work);

/// Error (exit 2): nothing was submitted there, or the file is damaged.
Result<Submission> read_submission(const std::filesystem::path& folder);

/// Submits again what is not done, and the last job after it. `once`: not what failed before through its own fault, and
/// nothing at all if there is such a task. Errors (exit 3): nothing is missing, something is still running, tasks
/// failed for good, or as for begin.
Status resubmit(const std::filesystem::path& folder, const Done& done, bool once, std::ostream& out);

/// Cancels all of its jobs and keeps what is done. Error (exit 3): Slurm does not answer.
Status cancel_all(const std::filesystem::path& folder);

struct Progress {
  std::size_t done = 0;
  std::size_t submitted_again = 0;             ///< tasks submitted more than once
  std::map<std::size_t, std::string> queued;   ///< by unfinished task: "RUNNING", "PENDING", ...
  std::map<std::size_t, std::string> missing;  ///< neither done nor queued: how it ended, if known
  std::string last;                            ///< state of the last job while it is queued
  std::string ended;                           ///< exit code of the last job; empty: it has not ended by itself
  std::string unknown;                         ///< why Slurm does not report the queue; empty: it does
};

/// From the files on disk; Slurm only adds pending and running tasks.
Progress progress_of(const std::filesystem::path& folder, const Submission& submission, const Done& done);

/// "shard-3"
std::string task_name(const Submission& submission, std::size_t task);

}  // namespace assay::slurm
