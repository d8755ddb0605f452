// Reads one TOML file: a question, or a study that names the files of several.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// `[study]`.
struct StudyFile {
  std::string title;
  std::vector<std::filesystem::path> configs;  ///< relative ones are already joined to the study's folder
  std::vector<SourcePos> pos;                  ///< of each
};

using ConfigFile = std::variant<Question, StudyFile>;

/// Errors as of read_configs.
Result<ConfigFile> read_config_file(const std::filesystem::path& file);
/// Like read_config_file, for a text that may be written to `file` later.
Result<ConfigFile> read_config_text(std::string_view toml, const std::filesystem::path& file);

}  // namespace assay
