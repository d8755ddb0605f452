#include "process/children.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace assay::process {
namespace fs = std::filesystem;
namespace {

struct Registry {
  std::mutex mutex;
  std::map<pid_t, ChildKind> children;
};

Registry& registry() {
  static Registry all;
  return all;
}

/// Kernels without /proc/PID/task/TID/children list the parent in /proc/PID/stat: "PID (NAME) STATE PARENT ...".
std::vector<pid_t> children_by_stat(pid_t parent) {
  std::vector<pid_t> found;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator("/proc", failed)) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0) continue;
    std::ifstream in(entry.path() / "stat");
    std::string line;
    std::getline(in, line);
    const std::size_t name_end = line.rfind(") ");
    // After the name: the state, one letter, and the parent.
    if (name_end != std::string::npos && line.size() > name_end + 4 && std::atoi(line.c_str() + name_end + 4) == parent)
      found.push_back(pid);
  }
  return found;
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  std::error_code failed;
  for (const auto& thread : fs::directory_iterator("/proc/" + std::to_string(parent) + "/task", failed)) {
    std::ifstream in(thread.path() / "children");
    if (!in && parent == getpid()) return children_by_stat(parent);
    for (pid_t pid = 0; in >> pid;) found.push_back(pid);
  }
  return found;
}

/// Adds a process and all of its descendants.
void add_family(pid_t of, std::vector<pid_t>& to) {
  std::size_t next = to.size();
  for (to.push_back(of); next < to.size(); ++next) {
    const std::vector<pid_t> below = children_of(to[next]);
    to.insert(to.end(), below.begin(), below.end());
  }
}

bool has_ended(pid_t child) { return waitpid(child, nullptr, WNOHANG) == child; }

/// Running orphans with all of their descendants; reaps those that have ended.
std::vector<pid_t> running_orphans() {
  const std::scoped_lock lock(registry().mutex);
  const auto& known = registry().children;
  std::vector<pid_t> found;
  if (std::ranges::any_of(known, [](const auto& child) { return child.second == ChildKind::kProgram; })) return found;
  for (const pid_t pid : children_of(getpid())) {
    if (known.contains(pid) || has_ended(pid)) continue;
    add_family(pid, found);
  }
  return found;
}

}  // namespace

Starter::Starter() : lock_(registry().mutex) {}

pid_t Starter::fork(ChildKind kind) {
  const pid_t child = ::fork();
  if (child > 0) {
    setpgid(child, child);  // in parent and child, because either may run first
    registry().children.emplace(child, kind);
  }
  if (child == 0) {
    setpgid(0, 0);
    registry().children.clear();  // to the child they are siblings
    lock_.unlock();
  }
  return child;
}

int reap(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) == -1 && errno == EINTR) continue;
  const std::scoped_lock lock(registry().mutex);
  registry().children.erase(child);
  return status;
}

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::size_t end_orphans(std::chrono::milliseconds grace) {
  using Steady = std::chrono::steady_clock;
  constexpr int kTick = 20, kMaxTries = 250;  // milliseconds; gives up after 5 s on a process that keeps starting
                                              // others
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  const Steady::time_point latest = Steady::now() + grace;
  std::set<pid_t> seen;
  for (int tries = 0; tries < kMaxTries;) {
    const std::vector<pid_t> running = running_orphans();
    if (running.empty()) break;
    const bool patient = Steady::now() < latest;
    if (!patient) ++tries;
    for (const pid_t pid : running) {
      const bool fresh = seen.insert(pid).second;
      if (!patient || fresh) ::kill(pid, patient ? SIGTERM : SIGKILL);
    }
    poll(nullptr, 0, tries == 1 ? 1 : kTick);
  }
  return seen.size();
}

}  // namespace assay::process
