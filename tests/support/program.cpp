#include "program.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <regex>
#include <stdexcept>

namespace assay::testing {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void become_assay(const fs::path& folder, const std::vector<std::string>& arguments, const Limits& limits,
                               const fs::path& out, const fs::path& err) {
  const std::string program = limits.program.empty() ? ASSAY_PROGRAM : limits.program.string();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  unsetenv("ASSAY_PLUGIN_PATH");
  for (const char* cache : {"XDG_CACHE_HOME", "HOME"})
    unsetenv(cache);  // no result cache unless a test names its folder
  for (const auto& [name, value] : limits.environment) setenv(name.c_str(), value.c_str(), 1);
  if (limits.file_bytes) {
    const rlimit limit = {*limits.file_bytes, *limits.file_bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (limits.open_files) {
    const rlimit limit = {*limits.open_files, *limits.open_files};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limits.user && (setgroups(0, nullptr) != 0 || setgid(*limits.user) != 0 || setuid(*limits.user) != 0)) _exit(126);
  if (chdir(folder.c_str()) == 0) execv(program.c_str(), argv.data());
  _exit(127);
}

}  // namespace

StartedProgram::StartedProgram(const fs::path& folder, const std::vector<std::string>& arguments,
                               const Limits& limits) {
  const fs::path out = streams_ / "out", err = streams_ / "err";
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no process");
  if (pid_ == 0) become_assay(folder, arguments, limits, out, err);
}

Outcome StartedProgram::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  const int exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {exit, read_text(streams_ / "out"), read_text(streams_ / "err")};
}

Outcome run_assay(const fs::path& folder, const std::vector<std::string>& arguments, const Limits& limits) {
  return StartedProgram(folder, arguments, limits).wait();
}

Outcome run_shell(const fs::path& folder, const std::string& line) {
  return run_assay(folder, {"-c", line}, {.program = "/bin/sh"});
}

int recalled_profiles(const std::string& log) {
  std::smatch found;
  return std::regex_search(log, found, std::regex("([0-9]+) profiles? not read again")) ? std::stoi(found[1]) : -1;
}

std::vector<std::string> split_command(const std::string& line) {
  std::vector<std::string> words;
  bool in_word = false, quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      if (!in_word) words.emplace_back();
      in_word = true;
    } else if (c == ' ' && !quoted) {
      in_word = false;
    } else {
      if (!in_word) words.emplace_back();
      in_word = true;
      words.back() += c;
    }
  }
  return words;
}

}  // namespace assay::testing
