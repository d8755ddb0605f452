// One question from text.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "config/config.hpp"
#include "support/temp_folder.hpp"

namespace assay {

/// Reads one question from text; throws with the sentence when it is refused.
inline Question question_of(std::string_view toml) {
  const TempFolder folder;
  const std::filesystem::path files[] = {folder.write("question.toml", toml)};
  auto questions = read_configs(files);
  if (!questions) throw std::runtime_error(questions.error().sentence);
  return questions->front();
}

}  // namespace assay
