// A folder of one test, gone at its end, and the files in it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& below) const { return path_ / below; }
  /// Writes a file, making its folders.
  std::filesystem::path write(const std::filesystem::path& below, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

/// Bytes of a file; empty if there is none.
std::string read_text(const std::filesystem::path& file);
/// Makes the folders of the file, too.
void write_text(const std::filesystem::path& file, std::string_view text);

/// Names of all files below, sorted, with '/'; none if there is no folder.
std::vector<std::string> files_below(const std::filesystem::path& folder);

/// The files below a folder by name, without run.json, which says when and how it ran.
std::map<std::string, std::string> contents_but_run_json(const std::filesystem::path& folder);

/// Names of the files that are in one of two alone, or differ: in place of EXPECT_EQ, which would print them whole.
std::vector<std::string> different_files(const std::map<std::string, std::string>& one,
                                         const std::map<std::string, std::string>& two);

namespace testing {
using assay::contents_but_run_json;
using assay::different_files;
using assay::files_below;
using assay::read_text;
using assay::TempFolder;
using assay::write_text;
}  // namespace testing

}  // namespace assay
