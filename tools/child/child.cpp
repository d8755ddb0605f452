#include "child/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "process/children.hpp"
#include "process/close_at_exec.hpp"

namespace assay::process {
namespace {

using files::Descriptor;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kKept = 16U << 10;
constexpr std::size_t kWords = 300;

struct Pipe {
  Descriptor read, write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

/// Everything the child needs, prepared before the fork: nothing may be allocated between fork and exec.
struct ExecArguments {
  explicit ExecArguments(const Command& command)
      : program(command.program.string()),
        name(command.name.empty() ? program : command.name),
        folder(command.folder.empty() ? "." : command.folder.string()),
        output(command.output.string()),
        parent_ends(command.grace.count() > 0 ? SIGTERM : SIGKILL),
        parent(getpid()),
        arguments(pointers_to(command.arguments)),
        variables(pointers_to(command.environment)) {
    arguments.insert(arguments.begin(), name.data());
    environment = command.environment.empty() ? environ : variables.data();
  }

  std::string program, name, folder, output;
  int parent_ends;  ///< signal it receives when this process dies
  pid_t parent;
  std::vector<char*> arguments, variables;
  char** environment;
};

/// Resets signals as a shell does: a signal ignored here would stay ignored in the child.
void reset_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become(const ExecArguments& prepared, int out, int err, int why) {
  prctl(PR_SET_PDEATHSIG, prepared.parent_ends);
  reset_signals();
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (!prepared.output.empty()) out = ::open(prepared.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const bool ready = getppid() == prepared.parent && chdir(prepared.folder.c_str()) == 0 &&
                     dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0;
  close_at_exec(STDERR_FILENO + 1);
  if (ready) execve(prepared.program.c_str(), prepared.arguments.data(), prepared.environment);
  const int problem = errno;
  if (::write(why, &problem, sizeof(problem)) < 0) _exit(126);
  _exit(127);
}

bool is_progress(std::string_view line) {
  return line.find('[') < line.find('%') && line.find('%') < line.find(']') && line.find(']') != std::string_view::npos;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\v\f");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\v\f") - first + 1);
}

/// Reads what is available, but only so much per call that the caller still checks its time limit if output never ends.
void forward(Descriptor& from, const Sink& sink) {
  std::array<char, 65536> bytes{};
  for (int pieces = 0; from && pieces < 64;) {
    const ssize_t got = ::read(from.get(), bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      from = Descriptor();
      return;
    }
    sink({bytes.data(), static_cast<std::size_t>(got)});
    ++pieces;
  }
}

/// errno of the step that failed before exec; 0: none.
int problem_in(const Descriptor& why) {
  int problem = 0;
  ssize_t got = 0;
  while ((got = ::read(why.get(), &problem, sizeof(problem))) < 0 && errno == EINTR) continue;
  return got == static_cast<ssize_t>(sizeof(problem)) ? problem : 0;
}

}  // namespace

Child::StartResult Child::start(const Command& command, Sinks sinks) {
  const ExecArguments prepared(command);
  Pipe out, err, why;
  std::unique_ptr<Child> child;
  {
    Starter starter;
    err = make_pipe();
    why = make_pipe();
    if (sinks.out) out = make_pipe();
    if (!err.read || !why.read || (sinks.out && !out.read)) return {nullptr, errno};
    const pid_t process = starter.fork(ChildKind::kProgram);
    if (process == 0) become(prepared, (sinks.out ? out : err).write.get(), err.write.get(), why.write.get());
    if (process < 0) return {nullptr, errno};
    child.reset(new Child(process, command.grace));
    for (Pipe* pipe : {&out, &err, &why}) pipe->write = Descriptor();
  }
  const auto stream_of = [kept = child.get()](Descriptor from, Sink sink) {
    if (from) fcntl(from.get(), F_SETFL, fcntl(from.get(), F_GETFL) | O_NONBLOCK);
    if (!sink) sink = [kept](std::string_view bytes) { kept->append_tail(bytes); };
    return Stream{std::move(from), std::move(sink)};
  };
  child->out_ = stream_of(std::move(out.read), std::move(sinks.out));
  child->err_ = stream_of(std::move(err.read), std::move(sinks.err));
  if (const int problem = problem_in(why.read); problem != 0) return {nullptr, problem};
  return {std::move(child), 0};
}

Child::~Child() {
  if (process_ == 0) return;
  ::kill(-process_, SIGKILL);
  process::reap(process_);
}

std::optional<ExitStatus> Child::poll_exit() {
  read_output();
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
    return std::nullopt;
  }
  const ExitStatus status = reap();
  read_output();
  return status;
}

std::optional<ExitStatus> Child::wait(std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds kSilent{10};  // poll interval for a process that has closed its pipes
  std::array<pollfd, 2> news{{{out_.pipe.get(), POLLIN, 0}, {err_.pipe.get(), POLLIN, 0}}};
  const bool silent = news[0].fd < 0 && news[1].fd < 0;
  poll(news.data(), news.size(), static_cast<int>((silent ? std::min(time, kSilent) : time).count()));
  return poll_exit();
}

ExitStatus Child::end() {
  constexpr std::chrono::milliseconds kTick{50};
  const Clock::time_point latest = Clock::now() + grace_;
  if (grace_.count() > 0) ::kill(-process_, SIGTERM);
  while (Clock::now() < latest) {
    if (const auto status = wait(kTick)) return *status;
  }
  ::kill(-process_, SIGKILL);
  while (true) {
    if (const auto status = wait(kTick)) return *status;
  }
}

/// Ends the group before reaping its leader; until then its process id cannot be reused.
ExitStatus Child::reap() {
  ::kill(-process_, grace_.count() > 0 ? SIGTERM : SIGKILL);
  return status_of(process::reap(std::exchange(process_, 0)));
}

void Child::append_tail(std::string_view bytes) {
  said_.append(bytes);
  if (said_.size() > 2 * kKept) said_.erase(0, said_.size() - kKept);
}

void Child::read_output() {
  forward(out_.pipe, out_.sink);
  forward(err_.pipe, err_.sink);
}

Sink into(std::string& text) {
  static constexpr std::size_t kMax = 64U << 20;
  return [&text](std::string_view bytes) { text.append(bytes.substr(0, kMax - std::min(kMax, text.size()))); };
}

ProcessResult run_to_end(const Command& command, std::chrono::milliseconds limit, const std::atomic<bool>* stop,
                         Sinks sinks) {
  constexpr std::chrono::milliseconds kTick{20};
  const Child::StartResult started = Child::start(command, std::move(sinks));
  if (!started.child) return {{ExitKind::kNotStarted, started.why}, {}};
  const Clock::time_point latest = Clock::now() + limit;
  std::optional<ExitStatus> status;
  while (!(status = started.child->wait(kTick))) {
    const bool stopped = stop != nullptr && *stop;
    if (!stopped && Clock::now() < latest) continue;
    started.child->end();
    status = ExitStatus{stopped ? ExitKind::kInterrupted : ExitKind::kTimedOut, 0};
    break;
  }
  return {*status, std::string(started.child->output_tail())};
}

std::string last_words(std::string_view said) {
  constexpr std::size_t kLines = 3;
  std::vector<std::string_view> lines;
  while (!said.empty()) {
    const std::size_t end = std::min(said.find_first_of("\r\n"), said.size());
    const std::string_view line = trimmed(said.substr(0, end));
    if (!line.empty() && !is_progress(line)) lines.push_back(line);
    said.remove_prefix(std::min(end + 1, said.size()));
  }
  std::string words;
  for (std::size_t i = lines.size() - std::min(kLines, lines.size()); i < lines.size(); ++i) {
    words.append(words.empty() ? "" : " ").append(lines[i]);
  }
  return words.size() <= kWords ? words : words.substr(0, kWords) + "...";
}

}  // namespace assay::process
