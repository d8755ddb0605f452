#include "record/process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>

#include "child/child.hpp"
#include "files/descriptor.hpp"
#include "files/program.hpp"
#include "files/read_file.hpp"
#include "process/children.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
using process::ExitKind;

constexpr std::chrono::seconds kGrace{5};
constexpr std::chrono::milliseconds kTick{50};
constexpr std::size_t kMaxOfAName = 15;  // limit of a program's name in /proc/PID/comm

double seconds_since(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

/// Writes a stream to a file, up to a limit.
class Log {
 public:
  explicit Log(const fs::path& file) {
    if (auto opened = files::open_own_file(file, O_TRUNC)) file_ = std::move(*opened);
  }

  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

  process::Sink sink() {
    return [this](std::string_view bytes) { append_tail(bytes); };
  }

  void finish() {
    if (dropped_ == 0) return;
    const std::string word = "\n[assay: " + std::to_string(dropped_) + " more bytes were printed and not kept]\n";
    write_all(word);
  }

 private:
  void append_tail(std::string_view bytes) {
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), kMaxLog - kept_));
    if (write_all(bytes.substr(0, room)))
      kept_ += room;
    else
      kept_ = kMaxLog;  // the disk is full: stops writing; the journal records how the run ended
    dropped_ += bytes.size() - room;
  }
  bool write_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t done = ::write(file_.get(), bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
  }

  files::Descriptor file_;
  std::uint64_t kept_ = 0, dropped_ = 0;
};

/// Environment of this process with overrides, for exec.
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

/// Second word of the first line of numa_maps: the memory policy.
std::string policy_of(const std::string& folder) {
  std::ifstream in(folder + "/numa_maps");
  std::string address, policy;
  in >> address >> policy;
  return policy;
}

void read_binding(pid_t leader, ProcessEnd& end) {
  const std::string folder = "/proc/" + std::to_string(leader);
  end.cpus = line_with(folder + "/status", "Cpus_allowed_list:");
  end.memory_policy = policy_of(folder);
}

/// Waits for the end within the time limit, or ends it.
process::ExitStatus wait_for(process::Child& child, const ProcessSpec& spec, const std::atomic<bool>& stop,
                             ProcessEnd& end) {
  const Clock::time_point from = Clock::now();
  while (true) {
    const auto status = child.wait(kTick);
    end.seconds = seconds_since(from);
    if (status) return *status;
    if (end.cpus.empty() && end.seconds > 0.3) read_binding(child.id(), end);
    if (!stop && end.seconds <= spec.timeout_seconds) continue;
    const ExitKind how = end.seconds > spec.timeout_seconds ? ExitKind::kTimedOut : ExitKind::kInterrupted;
    for (const int pid : marked(spec.mark)) ::kill(pid, SIGTERM);
    child.end();
    end.seconds = seconds_since(from);
    return {how, 0};
  }
}

/// Processes that a profiler always leaves (a daemon with its own name), which are not worth reporting.
std::size_t left_by_profiler(const ProcessSpec& spec) {
  if (!spec.profiled) return 0;
  const std::string program = fs::path(spec.words.front()).filename().string();
  const std::vector<int> left = marked(spec.mark);
  return static_cast<std::size_t>(std::ranges::count_if(left, [&](int pid) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/comm");
    std::string name;
    return std::getline(in, name) && name.starts_with(program.substr(0, kMaxOfAName));
  }));
}

}  // namespace

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

std::size_t end_marked(const std::string& mark) {
  const std::vector<int> first = marked(mark);
  for (const int pid : first) ::kill(pid, SIGTERM);
  const Clock::time_point latest = Clock::now() + kGrace;
  std::vector<int> left = first;
  while (!left.empty() && Clock::now() < latest) {
    poll(nullptr, 0, static_cast<int>(kTick.count()));
    left = marked(mark);
  }
  for (int tries = 0; !left.empty() && tries < 100; ++tries) {
    for (const int pid : left) ::kill(pid, SIGKILL);
    poll(nullptr, 0, static_cast<int>(kTick.count()));
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
  end.status.number = ENOENT;
  const fs::path program = program_path(spec.words.front(), spec.folder);
  if (program.empty()) return end;
  Log printed(spec.out), complained(spec.err);
  const process::Command command{.program = program,
                                 .arguments = {spec.words.begin() + 1, spec.words.end()},
                                 .folder = spec.folder,
                                 .environment = environment_of(spec),
                                 .name = spec.words.front(),
                                 .grace = kGrace};
  const process::Child::StartResult started = process::Child::start(command, {printed.sink(), complained.sink()});
  if (started.child) {
    end.status = wait_for(*started.child, spec, stop, end);
    if (spec.when_ended) spec.when_ended();
    // Orphans keep the mark in their environment unless they cleared it, which no profiler does.
    const std::size_t profilers = left_by_profiler(spec);
    const std::size_t ended = (spec.alone ? process::end_orphans(kGrace) : 0) + end_marked(spec.mark);
    end.left_behind = ended - std::min(ended, profilers);
    started.child->read_output();
  } else {
    end.status.number = started.why;
  }
  printed.finish();
  complained.finish();
  end.dropped = printed.dropped() + complained.dropped();
  return end;
}

}  // namespace assay::record
