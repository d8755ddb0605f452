#include "cli/external_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "files/program.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool is_name(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

}  // namespace

fs::path external_command(std::string_view name) {
  if (!is_name(name)) return {};
  const std::string program = "assay-" + std::string(name);
  fs::path installed = own_program().parent_path().parent_path() / "lib/assay/commands" / program;
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
