// Programs: what they print, how they end, and that they end in time.
#include "child/child.hpp"

#include <cerrno>
#include <csignal>

#include "support/test.hpp"

namespace assay::process::child_test {

using namespace std::chrono_literals;

Command shell(const std::string& script) { return {"/bin/sh", {"-c", script}}; }

TEST(Child, TellsHowItEnded) {
  const ProcessResult good = run_to_end(shell("echo out; echo err >&2"), 1min);
  EXPECT_TRUE(good.status.success());
  EXPECT_EQ(good.said, "out\nerr\n");
  const ProcessResult bad = run_to_end(shell("exit 3"), 1min);
  EXPECT_EQ(bad.status.how, ExitKind::kExited);
  EXPECT_EQ(bad.status.number, 3);
  EXPECT_FALSE(bad.status.success());
  const ProcessResult killed = run_to_end(shell("kill -SEGV $$"), 1min);
  EXPECT_EQ(killed.status.how, ExitKind::kSignalled);
  EXPECT_EQ(ending_text(killed.status), "ended by SIGSEGV");
}

TEST(Child, ReportsAProgramThatCannotStart) {
  const ProcessResult missing = run_to_end({"/nowhere/at/all", {}}, 1min);
  EXPECT_EQ(missing.status.how, ExitKind::kNotStarted);
  EXPECT_EQ(missing.status.number, ENOENT);
  EXPECT_EQ(ending_text(missing.status), "cannot be started (No such file or directory)");
  Command elsewhere = shell("true");
  elsewhere.folder = "/nowhere/at/all";
  EXPECT_EQ(run_to_end(elsewhere, 1min).status.how, ExitKind::kNotStarted);
}

TEST(Child, RunsWithTheNameFolderAndEnvironmentThatItIsGiven) {
  Command command = shell("echo $0 $ASSAY_GIVEN $HOME; pwd");
  command.name = "sh";
  command.folder = "/";
  command.environment = {"ASSAY_GIVEN=7"};
  EXPECT_EQ(run_to_end(command, 1min).said, "sh 7\n/\n");
}

TEST(Child, StreamsGoToTheirSinks) {
  std::string out, err;
  const ProcessResult apart = run_to_end(shell("echo out; echo err >&2"), 1min, nullptr, {into(out), into(err)});
  EXPECT_EQ(out, "out\n");
  EXPECT_EQ(err, "err\n");
  EXPECT_EQ(apart.said, "");
}

TEST(Child, IsEndedWhenItsTimeIsUpOrAStopIsAskedFor) {
  const ProcessResult late = run_to_end(shell("sleep 600"), 100ms);
  EXPECT_EQ(late.status.how, ExitKind::kTimedOut);
  const std::atomic<bool> stop{true};
  EXPECT_EQ(run_to_end(shell("sleep 600"), 1min, &stop).status.how, ExitKind::kInterrupted);
}

// It kept the reader busy for ever, so that no time limit was looked at.
TEST(Child, PrintingWithoutEndDoesNotOutlastItsTime) {
  const ProcessResult endless = run_to_end(shell("exec cat /dev/zero"), 300ms);
  EXPECT_EQ(endless.status.how, ExitKind::kTimedOut);
  EXPECT_LE(endless.said.size(), 64U << 10);
  EXPECT_GE(endless.said.size(), 1U << 10);
}

TEST(Child, WithGraceItMayEndByItself) {
  Command polite = shell("trap 'echo bye; exit 4' TERM; echo ready; while :; do sleep 0.05; done");
  polite.grace = 1min;
  std::string out;
  Child::StartResult started = Child::start(polite, {into(out)});
  ASSERT_NE(started.child, nullptr);
  while (out.empty()) static_cast<void>(started.child->wait(20ms));
  const ExitStatus status = started.child->end();
  EXPECT_EQ(status.how, ExitKind::kExited);
  EXPECT_EQ(status.number, 4);
  EXPECT_EQ(out, "ready\nbye\n");
}

TEST(Child, LastWordsAreLinesWithText) {
  EXPECT_EQ(last_words("a\n\nb\n[==50%  ]\r  c  \n"), "a b c");
  EXPECT_EQ(last_words(""), "");
  EXPECT_EQ(last_words(std::string(400, 'x')).size(), 303U);
}

}  // namespace assay::process::child_test
