// What a started program finds open, with the kernel's call and where the kernel has none (before Linux 5.11).
#include "process/close_at_exec.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "process/exit_status.hpp"

namespace assay::process::close_at_exec_test {

/// From now on close_range fails in this process as it does on a kernel that does not know it.
bool takes_close_range_away() {
  std::array<sock_filter, 4> code{
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_close_range},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  const sock_fprog filter{code.size(), code.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 &&
         syscall(SYS_close_range, ~0U, ~0U, 0) == -1 && errno == ENOSYS;
}

/// In a child with 700 files open, more than one block of names of them: how many from 100 on are not marked, and how
/// many before are; 255: the call could not be taken away.
int wrong_marks(bool with_call) {
  const pid_t child = fork();
  if (child == 0) {
    const auto marked = [](int file) { return (fcntl(file, F_GETFD) & FD_CLOEXEC) != 0; };
    for (int file = 50; file < 750; ++file) dup2(STDERR_FILENO, file);
    if (!with_call && !takes_close_range_away()) _exit(255);
    close_at_exec(100);
    int wrong = 0;
    for (int file = 50; file < 750; ++file) wrong += marked(file) != (file >= 100) ? 1 : 0;
    _exit(std::min(wrong, 250));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status_of(status).success() ? 0 : status_of(status).number;
}

TEST(CloseAtExec, MarksByTheKernelsCall) { EXPECT_EQ(wrong_marks(true), 0); }

TEST(CloseAtExec, MarksOneByOneOnAnOlderKernel) {
  const int wrong = wrong_marks(false);
  if (wrong == 255) GTEST_SKIP() << "no call can be taken away here";
  EXPECT_EQ(wrong, 0);
}

TEST(SignalName, IsThatOfTheCLibrary) {
  for (int number = -1; number <= 70; ++number) {
    const char* const name = sigabbrev_np(number);
    EXPECT_EQ(signal_name(number), name == nullptr ? "signal " + std::to_string(number) : std::string("SIG") + name);
  }
}

}  // namespace assay::process::close_at_exec_test
