#include "discover/select.hpp"

#include <algorithm>

#include "files/served.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

/// "a/b" of "./a//b/".
std::string normal(const std::string& name) {
  std::string text = fs::path(name).lexically_normal().generic_string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

bool ends_with_path(const std::string& path, const std::string& name) {
  if (!path.ends_with(name)) return false;
  return path.size() == name.size() || name.starts_with('/') || path[path.size() - name.size() - 1] == '/';
}

void add_folder(const fs::path& path, std::vector<std::string>& out) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (failed || !fs::is_directory(real, failed) || !files::may_read(real)) return;
  if (std::find(out.begin(), out.end(), real.native()) == out.end()) out.push_back(real.native());
}

}  // namespace

std::vector<std::string> folders_named(const std::string& name, const std::vector<Tree>& trees) {
  const std::string wanted = normal(name);
  std::vector<std::string> out;
  for (const Tree& tree : trees) {
    for (const std::string& below : tree.folders) {
      std::string path = (below.empty() ? tree.canonical : tree.canonical / below).native();
      if (ends_with_path(path, wanted)) out.push_back(std::move(path));
    }
  }
  return out;
}

std::vector<std::string> noise_folders(const std::string& name, const Question& question,
                                       const std::vector<Tree>& given) {
  std::vector<std::string> out = folders_named(name, given);
  if (!out.empty()) return out;
  for (const Tree& tree : given) add_folder(tree.canonical.parent_path() / name, out);
  if (out.empty()) add_folder(question.file.parent_path() / name, out);
  if (out.empty()) add_folder(name, out);
  return out;
}

}  // namespace assay
