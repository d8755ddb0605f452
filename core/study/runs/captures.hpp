// Which files are captures of one process.
#pragma once

#include "runs/partition.hpp"

namespace assay {

/// Processes of these files, by first file: files of equal pid and no unequal host, rank or job are captures of one
/// process if a later one's correlation ids, or step numbers, begin above the earlier one's last, and so are the
/// windows of a recorded run. A pid alone, or step numbers that start again, say nothing: containers repeat pids. What
/// a process recorded of several configurations (other words in the name, other kernels) is a process each.
std::vector<RunProcess> processes_of(const std::vector<RunFile>& files);

}  // namespace assay
