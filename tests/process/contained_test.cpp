// Work in processes of its own: its answer, or what became of it; and nothing of it is left behind.
#include "process/contained.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <thread>

#include "support/test.hpp"

namespace assay::process::contained_test {

using namespace std::chrono_literals;

constexpr Limits kGenerous{10min, 0};

void sleep_long() { std::this_thread::sleep_for(1h); }

bool has_children() { return !(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD); }

TEST(Contained, HandsBackTheAnswerWhateverItsBytesAndSize) {
  std::string large(3 << 20, 'x');
  large[5] = '\0';
  for (const std::string& answer : {std::string(), std::string("a\0b\xFF", 4), large}) {
    const Outcome outcome = contained(kGenerous, [&] { return answer; });
    EXPECT_TRUE(outcome.answer) << what_happened(outcome, kGenerous);
    EXPECT_TRUE(outcome.answer == answer);
  }
  EXPECT_FALSE(has_children());
}

TEST(Contained, SeesWhatWasPreparedAndChangesNothingHere) {
  int number = 7;
  const Outcome outcome = contained(kGenerous, [&] {
    number += 1;
    return std::to_string(number);
  });
  EXPECT_EQ(outcome.answer, "8");
  EXPECT_EQ(number, 7);
}

TEST(Contained, SeveralTogetherHaveEachTheirOwnEnd) {
  constexpr Limits kShort{3s, 0};
  const std::vector<std::function<std::string()>> works = {
      [] { return std::string("one"); }, []() -> std::string { abort(); }, []() -> std::string { _exit(7); },
      []() -> std::string {
        sleep_long();
        return "awake";
      },
      [] { return std::string(1 << 20, 'y'); }};
  const std::vector<Outcome> outcomes = contained_together(kShort, works);
  ASSERT_EQ(outcomes.size(), works.size());
  EXPECT_EQ(outcomes[0].answer, "one");
  EXPECT_EQ(what_happened(outcomes[1], kShort), "crashed with SIGABRT");
  EXPECT_TRUE(ends_with(what_happened(outcomes[2], kShort), "exit code 7"));
  EXPECT_EQ(outcomes[3].status.how, ExitKind::kTimedOut);
  EXPECT_EQ(outcomes[4].answer, std::string(1 << 20, 'y'));
  EXPECT_FALSE(has_children());
  EXPECT_TRUE(contained_together(kShort, {}).empty());
}

TEST(Contained, ACrashIsAnAnswer) {
  for (const auto& [signal, name] : {std::pair{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"}}) {
    const Outcome outcome = contained(kGenerous, [number = signal]() -> std::string {
      std::raise(number);
      return "survived";
    });
    EXPECT_EQ(outcome.status.how, ExitKind::kSignalled);
    EXPECT_EQ(what_happened(outcome, kGenerous), std::string("crashed with ") + name);
    EXPECT_FALSE(outcome.answer);
  }
  const Outcome thrown = contained(kGenerous, []() -> std::string { throw 42; });
  EXPECT_EQ(what_happened(thrown, kGenerous), "crashed with SIGABRT");
}

TEST(Contained, LeavingWithoutAnAnswerIsNotASuccess) {
  for (const int code : {0, 1, 3}) {
    const Outcome outcome = contained(kGenerous, [code]() -> std::string { _exit(code); });
    EXPECT_EQ(outcome.status.how, ExitKind::kExited);
    EXPECT_EQ(what_happened(outcome, kGenerous), "ended its process with exit code " + std::to_string(code));
  }
}

TEST(Contained, StopsAHangingCopyWithItsChildren) {
  const Limits limits{300ms, 0};
  const Outcome outcome = contained(limits, []() -> std::string {
    if (fork() == 0) sleep_long();
    sleep_long();
    return "";
  });
  EXPECT_EQ(outcome.status.how, ExitKind::kTimedOut);
  EXPECT_EQ(what_happened(outcome, limits), "was stopped after 0.3 s");
  EXPECT_FALSE(has_children());
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

TEST(Contained, WaitingForABusyProcessorIsNotItsTime) {
  if (!std::filesystem::exists("/proc/self/schedstat")) GTEST_SKIP() << "the system does not tell how long it waited";
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  }
  std::vector<pid_t> others;
  for (int i = 0; i < 5; ++i) {
    const pid_t other = fork();
    if (other == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      sched_setaffinity(0, sizeof(one), &one);
      while (true) continue;
    }
    others.push_back(other);
  }
  // A third of its time by the clock of the processor, of which it gets a sixth.
  const Outcome outcome = contained({600ms, 0}, [&one] {
    sched_setaffinity(0, sizeof(one), &one);
    while (cpu_seconds() < 0.2) continue;
    return std::string("done");
  });
  for (const pid_t other : others) {
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
  }
  EXPECT_EQ(outcome.answer, "done");
}

TEST(Contained, ClosingItsPipeDoesNotHideIt) {
  const Limits limits{300ms, 0};
  const Outcome outcome = contained(limits, []() -> std::string {
    for (int file = 3; file < 100; ++file) close(file);
    sleep_long();
    return "";
  });
  EXPECT_EQ(outcome.status.how, ExitKind::kTimedOut);
}

TEST(Contained, MemoryBeyondTheLimitIsAnAnswer) {
  if (!limits_memory()) GTEST_SKIP() << "a sanitizer's build: memory is not limited";
  const Limits limits{10min, std::uint64_t{256} << 20};
  const auto allocate = [](std::size_t megabytes) {
    return [megabytes] {
      std::vector<std::unique_ptr<std::string>> kept;
      for (std::size_t i = 0; i < megabytes; i += 16) kept.push_back(std::make_unique<std::string>(16U << 20, 'x'));
      return std::to_string(kept.size());
    };
  };
  const Outcome fits = contained(limits, allocate(128));
  EXPECT_EQ(fits.answer, "8") << what_happened(fits, limits);
  EXPECT_GE(fits.peak, std::uint64_t{128} << 20);
  EXPECT_LT(fits.peak, std::uint64_t{256} << 20);
  const Outcome greedy = contained(limits, allocate(512));
  EXPECT_TRUE(greedy.out_of_memory);
  EXPECT_EQ(what_happened(greedy, limits), "asked for more than 256 MB");
}

TEST(Contained, CanBeCancelled) {
  const std::atomic<bool> cancel{true};
  const Outcome outcome = contained(
      kGenerous,
      []() -> std::string {
        sleep_long();
        return "";
      },
      &cancel);
  EXPECT_EQ(outcome.status.how, ExitKind::kInterrupted);
}

TEST(Contained, ManyThreadsHearEachOfTheirOwn) {
  std::vector<int> wrong(4, 0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) {
          const bool crash = (static_cast<int>(t) + i) % 3 == 0;
          const std::string expected = std::to_string(t) + "/" + std::to_string(i);
          const Outcome outcome = contained(kGenerous, [&] {
            if (crash) std::raise(SIGSEGV);
            return expected;
          });
          const bool right = crash ? outcome.status.how == ExitKind::kSignalled : outcome.answer == expected;
          wrong[t] += right ? 0 : 1;
        }
      });
    }
  }
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
  EXPECT_FALSE(has_children());
}

}  // namespace assay::process::contained_test
