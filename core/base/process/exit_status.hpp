// How a process ended.
#pragma once

#include <string>

namespace assay::process {

enum class ExitKind {
  kExited,
  kSignalled,
  kTimedOut,     ///< it was ended because its time was up
  kInterrupted,  ///< it was ended because this program is to stop
  kNotStarted,
};

struct ExitStatus {
  ExitKind how = ExitKind::kNotStarted;
  int number = 0;  ///< kExited: exit code, kSignalled: signal, kNotStarted: errno; else 0

  [[nodiscard]] bool success() const { return how == ExitKind::kExited && number == 0; }
};

/// Of what waitpid tells about a process that has ended.
ExitStatus status_of(int wait_status);

/// "SIGSEGV", or "signal 77" of one without a name.
std::string signal_name(int number);

/// "exit 3", "ended by SIGSEGV", "stopped because its time was up", ...: a short word on how it ended.
std::string ending_text(const ExitStatus& status);

/// "cannot be started (Permission denied)": the rest of a sentence about a program.
std::string not_started(int why);

}  // namespace assay::process
