#include "convert/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace assay::convert {
namespace {

constexpr std::size_t kKept = 16U << 10;
constexpr std::size_t kWords = 300;

/// What the child is to be like. posix_spawn and not fork: between fork and exec nothing of this program may run.
class Setup {
 public:
  Setup() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~Setup() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  void connect(const Command& command, int pipe) {
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, pipe, STDERR_FILENO);
    if (command.output.empty())
      posix_spawn_file_actions_adddup2(&actions_, pipe, STDOUT_FILENO);
    else
      posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, command.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                       0666);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    if (!command.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, command.folder.c_str());
  }

  /// A group of its own, and signals as a shell would leave them: what is ignored here would stay ignored there.
  void stand_alone() {
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }

  int spawn(pid_t& process, const Command& command) const {
    std::vector<char*> words{const_cast<char*>(command.program.c_str())};
    for (const std::string& argument : command.arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    return posix_spawn(&process, command.program.c_str(), &actions_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

Error cannot_start(int why) {
  return Error{std::string("cannot be started (") + std::strerror(why) + ")", Exit::kFailed};
}

bool is_progress(std::string_view line) {
  return line.find('[') < line.find('%') && line.find('%') < line.find(']') && line.find(']') != std::string_view::npos;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\v\f");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\v\f") - first + 1);
}

}  // namespace

Result<std::unique_ptr<Child>> Child::start(const Command& command) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return cannot_start(errno);
  // The child's end waits as programs expect it to.
  fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) & ~O_NONBLOCK);
  Setup setup;
  setup.connect(command, ends[1]);
  setup.stand_alone();
  pid_t process = 0;
  const int failed = setup.spawn(process, command);
  close(ends[1]);
  if (failed == 0) return std::unique_ptr<Child>(new Child(process, ends[0]));
  close(ends[0]);
  return cannot_start(failed);
}

Child::~Child() {
  if (process_ != 0) reap();
  if (pipe_ != -1) close(pipe_);
}

std::optional<Ending> Child::ended() {
  listen();
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
    return std::nullopt;
  }
  const Ending ending = reap();
  listen();
  return ending;
}

/// The group is ended before its leader is reaped: until then nobody else can have its number.
Ending Child::reap() {
  ::kill(-process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) == -1 && errno == EINTR) continue;
  process_ = 0;
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

void Child::listen() {
  std::array<char, 4096> bytes{};
  while (pipe_ != -1) {
    const ssize_t got = ::read(pipe_, bytes.data(), bytes.size());
    if (got > 0) {
      said_.append(bytes.data(), static_cast<std::size_t>(got));
      if (said_.size() > 2 * kKept) said_.erase(0, said_.size() - kKept);
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
      close(pipe_);
      pipe_ = -1;
    } else if (errno == EAGAIN) {
      return;
    }
  }
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

}  // namespace assay::convert
