#include "record/process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>

#include "files/descriptor.hpp"
#include "files/program.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
using files::Descriptor;

constexpr std::chrono::seconds kGrace{5};
constexpr std::chrono::milliseconds kTick{50};

double seconds_since(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

/// What a stream printed, into a file, up to what is kept.
class Log {
 public:
  Log(const fs::path& file, Descriptor from)
      : file_(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)), from_(std::move(from)) {}

  [[nodiscard]] int news() const { return from_.get(); }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

  void listen() {
    std::array<char, 65536> bytes{};
    while (from_) {
      const ssize_t got = ::read(from_.get(), bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) {
        from_ = Descriptor();
        return;
      }
      keep({bytes.data(), static_cast<std::size_t>(got)});
    }
  }

  void finish() {
    if (dropped_ == 0) return;
    const std::string word = "\n[assay: " + std::to_string(dropped_) + " more bytes were printed and are not kept]\n";
    put(word);
  }

 private:
  void keep(std::string_view bytes) {
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), kMostLog - kept_));
    if (put(bytes.substr(0, room)))
      kept_ += room;
    else
      kept_ = kMostLog;  // the disk is full: no more is tried, the journal says how the run ended
    dropped_ += bytes.size() - room;
  }
  bool put(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t done = ::write(file_.get(), bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
  }

  Descriptor file_, from_;
  std::uint64_t kept_ = 0, dropped_ = 0;
};

struct Pipe {
  Descriptor read, write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// This process's variables with others put over them, as exec takes them.
std::vector<std::string> environment_of(const ProcessSpec& spec) {
  std::map<std::string, std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view text = *at;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) variables[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : spec.env) variables[name] = value;
  variables["ASSAY_RUN"] = spec.mark;
  std::vector<std::string> out;
  for (const auto& [name, value] : variables) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// All that the child needs, made before the fork: between fork and exec nothing is allocated.
struct Prepared {
  std::string program, folder;
  std::vector<std::string> words, env;
  std::vector<char*> argv, envp;
};

[[noreturn]] void be_the_child(const Prepared& prepared, int out, int err, int why, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool ready = getppid() == parent && chdir(prepared.folder.c_str()) == 0 && dup2(null, STDIN_FILENO) >= 0 &&
                     dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0;
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  if (ready) execve(prepared.program.c_str(), prepared.argv.data(), prepared.envp.data());
  const int problem = errno;
  if (::write(why, &problem, sizeof(problem)) < 0) _exit(126);
  _exit(127);
}

std::string line_with(const std::string& file, std::string_view begin) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(begin)) continue;
    line.erase(0, begin.size());
    line.erase(0, line.find_first_not_of(" \t"));
    return line;
  }
  return {};
}

/// The second word of the first line of numa_maps: the memory policy.
std::string policy_of(const std::string& folder) {
  std::ifstream in(folder + "/numa_maps");
  std::string address, policy;
  in >> address >> policy;
  return policy;
}

class Running {
 public:
  Running(pid_t leader, const ProcessSpec& spec, Log& out, Log& err)
      : leader_(leader), mark_(spec.mark), out_(out), err_(err) {}

  /// How it ended within the time; nothing: it goes on.
  std::optional<int> wait(std::chrono::milliseconds time) {
    std::array<pollfd, 2> news{{{out_.news(), POLLIN, 0}, {err_.news(), POLLIN, 0}}};
    if (news[0].fd < 0 && news[1].fd < 0)
      poll(nullptr, 0, static_cast<int>(std::min(time, kTick / 5).count()));
    else
      poll(news.data(), news.size(), static_cast<int>(time.count()));
    out_.listen();
    err_.listen();
    int status = 0;
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
      return std::nullopt;
    // What is left of the group is ended while its leader still holds the group's number.
    if (kill(-leader_, 0) == 0) ::kill(-leader_, SIGTERM);
    while (waitpid(leader_, &status, 0) == -1 && errno == EINTR) continue;
    return status;
  }

  /// TERM, a while, KILL; the leader's status.
  int end() {
    ::kill(-leader_, SIGTERM);
    for (const int pid : marked(mark_)) ::kill(pid, SIGTERM);
    const Clock::time_point latest = Clock::now() + kGrace;
    while (Clock::now() < latest) {
      if (const auto status = wait(kTick)) return *status;
    }
    ::kill(-leader_, SIGKILL);
    for (const int pid : marked(mark_)) ::kill(pid, SIGKILL);
    while (true) {
      if (const auto status = wait(kTick)) return *status;
    }
  }

  void look_at_binding(ProcessEnd& end) const {
    const std::string folder = "/proc/" + std::to_string(leader_);
    end.cpus = line_with(folder + "/status", "Cpus_allowed_list:");
    end.memory_policy = policy_of(folder);
  }

 private:
  pid_t leader_;
  std::string mark_;
  Log &out_, &err_;
};

void reap_all() {
  while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
}

}  // namespace

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<int> marked(const std::string& mark) {
  std::vector<int> found;
  DIR* proc = opendir("/proc");
  if (proc == nullptr) return found;
  const std::string wanted = "ASSAY_RUN=" + mark;
  while (const dirent* entry = readdir(proc)) {
    const int pid = std::atoi(entry->d_name);
    if (pid <= 1 || pid == getpid()) continue;
    std::ifstream in("/proc/" + std::string(entry->d_name) + "/environ", std::ios::binary);
    for (std::string variable; std::getline(in, variable, '\0');) {
      if (variable == wanted || variable.starts_with(wanted + "/")) {
        found.push_back(pid);
        break;
      }
    }
  }
  closedir(proc);
  return found;
}

std::size_t end_marked(const std::string& mark, bool reap) {
  const auto reap_ended = [reap] {
    if (reap) reap_all();
  };
  reap_ended();
  const std::vector<int> first = marked(mark);
  for (const int pid : first) ::kill(pid, SIGTERM);
  const Clock::time_point latest = Clock::now() + kGrace;
  std::vector<int> left = first;
  while (!left.empty() && Clock::now() < latest) {
    poll(nullptr, 0, static_cast<int>(kTick.count()));
    reap_ended();
    left = marked(mark);
  }
  for (int tries = 0; !left.empty() && tries < 100; ++tries) {
    for (const int pid : left) ::kill(pid, SIGKILL);
    poll(nullptr, 0, static_cast<int>(kTick.count()));
    reap_ended();
    left = marked(mark);
  }
  return first.size();
}

fs::path program_path(const std::string& word, const fs::path& folder) {
  if (word.find('/') != std::string::npos) {
    const fs::path file = fs::path(word).is_absolute() ? fs::path(word) : fs::absolute(folder / word);
    return can_be_run(file) ? file : fs::path();
  }
  const char* path = std::getenv("PATH");
  return program_in(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin", word).value_or(fs::path());
}

ProcessEnd run_process(const ProcessSpec& spec, const std::atomic<bool>& stop) {
  ProcessEnd end;
  end.number = ENOENT;
  const fs::path program = program_path(spec.words.front(), spec.folder);
  if (program.empty()) return end;
  Prepared prepared{
      program.string(), spec.folder.empty() ? "." : spec.folder.string(), spec.words, environment_of(spec), {}, {}};
  prepared.argv = pointers_to(prepared.words);
  prepared.envp = pointers_to(prepared.env);
  Pipe out = make_pipe(), err = make_pipe(), why = make_pipe();
  end.number = errno;
  if (!out.read || !err.read || !why.read) return end;
  const Clock::time_point from = Clock::now();
  const pid_t parent = getpid(), leader = fork();
  if (leader == 0) be_the_child(prepared, out.write.get(), err.write.get(), why.write.get(), parent);
  end.number = errno;
  if (leader < 0) return end;
  setpgid(leader, leader);  // here too: whoever comes first
  for (Pipe* pipe : {&out, &err, &why}) pipe->write = Descriptor();
  Log printed(spec.out, std::move(out.read)), complained(spec.err, std::move(err.read));
  Running running(leader, spec, printed, complained);
  std::optional<int> status;
  std::optional<How> forced;
  while (!status) {
    status = running.wait(kTick);
    if (status) break;
    if (end.cpus.empty() && seconds_since(from) > 0.3) running.look_at_binding(end);
    if (stop) forced = How::kInterrupted;
    if (seconds_since(from) > spec.timeout_seconds) forced = How::kTimedOut;
    if (forced) status = running.end();
  }
  end.seconds = seconds_since(from);
  end.left_behind = end_marked(spec.mark, spec.alone);
  printed.listen();
  complained.listen();
  printed.finish();
  complained.finish();
  end.dropped = printed.dropped() + complained.dropped();
  int problem = 0;
  if (::read(why.read.get(), &problem, sizeof(problem)) == sizeof(problem)) {
    end.how = How::kNotStarted;
    end.number = problem;
  } else if (forced) {
    end.how = *forced;
    end.number = 0;
  } else if (WIFSIGNALED(*status)) {
    end.how = How::kSignalled;
    end.number = WTERMSIG(*status);
  } else {
    end.how = How::kExited;
    end.number = WEXITSTATUS(*status);
  }
  return end;
}

}  // namespace assay::record
