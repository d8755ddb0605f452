#include "files/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace assay {
namespace fs = std::filesystem;

bool can_be_run(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

std::optional<fs::path> program_in(std::string_view folders, std::string_view name) {
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const fs::path file = fs::path(folders.substr(0, end)) / name;
    if (can_be_run(file)) return fs::absolute(file);
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return std::nullopt;
}

std::optional<fs::path> program_on_path(std::string_view name) {
  const char* path = std::getenv("PATH");
  return program_in(path == nullptr ? "" : path, name);
}

fs::path own_program() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : program;
}

fs::path installed_questions() {
  const fs::path program = own_program();
  return program.empty() ? fs::path() : program.parent_path().parent_path() / "share" / "assay" / "configs";
}

}  // namespace assay
