#include "process/exit_status.hpp"

#include <string.h>
#include <sys/wait.h>

namespace assay::process {

ExitStatus status_of(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {ExitKind::kSignalled, WTERMSIG(wait_status)};
  return {ExitKind::kExited, WEXITSTATUS(wait_status)};
}

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name == nullptr ? "signal " + std::to_string(number) : std::string("SIG") + name;
}

std::string ending_text(const ExitStatus& status) {
  switch (status.how) {
    case ExitKind::kExited:
      return "exit " + std::to_string(status.number);
    case ExitKind::kSignalled:
      return "ended by " + signal_name(status.number);
    case ExitKind::kTimedOut:
      return "stopped at its time limit";
    case ExitKind::kInterrupted:
      return "interrupted";
    case ExitKind::kNotStarted:
      return not_started(status.number);
  }
  return {};
}

std::string not_started(int why) { return std::string("cannot be started (") + strerror(why) + ")"; }

}  // namespace assay::process
