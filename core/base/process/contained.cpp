#include "process/contained.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "process/children.hpp"
#include "process/peak_memory.hpp"

namespace assay::process {
namespace {

using Clock = std::chrono::steady_clock;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

// First byte that the child sends; after kAnswer follow the peak and the answer. An answer counts only if the child
// then exits with code 0.
constexpr char kAnswer = 'A', kNoMemory = 'M';

void send(int to, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t sent = write(to, at, size);
    if (sent == -1 && errno == EINTR) continue;
    if (sent <= 0) return;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

/// Pipe for the child's out-of-memory handler. Set in the child only, which has one such pipe.
int memory_news = -1;

[[noreturn]] void out_of_memory() {
  send(memory_news, &kNoMemory, 1);
  _exit(1);
}

std::uint64_t address_space() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t pages = 0;
  in >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void limit_memory(std::uint64_t more) {
  if (more == 0 || kSanitized) return;
  rlimit limit{};
  limit.rlim_cur = limit.rlim_max = address_space() + more;
  setrlimit(RLIMIT_AS, &limit);
}

/// Isolates the forked copy: it reaps its own orphans, so they are not attributed to another copy; default signal
/// handlers; stdin from /dev/null; no core dump (the process is large); first choice of the OOM killer.
void isolate(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  adopt_orphans();
  for (const int number :
       {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE, SIGXFSZ, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    signal(number, SIG_DFL);
  const rlimit none{};
  setrlimit(RLIMIT_CORE, &none);
  if (const int nothing = open("/dev/null", O_RDONLY); nothing > STDIN_FILENO) {
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
  if (const int score = open("/proc/self/oom_score_adj", O_WRONLY); score != -1) {
    send(score, "1000", 4);
    close(score);
  }
}

[[noreturn]] void run_in_child(int pipe, pid_t parent, const Limits& limits,
                               const std::function<std::string()>& work) noexcept {
  isolate(parent);
  memory_news = pipe;
  std::set_new_handler(&out_of_memory);
  const PeakMemory memory;
  limit_memory(limits.memory);
  const std::string answer = work();
  const std::uint64_t peak = memory.bytes();
  send(pipe, &kAnswer, 1);
  send(pipe, &peak, sizeof(peak));
  send(pipe, answer.data(), answer.size());
  _exit(0);
}

/// How long a process has waited for a processor; 0 if the system does not report it.
std::chrono::nanoseconds queued(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/schedstat");
  std::int64_t ran = 0, waited = 0;
  return std::chrono::nanoseconds(in >> ran >> waited ? waited : 0);
}

/// A running child and its output so far.
class RunningChild {
 public:
  RunningChild(pid_t child, int pipe, const Limits& limits)
      : child_(child), pipe_(pipe), time_(limits.time), from_(Clock::now()), latest_(from_ + time_) {}
  ~RunningChild() { close(pipe_); }
  RunningChild(const RunningChild&) = delete;
  RunningChild& operator=(const RunningChild&) = delete;

  /// Entry for poll(2) that signals news of the child; empty if there is none left.
  [[nodiscard]] std::optional<pollfd> poll_entry() const {
    return open_ ? std::optional(pollfd{pipe_, POLLIN, 0}) : std::nullopt;
  }
  [[nodiscard]] Clock::time_point latest() const { return latest_; }
  /// Whether its time is up. On a busy machine it gets the time that it waited for a processor on top, up to ten times
  /// its limit.
  bool is_late() {
    constexpr int kMaxTimes = 9;
    if (Clock::now() < latest_) return false;
    latest_ = from_ + time_ + std::min<Clock::duration>(queued(child_), kMaxTimes * time_);
    return Clock::now() >= latest_;
  }

  /// Reads its output; returns whether it has ended.
  bool has_ended() {
    read_output();
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
  }

  /// Ends the group before reaping its leader, since until then its process id cannot be reused; then ends what left
  /// the group.
  ExitStatus end() {
    kill(-child_, SIGKILL);
    kill(child_, SIGKILL);
    const ExitStatus status = status_of(reap(child_));
    left_behind_ = end_orphans();
    read_output();
    return status;
  }

  [[nodiscard]] std::size_t left_behind() const { return left_behind_; }
  [[nodiscard]] std::string& output() { return said_; }
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - from_).count(); }

 private:
  void read_output() {
    std::array<char, 65536> bytes{};
    // Only so much per call that the caller still checks its time limit if output never ends.
    for (int pieces = 0; open_ && pieces < 1024; ++pieces) {
      const ssize_t got = read(pipe_, bytes.data(), bytes.size());
      if (got > 0)
        said_.append(bytes.data(), static_cast<std::size_t>(got));
      else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        open_ = false;
      else if (errno == EAGAIN)
        return;
    }
  }

  pid_t child_;
  int pipe_;
  std::chrono::milliseconds time_;
  Clock::time_point from_, latest_;
  bool open_ = true;
  std::size_t left_behind_ = 0;
  std::string said_;
};

void read_answer(std::string& said, Outcome& outcome) {
  constexpr std::size_t kHead = 1 + sizeof(outcome.peak);
  outcome.out_of_memory = !said.empty() && said.front() == kNoMemory;
  if (outcome.out_of_memory || !outcome.status.success() || said.size() < kHead) return;
  std::memcpy(&outcome.peak, said.data() + 1, sizeof(outcome.peak));
  outcome.answer = said.substr(kHead);
}

/// Null, with errno, if no process can be created.
std::unique_ptr<RunningChild> start(const Limits& limits, const std::function<std::string()>& work) {
  Starter starter;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return nullptr;
  const pid_t parent = getpid();
  const pid_t child = starter.fork(ChildKind::kCopy);
  if (child == 0) {
    close(ends[0]);
    run_in_child(ends[1], parent, limits, work);
  }
  const int why = errno;
  close(ends[1]);
  if (child == -1) {
    close(ends[0]);
    errno = why;
    return nullptr;
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return std::make_unique<RunningChild>(child, ends[0], limits);
}

/// Waits briefly for news of any child.
void wait_for_news(std::span<const std::unique_ptr<RunningChild>> all) {
  constexpr std::chrono::milliseconds kPause{1}, kLongest{100};
  std::chrono::milliseconds longest = kLongest;
  std::vector<pollfd> news;
  for (const auto& running : all) {
    if (running == nullptr) continue;
    const std::optional<pollfd> of_one = running->poll_entry();
    if (of_one) news.push_back(*of_one);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(running->latest() - Clock::now());
    longest = std::min(longest, of_one ? left : kPause);
  }
  poll(news.data(), news.size(), static_cast<int>(std::max(longest, kPause).count()));
}

Outcome outcome_of(RunningChild& running, std::optional<ExitKind> forced) {
  Outcome outcome;
  outcome.status = running.end();
  outcome.left_behind = running.left_behind();
  outcome.seconds = running.seconds();
  if (forced)
    outcome.status = {*forced, 0};
  else
    read_answer(running.output(), outcome);
  return outcome;
}

}  // namespace

bool limits_memory() { return !kSanitized; }

Outcome contained(const Limits& limits, const std::function<std::string()>& work, const std::atomic<bool>* cancel) {
  return std::move(contained_together(limits, {&work, 1}, cancel).front());
}

std::vector<Outcome> contained_together(const Limits& limits, std::span<const std::function<std::string()>> works,
                                        const std::atomic<bool>* cancel) {
  adopt_orphans();
  std::vector<Outcome> outcomes(works.size());
  std::vector<std::unique_ptr<RunningChild>> running;
  std::size_t left = 0;
  for (std::size_t i = 0; i < works.size(); ++i) {
    running.push_back(start(limits, works[i]));
    if (running.back() == nullptr)
      outcomes[i].status.number = errno;
    else
      ++left;
  }
  while (left > 0) {
    wait_for_news(running);
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (running[i] == nullptr) continue;
      std::optional<ExitKind> forced;
      if (!running[i]->has_ended()) {
        if (cancel != nullptr && cancel->load()) forced = ExitKind::kInterrupted;
        if (running[i]->is_late()) forced = ExitKind::kTimedOut;
        if (!forced) continue;
      }
      outcomes[i] = outcome_of(*running[i], forced);
      running[i].reset();
      --left;
    }
  }
  return outcomes;
}

namespace {

std::string seconds_text(std::chrono::milliseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", static_cast<double>(time.count()) / 1000);
  return text.data();
}

}  // namespace

std::string what_happened(const Outcome& outcome, const Limits& limits) {
  const auto& [how, number] = outcome.status;
  if (outcome.answer) return {};
  if (outcome.out_of_memory) {
    return limits.memory == 0 ? "asked for more memory than is available"
                              : "asked for more than " + std::to_string(limits.memory >> 20) + " MB";
  }
  switch (how) {
    case ExitKind::kSignalled:
      return "crashed with " + signal_name(number) +
             (number == SIGKILL ? ", as when the system runs out of memory" : "");
    case ExitKind::kExited:
      return "ended its process with exit code " + std::to_string(number);
    case ExitKind::kTimedOut:
      return "was stopped after " + seconds_text(limits.time);
    case ExitKind::kInterrupted:
      return "was interrupted";
    case ExitKind::kNotStarted:
      return std::string("could not be run in a separate process (") + std::strerror(number) + ")";
  }
  return {};
}

}  // namespace assay::process
