// `[plugins]` of a question.
#include "config/config.hpp"
#include "refusal.hpp"
#include "support/test.hpp"

namespace assay::plugins_section_test {

TEST(Config, FoldersOfPluginsStartAtTheFolderOfTheQuestion) {
  const TempFolder folder;
  folder.write("configs/own/readme.txt", "");
  const std::filesystem::path files[] = {
      folder.write("configs/q.toml", "[question]\nid = \"q\"\n[plugins]\nfolders = [\"own\"]\n[analyzers.k]\n")};
  const auto questions = require(read_configs(files));
  EXPECT_TRUE(equals(questions->front().plugins.folders, {folder.path() / "configs/own"}));
}

TEST(Config, ReportsErrorsInPlugins) {
  const auto with = [](const std::string& plugins) {
    return refusal("[question]\nid = \"q\"\n[analyzers.k]\n[plugins]\n" + plugins);
  };
  EXPECT_TRUE(
      says(with("folders = [\"own\"]"), "q.toml:5:1: [plugins] folders names 'own', but '", {"is not a folder"}));
  for (const char* const version : {"\"\"", "\"one\"", "\"1.\"", "\"1.2.3.4\"", "\"-1\"", "\">= 1.2\"", "1.2"}) {
    EXPECT_EQ(with("requires = { k = " + std::string(version) + " }"),
              "q.toml:5:14: [plugins] requires k is not a version; expected the oldest one that works, such as \"1.2\" "
              "or \"1.2.3\".");
  }
  EXPECT_TRUE(contains(with("folder = [\"own\"]"), "folders"));
}

}  // namespace assay::plugins_section_test
