#include "cli/external_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
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

constexpr std::string_view kPrefix = "assay-";

/// As PATH has them.
std::string folders() {
  const char* path = std::getenv("PATH");
  return (own_program().parent_path().parent_path() / "lib/assay/commands:").string() + (path == nullptr ? "" : path);
}

}  // namespace

std::vector<std::string> external_commands() {
  std::set<std::string> names;
  std::istringstream all(folders());
  for (std::string folder; std::getline(all, folder, ':');) {
    std::error_code none;  // a folder of PATH need not be there
    for (const fs::directory_entry& file : fs::directory_iterator(folder, none)) {
      const std::string program = file.path().filename().string();
      if (program.starts_with(kPrefix) && is_name(program.substr(kPrefix.size())) && can_be_run(file.path()))
        names.insert(program.substr(kPrefix.size()));
    }
  }
  return {names.begin(), names.end()};
}

fs::path external_command(std::string_view name) {
  if (!is_name(name)) return {};
  return program_in(folders(), std::string(kPrefix).append(name)).value_or(fs::path());
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
