// The batch scripts of a submission: plain ones that a site can keep and submit by hand.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace assay::slurm {

/// What is submitted: tasks that each leave a result on disk, and a last job that combines them.
struct Work {
  std::string task;                       ///< "shard" or "block"
  std::size_t tasks = 0;                  ///< numbered from 1
  std::filesystem::path folder;           ///< of the submission; absolute
  std::filesystem::path runs_in;          ///< where its commands run; absolute
  std::vector<std::string> task_words;    ///< of a task, with kTaskNumber for its number
  std::vector<std::string> last_words;    ///< of the last job
  std::vector<std::string> again_words;   ///< its command if something is missing
  std::vector<std::string> options;       ///< of sbatch, for the tasks
  std::vector<std::string> last_options;  ///< of sbatch, for the last job
};

/// Placeholder in Work::task_words for the number of the task.
inline constexpr const char* kTaskNumber = "{task}";

/// Tasks of one array: those numbered offset + 1 to offset + count.
struct Chunk {
  std::size_t offset = 0, count = 0;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// Arrays whose indices, from 1, stay below `max_array_size`.
std::vector<Chunk> chunks_of(std::size_t tasks, std::size_t max_array_size);

/// "1-3,7": the indices of these tasks, ascending, in the array with that offset.
std::string array_indices(const std::vector<std::size_t>& tasks, std::size_t offset);

/// "tasks-1000.sbatch"
std::string script_name(const Chunk& chunk);
inline constexpr const char* kLastScript = "last.sbatch";

std::string task_script(const Work& work, const Chunk& chunk);
std::string last_script(const Work& work);

/// Below the folder of a submission: the output of a task, with Slurm's messages next to it, and its exit code once it
/// has ended.
std::filesystem::path log_of(const std::filesystem::path& folder, const std::string& task);
std::filesystem::path ending_of(const std::filesystem::path& folder, const std::string& task);

}  // namespace assay::slurm
