// The child processes of this one: those it has started, and orphans, whose parents ended before them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <mutex>

namespace assay::process {

enum class ChildKind {
  kProgram,  ///< another program: what it leaves behind becomes an orphan of this process while others still run
  kCopy,     ///< a copy of this process that adopts the orphans below it for as long as it lives
};

/// Starts child processes one at a time, for as long as it lives. Pipes to a child are made and their other ends closed
/// within that time, so that no child inherits the pipes of another one and keeps them open.
class Starter {
 public:
  Starter();
  /// As fork(2); the child is remembered until reap. In the child this object holds nothing any more.
  pid_t fork(ChildKind kind);

 private:
  std::unique_lock<std::mutex> lock_;
};

/// Waits for the end of a child of Starter and forgets it; its status as waitpid tells it.
int reap(pid_t child);

/// From now on descendants of this process whose parents have ended become children of this process, also when they
/// left their session and cleared their environment (PR_SET_CHILD_SUBREAPER).
void adopt_orphans();

/// Ends all orphans with everything below them (TERM, and KILL after `grace`) and reaps them; how many processes were
/// still running. Does nothing while a program of this process runs: an orphan may belong to it.
std::size_t end_orphans(std::chrono::milliseconds grace = {});

}  // namespace assay::process
