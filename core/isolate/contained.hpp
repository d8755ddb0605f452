// Work in a child process, with limits: what it does to its process it does to nobody else.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace assay::isolate {

struct Limits {
  std::chrono::milliseconds time{0};  ///< by the clock on the wall
  std::uint64_t memory = 0;           ///< bytes of address space beyond what this process has; 0: no limit
};

/// False in builds with an address or thread sanitizer, which reserve more than any limit: there `memory` is no limit.
bool limits_memory();

enum class Fate {
  kDone,
  kCrashed,      ///< a signal ended it
  kLeft,         ///< it ended its process itself
  kStopped,      ///< it took longer than it may
  kOutOfMemory,  ///< it asked for more than it may
  kCancelled,    ///< `cancel` was raised
  kNotStarted,   ///< the system made no process
};

struct Outcome {
  Fate fate = Fate::kNotStarted;
  int number = 0;          ///< kCrashed: the signal; kLeft: the exit code; kNotStarted: errno
  std::string answer;      ///< of kDone
  double seconds = 0;      ///< how long the process lived
  std::uint64_t peak = 0;  ///< of kDone: bytes that it took at most beyond what it began with
};

/// Calls `work` in a copy of this process (fork, so that it sees everything that was prepared here) and hands back what
/// it answers; returns when the copy and all processes that it started in its group are gone. Any thread may call this:
/// in the copy that thread is alone. `work` may allocate and throw; it must not log, nor wait for another thread of
/// this program. An exception that leaves it is a crash (SIGABRT).
Outcome contained(const Limits& limits, const std::function<std::string()>& work,
                  const std::atomic<bool>* cancel = nullptr);

/// "crashed with SIGSEGV", "was stopped after 60 s", ...: the rest of a sentence; empty of kDone.
std::string what_happened(const Outcome& outcome, const Limits& limits);

}  // namespace assay::isolate
