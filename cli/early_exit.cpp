#include "cli/early_exit.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "analyze/current_analyzer.hpp"
#include "result.hpp"

namespace assay {
namespace {

/// The process that may not end; 0: any may.
std::atomic<pid_t> guarded{0};

[[noreturn]] void end(int code) {
  while (true) syscall(SYS_exit_group, code);
}

void refuse_to_end() {
  if (guarded.load() != getpid()) return;
  const std::string id(CurrentAnalyzer::id());
  const std::string text =
      "assay: " + (id.empty() ? std::string("an analyzer") : "the analyzer '" + id + "'") +
      " ended the program before its results were written, so nothing was written; leave it out of the configuration, "
      "or give --isolate to 'assay run' so that only its own results are lost\n";
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  end(static_cast<int>(Exit::kFailed));
}

/// For those within the C library that call its exit (err, error): each thread that ends takes one handler off the
/// list, and whoever finds none left ends with its own code while another is still in this one.
bool refuse_in_handlers() {
  constexpr int kThreadsAtOnce = 64;
  bool registered = true;
  for (int i = 0; i < kThreadsAtOnce; ++i)
    registered = std::atexit(refuse_to_end) == 0 && std::at_quick_exit(refuse_to_end) == 0 && registered;
  return registered;
}

/// As the C library has it.
[[noreturn]] void leave_by(const char* function, int code) {
  refuse_to_end();
  if (const auto real = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, function))) real(code);
  end(code);
}

}  // namespace

NoEarlyExit::NoEarlyExit() {
  static const bool registered = refuse_in_handlers();
  static_cast<void>(registered);
  guarded = getpid();
}

NoEarlyExit::~NoEarlyExit() { guarded = 0; }

}  // namespace assay

// Those a plugin calls are taken the place of: the program's symbols come before those of the C library, also for the
// plugins. The first two would run destructors of what other threads still use, and only then the handler; the others
// run none.
extern "C" {
[[gnu::noreturn, gnu::visibility("default")]] void exit(int code) noexcept { assay::leave_by("exit", code); }
[[gnu::noreturn, gnu::visibility("default")]] void quick_exit(int code) noexcept {
  assay::leave_by("quick_exit", code);
}
[[gnu::noreturn, gnu::visibility("default")]] void _exit(int code) {
  assay::refuse_to_end();
  assay::end(code);
}
[[gnu::noreturn, gnu::visibility("default")]] void _Exit(int code) noexcept {
  assay::refuse_to_end();
  assay::end(code);
}
}
