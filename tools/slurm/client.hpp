// Slurm's own programs, asked and understood: sbatch, squeue, scontrol, sacct and scancel, and nothing else of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "result.hpp"

namespace assay::slurm {

/// A job by its number, and of an array the index of a task; "" for a job that is no array.
struct JobTask {
  std::string job, index;
  friend auto operator<=>(const JobTask&, const JobTask&) = default;
};

/// States by task: "PENDING", "RUNNING", "FAILED", ... as Slurm has them.
using States = std::map<JobTask, std::string>;

/// MaxArraySize where Slurm does not tell.
inline constexpr std::size_t kUsualArraySize = 1001;

/// Error (exit 2): there is no sbatch, with what can be done without.
Status check_there();

/// The highest index of an array is one below this, which is at least 2.
std::size_t max_array_size();

/// Submits from `folder` and gives the job's number. Errors (exit 3): sbatch refuses, with its words, or does not say a
/// number.
Result<std::string> submit(const std::filesystem::path& folder, const std::filesystem::path& script,
                           const std::vector<std::string>& options);

/// What of these jobs waits or runs; jobs that Slurm has forgotten are not there. Error (exit 3): squeue does not
/// answer, or not what it was asked, so that nothing is known.
Result<States> queue(const std::vector<std::string>& jobs);

/// The numbers of jobs of this user that wait or run under the name. Error as of queue.
Result<std::vector<std::string>> queued_under(const std::string& name);

/// How tasks of these jobs ended, as far as the controller still knows and accounting, where there is any, tells.
/// Never fails: both may be refused.
States endings(const std::vector<std::string>& jobs, const std::string& since);

/// Ends jobs. Error (exit 3): scancel refuses.
Status cancel(const std::vector<std::string>& jobs);

/// Whether a task ended in this state through no fault of its own: preempted, or its node failed.
bool is_blameless(const std::string& state);

}  // namespace assay::slurm
