// Runs work in a child process with limits, so that whatever it does to its process affects no other.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "process/exit_status.hpp"

namespace assay::process {

struct Limits {
  std::chrono::milliseconds time{0};  ///< wall-clock time, without the time it waited for a processor
  std::uint64_t memory = 0;           ///< bytes of address space beyond those of this process; 0: no limit
};

/// False in builds with an address or thread sanitizer, which reserve more than any limit; `memory` is then ignored.
bool limits_memory();

/// Result of the work: its answer, or why there is none.
struct Outcome {
  ExitStatus status;           ///< of the copy; kExited without an answer: the work itself ended the process
  bool out_of_memory = false;  ///< it asked for more memory than its limit and has no answer
  std::optional<std::string> answer;
  std::size_t left_behind = 0;  ///< processes that outlived it and were ended
  double seconds = 0;           ///< lifetime of the process
  std::uint64_t peak = 0;       ///< with an answer: maximum bytes in use beyond those at its start
};

/// Calls `work` in a copy of this process (fork, so that it sees everything prepared here) and returns its answer once
/// the copy and all processes it started are gone, including those that left its group and session. May be called from
/// any thread, which is the only one in the copy. `work` may allocate and throw; it must not log or wait for another
/// thread. An exception that leaves it is a crash (SIGABRT).
Outcome contained(const Limits& limits, const std::function<std::string()>& work,
                  const std::atomic<bool>* cancel = nullptr);

/// Runs several works concurrently, each in its own copy, all forked from this thread; outcome [i] belongs to works[i].
/// If no other thread of this program is running, no copy inherits a locked mutex of the C library, so the work may do
/// anything, including loading libraries.
std::vector<Outcome> contained_together(const Limits& limits, std::span<const std::function<std::string()>> works,
                                        const std::atomic<bool>* cancel = nullptr);

/// Predicate of a sentence, such as "crashed with SIGSEGV" or "was stopped after 60 s"; empty if there is an answer.
std::string what_happened(const Outcome& outcome, const Limits& limits);

}  // namespace assay::process
