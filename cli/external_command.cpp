#include "cli/external_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ranges>
#include <set>
#include <system_error>

#include "files/program.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool is_name(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

fs::path installed_commands() { return own_program().parent_path().parent_path() / "lib/assay/commands"; }

constexpr std::string_view kPrefix = "assay-";

}  // namespace

std::vector<std::string> external_commands() {
  std::vector<fs::path> folders = {installed_commands()};
  const char* path = std::getenv("PATH");
  for (const auto part : std::views::split(std::string_view(path == nullptr ? "" : path), ':'))
    folders.emplace_back(std::string_view(part.begin(), part.end()));
  std::set<std::string> names;
  for (const fs::path& folder : folders) {
    std::error_code unreadable;
    for (fs::directory_iterator file(folder, unreadable), end; !unreadable && file != end; file.increment(unreadable)) {
      const std::string program = file->path().filename().string();
      if (program.starts_with(kPrefix) && is_name(program.substr(kPrefix.size())) && can_be_run(file->path()))
        names.insert(program.substr(kPrefix.size()));
    }
  }
  return {names.begin(), names.end()};
}

fs::path external_command(std::string_view name) {
  if (!is_name(name)) return {};
  const std::string program = std::string(kPrefix) + std::string(name);
  fs::path installed = installed_commands() / program;
  if (access(installed.c_str(), X_OK) == 0) return installed;
  return program_on_path(program).value_or(fs::path());
}

void become(const fs::path& program, std::span<char* const> arguments) {
  setenv("ASSAY_PROGRAM", own_program().c_str(), 1);
  std::string name = program.string();
  std::vector<char*> words = {name.data()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
}

}  // namespace assay
