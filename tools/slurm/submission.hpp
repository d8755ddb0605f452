// A submission on the disk: what was given to Slurm, what of it is there, and what is given again.
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
  std::string name;  ///< of its jobs, and of no other submission's
  std::vector<Array> arrays;
  std::string last;  ///< the job that puts together; empty: whoever submitted died before it was
};

/// submission.json: written whole after each step.
struct Submission {
  std::string task;  ///< "shard" or "block"
  std::size_t tasks = 0;
  std::string name, since;  ///< its own name, and a time before it was made in any zone
  std::vector<Chunk> chunks;
  std::vector<SubmissionRound> rounds;
  std::map<std::size_t, std::size_t> failed;  ///< by task: how often it was given again through its own fault
};

/// Whether a task has left what it is for.
using Done = std::function<bool(std::size_t task)>;

/// Where the submission of a result or of recordings stands: beside it, "OUT.slurm".
std::filesystem::path folder_of(const std::filesystem::path& out);

/// Makes the folder and its scripts and gives all tasks to Slurm. Errors: somebody has submitted there (exit 2, with
/// the jobs), the folder cannot be written or Slurm refuses (exit 3), after which none of its jobs is left.
Result<Submission> submit_work(const Work& work);

/// Error (exit 2): nothing was submitted there; or the file is damaged.
Result<Submission> read_submission(const std::filesystem::path& folder);

/// Gives Slurm again what is not done, and the last job after it. `once`: not what failed before through its own fault,
/// and nothing at all where there is such. Errors (exit 3): nothing is missing, something is still at work, tasks
/// failed for good, or what begin says.
Status resubmit(const std::filesystem::path& folder, const Done& done, bool once, std::ostream& out);

/// Ends all of its jobs; what is done stays. Error (exit 3): Slurm does not answer.
Status cancel_all(const std::filesystem::path& folder);

struct Progress {
  std::size_t done = 0;
  std::size_t submitted_again = 0;             ///< tasks that were given to Slurm more than once
  std::map<std::size_t, std::string> queued;   ///< by task that is not done: "RUNNING", "PENDING", ...
  std::map<std::size_t, std::string> missing;  ///< neither done nor queued: how it ended, as far as that is known
  std::string last;                            ///< state of the last job while it is queued
  std::string ended;                           ///< exit code of the last job; empty: it has not ended by itself
  std::string unknown;                         ///< why Slurm does not tell what is queued; empty: it does
};

/// From what is on the disk; Slurm only adds what waits and runs.
Progress progress_of(const std::filesystem::path& folder, const Submission& submission, const Done& done);

/// "shard-3"
std::string task_name(const Submission& submission, std::size_t task);

}  // namespace assay::slurm
