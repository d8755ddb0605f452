// What is said of a configuration file that is refused.
#pragma once

#include "config/config.hpp"
#include "support/test.hpp"

namespace assay {

/// The sentence with which a file is refused, without its folder; "accepted" when it is not.
inline std::string refusal(std::string_view toml) {
  const TempFolder folder;
  const std::filesystem::path files[] = {folder.write("q.toml", toml)};
  const auto questions = read_configs(files);
  if (questions) return "accepted";
  EXPECT_EQ(questions.error().exit, Exit::kUsage);
  const std::string prefix = folder.path().string() + "/";
  EXPECT_TRUE(starts_with(questions.error().sentence, prefix));
  return questions.error().sentence.substr(prefix.size());
}

}  // namespace assay
