// One process group: started, listened to, ended in time, and nothing of it left behind.
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
  std::vector<std::string> words;  ///< the program (looked up in PATH) and its arguments; no shell sees them
  std::vector<std::pair<std::string, std::string>> env;  ///< put over this process's own
  std::filesystem::path folder;
  std::filesystem::path out, err;  ///< where what it prints goes; the folders exist
  double timeout_seconds = 600;
  std::string mark;  ///< of all that it starts: the value of ASSAY_RUN in their environment
  /// Whether no other run is made meanwhile: orphans without the mark are then its own, and are ended with it.
  bool alone = true;
  bool profiled = false;  ///< the program is a profiler
  /// Called when the program has ended, before what it left behind is.
  std::function<void()> when_ended = nullptr;
};

struct ProcessEnd {
  process::ExitStatus status;
  double seconds = 0;
  std::string cpus;             ///< allowed CPUs as the process itself has them, "0-15"; empty: it ended before
  std::string memory_policy;    ///< as its first mapping has it, "bind:0" or "default"
  std::size_t left_behind = 0;  ///< processes that outlived it and were ended, without those of the profiler itself
  std::uint64_t dropped = 0;    ///< bytes printed beyond what is kept
};

/// Printed bytes that are kept of each stream: the first 16 MiB, and a word about the rest.
inline constexpr std::uint64_t kMostLog = 16U << 20;

/// Runs it to its end. Its group gets TERM when the time is up or `stop` is raised, and KILL five seconds later; then
/// what it left behind is ended. The calling thread must outlive it.
ProcessEnd run_process(const ProcessSpec& spec, const std::atomic<bool>& stop);

/// Ends what an earlier recorder of the mark left running; how many there were.
std::size_t end_marked(const std::string& mark);

/// Processes that have `ASSAY_RUN` set to the mark or to something below it ("MARK/...").
std::vector<int> marked(const std::string& mark);

/// The path of a program as exec would find it from `folder`; empty: there is none.
std::filesystem::path program_path(const std::string& word, const std::filesystem::path& folder);

}  // namespace assay::record
