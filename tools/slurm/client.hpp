// Interface to Slurm: runs sbatch, squeue, scontrol, sacct and scancel and parses their output.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "result.hpp"

namespace assay::slurm {

/// A job by its number, for an array with the index of a task; "" for a job that is no array.
struct JobTask {
  std::string job, index;
  friend auto operator<=>(const JobTask&, const JobTask&) = default;
};

/// States by task, in Slurm's words: "PENDING", "RUNNING", "FAILED", ...
using States = std::map<JobTask, std::string>;

/// MaxArraySize if Slurm does not report it.
inline constexpr std::size_t kUsualArraySize = 1001;

/// Error (exit 2): sbatch is missing, with alternatives.
Status check_there();

/// Array indices stay below this, which is at least 2.
std::size_t max_array_size();

/// Submits from `folder` and returns the job number. Errors (exit 3): sbatch refuses, with its message, or prints no
/// number.
Result<std::string> submit(const std::filesystem::path& folder, const std::filesystem::path& script,
                           const std::vector<std::string>& options);

/// Pending and running tasks of these jobs; jobs that Slurm has forgotten are missing. Error (exit 3): squeue does not
/// answer, or unexpectedly, so that nothing is known.
Result<States> queue(const std::vector<std::string>& jobs);

/// Pending and running jobs of this user with that name. Error as for queue.
Result<std::vector<std::string>> queued_under(const std::string& name);

/// How tasks of these jobs ended, as far as the controller and, if there is any, accounting know. Never fails: both may
/// be refused.
States endings(const std::vector<std::string>& jobs, const std::string& since);

/// Cancels jobs. Error (exit 3): scancel refuses.
Status cancel(const std::vector<std::string>& jobs);

/// Whether this final state is not the task's own fault: preempted, or its node failed.
bool is_blameless(const std::string& state);

}  // namespace assay::slurm
