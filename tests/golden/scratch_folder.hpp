// A folder of a test's own, removed with everything in it.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::testing {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

/// Names of all files below, sorted, with '/'.
inline std::vector<std::string> files_below(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(folder).generic_string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The files below a folder by name, without run.json, which says when and how it ran; none where there is no folder.
inline std::map<std::string, std::string> contents_but_run_json(const std::filesystem::path& folder) {
  std::map<std::string, std::string> all;
  if (!std::filesystem::exists(folder)) return all;
  for (const std::string& name : files_below(folder)) all[name] = read_text(folder / name);
  all.erase("run.json");
  return all;
}

/// Names of the files that are in one of two alone, or differ: in place of EXPECT_EQ, which would print them whole.
inline std::vector<std::string> different_files(const std::map<std::string, std::string>& one,
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

}  // namespace assay::testing
