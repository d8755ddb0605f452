// `[plugins]` of a question.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/config.hpp"
#include "refusal.hpp"
#include "temp_folder.hpp"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Config, FoldersOfPluginsStartAtTheFolderOfTheQuestion) {
  const TempFolder folder;
  folder.write("configs/own/readme.txt", "");
  const std::filesystem::path files[] = {
      folder.write("configs/q.toml", "[question]\nid = \"q\"\n[plugins]\nfolders = [\"own\"]\n[analyzers.k]\n")};
  const auto questions = read_configs(files);
  ASSERT_TRUE(questions) << questions.error().sentence;
  EXPECT_THAT(questions->front().plugins.folders, ElementsAre(folder.path() / "configs/own"));
}

TEST(Config, WhatIsWrongInPluginsIsSaid) {
  const auto with = [](const std::string& plugins) {
    return refusal("[question]\nid = \"q\"\n[analyzers.k]\n[plugins]\n" + plugins);
  };
  EXPECT_THAT(with("folders = [\"own\"]"),
              AllOf(StartsWith("q.toml:5:1: [plugins] folders names 'own', but '"), HasSubstr("is not a folder")));
  for (const char* const version : {"\"\"", "\"one\"", "\"1.\"", "\"1.2.3.4\"", "\"-1\"", "\">= 1.2\"", "1.2"}) {
    EXPECT_EQ(with("requires = { k = " + std::string(version) + " }"),
              "q.toml:5:14: [plugins] requires k is not a version; expected the oldest one that works, such as \"1.2\" "
              "or \"1.2.3\".");
  }
  EXPECT_THAT(with("folder = [\"own\"]"), HasSubstr("folders"));
}

}  // namespace
}  // namespace assay
