// A folder of one test, gone at its end.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "config/config.hpp"

namespace assay {

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = std::filesystem::canonical(name);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& below) const { return path_ / below; }

  /// Writes a file, making its folders.
  std::filesystem::path write(const std::filesystem::path& below, std::string_view bytes) const {
    const std::filesystem::path file = path_ / below;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

 private:
  std::filesystem::path path_;
};

/// Reads one question from text; throws with the sentence when it is refused.
inline Question question_of(std::string_view toml) {
  const TempFolder folder;
  const std::filesystem::path files[] = {folder.write("question.toml", toml)};
  auto questions = read_configs(files);
  if (!questions) throw std::runtime_error(questions.error().sentence);
  return questions->front();
}

}  // namespace assay
