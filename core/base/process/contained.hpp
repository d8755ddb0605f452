// Work in a child process, with limits: what it does to its process it does to nobody else.
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
  std::chrono::milliseconds time{0};  ///< by the clock on the wall, but for what it waited for a processor
  std::uint64_t memory = 0;           ///< bytes of address space beyond what this process has; 0: no limit
};

/// False in builds with an address or thread sanitizer, which reserve more than any limit: there `memory` is no limit.
bool limits_memory();

/// What became of the work: its answer, or why there is none.
struct Outcome {
  ExitStatus status;           ///< of the copy; kExited without an answer: the work ended the process itself
  bool out_of_memory = false;  ///< it asked for more than it may, and has no answer
  std::optional<std::string> answer;
  std::size_t left_behind = 0;  ///< processes that outlived it and were ended
  double seconds = 0;           ///< how long the process lived
  std::uint64_t peak = 0;       ///< with an answer: bytes that it took at most beyond what it began with
};

/// Calls `work` in a copy of this process (fork, so that it sees everything that was prepared here) and hands back what
/// it answers; returns when the copy and all processes that it started are gone, those too that left its group and its
/// session. Any thread may call this: in the copy that thread is alone. `work` may allocate and throw; it must not log,
/// nor wait for another thread of this program. An exception that leaves it is a crash (SIGABRT).
Outcome contained(const Limits& limits, const std::function<std::string()>& work,
                  const std::atomic<bool>* cancel = nullptr);

/// Runs several works at the same time, each in its own copy, all forked from this thread; outcome [i] is that of
/// works[i]. As long as no other thread of this program is running, no copy inherits a locked mutex of the C library,
/// so the work may do anything, including loading libraries.
std::vector<Outcome> contained_together(const Limits& limits, std::span<const std::function<std::string()>> works,
                                        const std::atomic<bool>* cancel = nullptr);

/// "crashed with SIGSEGV", "was stopped after 60 s", ...: the rest of a sentence; empty where there is an answer.
std::string what_happened(const Outcome& outcome, const Limits& limits);

}  // namespace assay::process
