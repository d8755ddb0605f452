#include "process/exit_status.hpp"

#include <string.h>
#include <sys/wait.h>

#include <array>

namespace assay::process {
namespace {

/// By number, as Linux has them on x86-64 and arm64. The C library tells them from 2.32 on.
constexpr std::array<const char*, 32> kSignals = {nullptr,  "HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",
                                                  "FPE",    "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM",
                                                  "STKFLT", "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",
                                                  "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS"};

}  // namespace

ExitStatus status_of(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {ExitKind::kSignalled, WTERMSIG(wait_status)};
  return {ExitKind::kExited, WEXITSTATUS(wait_status)};
}

std::string signal_name(int number) {
  const bool known = number > 0 && static_cast<std::size_t>(number) < kSignals.size();
  return known ? std::string("SIG") + kSignals[static_cast<std::size_t>(number)] : "signal " + std::to_string(number);
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
