#include "temp_folder.hpp"

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace assay {
namespace fs = std::filesystem;

TempFolder::TempFolder() {
  std::string name = (fs::temp_directory_path() / "assay-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = fs::canonical(name);
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::permissions(path_, fs::perms::owner_all, ignored);
  fs::remove_all(path_, ignored);
}

fs::path TempFolder::write(const fs::path& below, std::string_view bytes) const {
  const fs::path file = path_ / below;
  write_text(file, bytes);
  return file;
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_text(const fs::path& file, std::string_view text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> names;
  if (!fs::exists(folder)) return names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(folder).generic_string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::map<std::string, std::string> contents_but_run_json(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const std::string& name : files_below(folder)) all[name] = read_text(folder / name);
  all.erase("run.json");
  return all;
}

std::vector<std::string> different_files(const std::map<std::string, std::string>& one,
                                         const std::map<std::string, std::string>& two) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : one) {
    const auto found = two.find(name);
    if (found == two.end() || found->second != bytes) names.push_back(name);
  }
  for (const auto& [name, bytes] : two) {
    if (!one.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace assay
