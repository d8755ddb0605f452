// Runs a process group: collects its output, enforces a time limit, and leaves nothing behind.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "process/exit_status.hpp"

namespace assay::record {

struct ProcessSpec {
  std::vector<std::string> words;  ///< the program (looked up in PATH) and its arguments; no shell
  std::vector<std::pair<std::string, std::string>> env;  ///< overrides of this process's environment
  std::filesystem::path folder;
  std::filesystem::path out, err;  ///< files for its output; their folders exist
  double timeout_seconds = 600;
  std::string mark;  ///< value of ASSAY_RUN in the environment of everything it starts
  /// Whether no other run is in progress: orphans without the mark are then its own, and are ended with it.
  bool alone = true;
  bool profiled = false;  ///< the program is a profiler
  /// Called when the program has ended, before what it left behind is.
  std::function<void()> when_ended = nullptr;
};

struct ProcessEnd {
  process::ExitStatus status;
  double seconds = 0;
  std::string cpus;             ///< CPU affinity as seen in the process, "0-15"; empty: it ended before
  std::string memory_policy;    ///< of its first mapping, "bind:0" or "default"
  std::size_t left_behind = 0;  ///< processes that outlived it and were ended, without those of the profiler itself
  std::uint64_t dropped = 0;    ///< output bytes beyond the limit
};

/// Limit per stream: keeps the first 16 MiB, with a note about the rest.
inline constexpr std::uint64_t kMaxLog = 16U << 20;

/// Runs to the end. After the time limit, or once `stop` is set, its group gets TERM, and KILL five seconds later; then
/// ends what it left behind. The calling thread must outlive it.
ProcessEnd run_process(const ProcessSpec& spec, const std::atomic<bool>& stop);

/// Ends processes with the mark that an earlier recorder left running; returns their number.
std::size_t end_marked(const std::string& mark);

/// Processes whose `ASSAY_RUN` is the mark or below it ("MARK/...").
std::vector<int> marked(const std::string& mark);

/// Path of a program as exec would find it from `folder`; empty: there is none.
std::filesystem::path program_path(const std::string& word, const std::filesystem::path& folder);

}  // namespace assay::record
