// How a process ended.
#pragma once

#include <string>

namespace assay::process {

enum class ExitKind {
  kExited,
  kSignalled,
  kTimedOut,     ///< ended because its time was up
  kInterrupted,  ///< ended because this program is to stop
  kNotStarted,
};

struct ExitStatus {
  ExitKind how = ExitKind::kNotStarted;
  int number = 0;  ///< kExited: exit code, kSignalled: signal, kNotStarted: errno; else 0

  [[nodiscard]] bool success() const { return how == ExitKind::kExited && number == 0; }
};

/// Converts a status of waitpid for a process that has ended.
ExitStatus status_of(int wait_status);

/// "SIGSEGV", or "signal 77" for a signal without a name.
std::string signal_name(int number);

/// Short text on how it ended: "exit 3", "ended by SIGSEGV", "stopped because its time was up".
std::string ending_text(const ExitStatus& status);

/// Predicate of a sentence about a program: "cannot be started (Permission denied)".
std::string not_started(int why);

}  // namespace assay::process
