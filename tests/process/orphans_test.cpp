// Processes that left their parents, their session and their environment: found, counted and ended.
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include "child/child.hpp"
#include "process/children.hpp"
#include "process/contained.hpp"
#include "support/test.hpp"

namespace assay::process::orphans_test {

using namespace std::chrono_literals;

bool is_running(pid_t pid) { return pid > 0 && ::kill(pid, 0) == 0; }

/// As a daemon does: twice forked, without session, environment and output. Prints its id; ignores TERM where asked to.
Command daemon(const char* before, const char* after) {
  return {"/bin/sh",
          {"-c", std::string("exec 3>&1; env -i setsid sh -c '(") + before +
                     "exec sleep 600) >/dev/null 2>&1 3>&- & echo $! >&3'; " + after}};
}

class Orphans : public ::testing::Test {
 protected:
  void SetUp() override { adopt_orphans(); }

  static pid_t started_by(const Command& command) {
    std::string out;
    const ProcessResult ended = run_to_end(command, 1min, nullptr, {into(out)});
    EXPECT_TRUE(ended.status.success()) << ended.said;
    return std::atoi(out.c_str());
  }
};

TEST_F(Orphans, ADaemonThatAProgramLeftIsCountedAndEnded) {
  const pid_t left = started_by(daemon("", "true"));
  ASSERT_TRUE(is_running(left));
  EXPECT_EQ(end_orphans(1min), 1U);
  EXPECT_FALSE(is_running(left));
  EXPECT_EQ(end_orphans(), 0U);
}

TEST_F(Orphans, OneThatIgnoresTermIsKilled) {
  const pid_t left = started_by(daemon("trap \"\" TERM; ", "true"));
  ASSERT_TRUE(is_running(left));
  EXPECT_EQ(end_orphans(100ms), 1U);
  EXPECT_FALSE(is_running(left));
}

TEST_F(Orphans, AreLeftAloneWhileAProgramRunsThatMayNeedThem) {
  const pid_t left = started_by(daemon("", "true"));
  ASSERT_TRUE(is_running(left));
  {
    const Child::StartResult other = Child::start({"/bin/sh", {"-c", "sleep 600"}});
    ASSERT_NE(other.child, nullptr);
    EXPECT_EQ(end_orphans(), 0U);
    EXPECT_TRUE(is_running(left));
  }
  EXPECT_GE(end_orphans(), 1U);  // and what the shell above had started, where it outlived the shell
  EXPECT_FALSE(is_running(left));
}

/// Starts a daemon within contained work, and gives its id to the process that waits for the work.
void become_two(int to) {
  const pid_t middle = fork();
  if (middle != 0) {
    waitpid(middle, nullptr, 0);
    return;
  }
  setsid();
  const pid_t daemon = fork();
  if (daemon != 0) {
    static_cast<void>(!write(to, &daemon, sizeof(daemon)));
    _exit(0);
  }
  clearenv();
  for (int file = 0; file < 64; ++file) close(file);
  std::this_thread::sleep_for(1h);
  _exit(0);
}

TEST_F(Orphans, WorkInACopyLeavesNothingHoweverItEnds) {
  const Limits limits{2s, 0};
  for (const char* way : {"answers", "crashes", "hangs"}) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const Outcome outcome = contained(limits, [&]() -> std::string {
      become_two(ends[1]);
      if (std::string(way) == "crashes") std::raise(SIGSEGV);
      if (std::string(way) == "hangs") std::this_thread::sleep_for(1h);
      return "done";
    });
    pid_t left = 0;
    ASSERT_EQ(read(ends[0], &left, sizeof(left)), static_cast<ssize_t>(sizeof(left)));
    close(ends[0]);
    close(ends[1]);
    EXPECT_FALSE(is_running(left)) << way;
    EXPECT_EQ(outcome.left_behind, 1U) << way;
    EXPECT_EQ(outcome.answer.has_value(), std::string(way) == "answers");
  }
}

TEST_F(Orphans, SurviveTheEndOfAnotherCopy) {
  int started[2], others_ended[2];
  ASSERT_EQ(pipe(started), 0);
  ASSERT_EQ(pipe(others_ended), 0);
  Outcome slow;
  std::jthread other([&] {
    slow = contained({1min, 0}, [&]() -> std::string {
      int ends[2];
      if (pipe(ends) != 0) return "no pipe";
      become_two(ends[1]);
      pid_t daemon = 0;
      if (read(ends[0], &daemon, sizeof(daemon)) != static_cast<ssize_t>(sizeof(daemon))) return "no daemon";
      char byte = 'x';
      if (write(started[1], &byte, 1) != 1 || read(others_ended[0], &byte, 1) != 1) return "no news of the others";
      return is_running(daemon) ? "runs" : "was ended";
    });
  });
  pollfd news{started[0], POLLIN, 0};
  EXPECT_EQ(poll(&news, 1, 60'000), 1) << "the slow copy has started its daemon";
  // All end before the slow one does: of two that end at once, either may find what one of them left.
  for (int i = 0; i < 20; ++i) {
    const Outcome quick = contained({1min, 0}, [] { return std::string("done"); });
    EXPECT_TRUE(quick.answer);
    EXPECT_EQ(quick.left_behind, 0U);
  }
  EXPECT_EQ(write(others_ended[1], "x", 1), 1);
  other.join();
  EXPECT_EQ(slow.answer, "runs");
  EXPECT_EQ(slow.left_behind, 1U);
  for (const int end : {started[0], started[1], others_ended[0], others_ended[1]}) close(end);
}

}  // namespace assay::process::orphans_test
