#include "cli/interrupt.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "analyze/current_analyzer.hpp"

namespace assay {
namespace {

std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the flag is set in a signal handler");

char* append(char* to, std::string_view text) { return std::copy(text.begin(), text.end(), to); }

void write_stderr(const char* from, const char* to) {
  static_cast<void>(!write(STDERR_FILENO, from, static_cast<std::size_t>(to - from)));
}

/// Analyzers have no way to be asked to stop: the run waits for them, and they are named.
extern "C" void raise_flag(int) {
  const int before = errno;
  asked_to_stop.store(true);
  constexpr std::string_view kLead = "\nassay: interrupted; waiting for ",
                             kEnd = "; a second signal ends assay at once\n";
  constexpr std::size_t kMaxNamed = 4;
  std::array<char, 2048> text;
  char* const names = append(text.data(), kLead);
  char* const end = CurrentAnalyzer::describe_all(names, text.data() + text.size() - kEnd.size(), kMaxNamed);
  if (end != names) write_stderr(text.data(), append(end, kEnd));
  errno = before;
}

struct Fatal {
  int number;
  std::string_view name;
  struct sigaction before;
};
std::array<Fatal, 5> fatal{{{SIGSEGV, "SIGSEGV", {}},
                            {SIGBUS, "SIGBUS", {}},
                            {SIGFPE, "SIGFPE", {}},
                            {SIGILL, "SIGILL", {}},
                            {SIGABRT, "SIGABRT", {}}}};
pid_t named_in = 0;

/// Afterwards the default happens: a fault occurs again under the previous action, and abort() raises its signal once
/// more.
extern "C" void name_crash(int number, siginfo_t* info, void*) {
  constexpr std::string_view kEnd =
      ", and nothing was written; leave it out of the configuration, or give --isolate to 'assay run' so that only its "
      "own results are lost\n";
  for (const Fatal& one : fatal) {
    if (one.number != number) continue;
    std::array<char, 1024> text;
    char* const names = append(text.data(), "\nassay: ");
    char* end = CurrentAnalyzer::describe(names, text.data() + text.size() - kEnd.size() - 32);
    end = append(append(append(end, " crashed ("), one.name), ")");
    const bool inside = !CurrentAnalyzer::id().empty() && named_in == getpid();
    if (inside) write_stderr(text.data(), append(end, kEnd));
    sigaction(number, &one.before, nullptr);
  }
  // A signal that was sent, and is not a fault, has to be sent again; abort() does that itself.
  const bool sent = info != nullptr && info->si_code <= 0;
  const bool by_abort = number == SIGABRT && sent && info->si_code == SI_TKILL;
  if (sent && !by_abort) raise(number);
}

}  // namespace

const std::atomic<bool>& stop_on_signals() {
  struct sigaction action = {};
  action.sa_handler = &raise_flag;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return asked_to_stop;
}

const std::atomic<bool>& stop_statements_on_signals() {
  struct sigaction action = {};
  action.sa_handler = [](int) { asked_to_stop.store(true); };
  sigaction(SIGINT, &action, nullptr);
  return asked_to_stop;
}

bool interrupted() { return asked_to_stop.exchange(false); }

void report_full_files() { std::signal(SIGXFSZ, SIG_IGN); }

void name_crashes() {
  named_in = getpid();
  struct sigaction action = {};
  action.sa_sigaction = &name_crash;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  for (Fatal& one : fatal) sigaction(one.number, &action, &one.before);
}

}  // namespace assay
