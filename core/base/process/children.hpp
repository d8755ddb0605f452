// Child processes of this one: those it started, and orphans, whose parents ended before them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <mutex>

namespace assay::process {

enum class ChildKind {
  kProgram,  ///< another program: its leftovers become orphans of this process while others still run
  kCopy,     ///< a copy of this process that adopts the orphans below it while it lives
};

/// Starts child processes one at a time. Create the pipes of a child and close their other ends while it lives, so that
/// no child inherits and keeps open the pipes of another.
class Starter {
 public:
  Starter();
  /// Like fork(2); registers the child until `reap`. In the child this object holds nothing.
  pid_t fork(ChildKind kind);

 private:
  std::unique_lock<std::mutex> lock_;
};

/// Waits for the end of a child of Starter and removes it from the register; returns the status as waitpid does.
int reap(pid_t child);

/// Makes this process the parent of descendants whose parents have ended, even if they left their session and cleared
/// their environment (PR_SET_CHILD_SUBREAPER).
void adopt_orphans();

/// Ends and reaps all orphans with their descendants (TERM, then KILL after `grace`); returns how many were still
/// running. Does nothing while a program of this process runs: an orphan may belong to it.
std::size_t end_orphans(std::chrono::milliseconds grace = {});

}  // namespace assay::process
