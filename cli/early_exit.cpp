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

/// Process that must not exit; 0: any may.
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

/// Registers exit handlers for callers within the C library (err, error): each thread that exits removes one handler
/// from the list, and a thread that finds none would exit with its own code while another is still in the handler.
bool refuse_in_handlers() {
  constexpr int kThreadsAtOnce = 64;
  bool registered = true;
  for (int i = 0; i < kThreadsAtOnce; ++i)
    registered = std::atexit(refuse_to_end) == 0 && std::at_quick_exit(refuse_to_end) == 0 && registered;
  return registered;
}

/// As declared by the C library.
[[noreturn]] void leave_by(const char* function, int code) {
  refuse_to_end();
  if (const auto real = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, function))) real(code);
  end(code);
}

}  // namespace

NoEarlyExit::NoEarlyExit() {
  [[maybe_unused]] static const bool registered = refuse_in_handlers();
  guarded = getpid();
}

NoEarlyExit::~NoEarlyExit() { guarded = 0; }

}  // namespace assay

// Replace the functions of the C library, also for plugins: the program's symbols take precedence. The first two would
// run destructors of objects that other threads still use before the handler; the others run no handler.
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
