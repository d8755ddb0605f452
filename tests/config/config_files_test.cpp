// Which files are read: of the command line, and of a study.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "config/config.hpp"
#include "temp_folder.hpp"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr const char* kQuestion = "[question]\nid = \"a\"\n";

TEST(Config, FilesThatAreNotThere) {
  const TempFolder folder;
  const std::filesystem::path missing[] = {folder / "no.toml"}, directory[] = {folder.path()};
  EXPECT_THAT(read_configs(missing).error().sentence, EndsWith("no.toml: no such file; check the path."));
  EXPECT_THAT(read_configs(directory).error().sentence, HasSubstr("is a folder"));
  EXPECT_FALSE(read_configs({}).ok());
}

TEST(Config, AProfileInThePlaceOfAQuestionIsToldFromOne) {
  const TempFolder folder;
  const auto said = [&](const std::string& name, const std::string& bytes) {
    const std::filesystem::path files[] = {folder.write(name, bytes)};
    return read_configs(files).error().sentence;
  };
  EXPECT_THAT(said("run.sqlite", std::string("SQLite format 3\0\x10", 18)),
              EndsWith("run.sqlite: is an SQLite database, not a TOML file; 'assay look' shows a profile, and 'assay "
                       "init' writes a question about a folder of them."));
  EXPECT_THAT(said("t.pt.trace.json", "  {\"traceEvents\": []}"), HasSubstr("is a JSON file, not a TOML file"));
  EXPECT_THAT(said("t.pt.trace.json.gz", "\x1f\x8b\x08rest"), HasSubstr("is a gzip archive, not a TOML file"));
  EXPECT_THAT(said("k.ncu-rep", std::string("NVR\0abc", 7)), HasSubstr("is a binary file, not a TOML file"));
}

TEST(Config, AStudyNamesItsQuestionsRelativeToItselfAndEachIsReadOnce) {
  const TempFolder folder;
  folder.write("a.toml", "[question]\nid = \"a\"\n");
  folder.write("sub/b.toml", "[question]\nid = \"b\"\n");
  const auto study = folder.write("sub/study.toml",
                                  "[study]\ntitle = \"all\"\nconfigs = [\"b.toml\", \"../a.toml\", \"study.toml\"]\n");
  const std::filesystem::path files[] = {folder / "a.toml", study, folder / "sub/../a.toml"};
  const auto questions = read_configs(files);
  ASSERT_TRUE(questions.ok()) << questions.error().sentence;
  ASSERT_EQ(questions->size(), 2U);
  EXPECT_EQ((*questions)[0].id, "a");
  EXPECT_EQ((*questions)[1].id, "b");
}

TEST(Config, AStudyThatNamesAMissingFileSaysWhere) {
  const TempFolder folder;
  const std::filesystem::path files[] = {folder.write("study.toml", "[study]\nconfigs = [\"no.toml\"]\n")};
  const auto questions = read_configs(files);
  ASSERT_FALSE(questions.ok());
  EXPECT_THAT(questions.error().sentence, AllOf(HasSubstr("study.toml:2:1: "), HasSubstr("no.toml")));
}

TEST(Config, TwoFilesWithOneIdAreRefused) {
  const TempFolder folder;
  const std::filesystem::path files[] = {folder.write("a.toml", kQuestion), folder.write("b.toml", kQuestion)};
  const auto questions = read_configs(files);
  ASSERT_FALSE(questions.ok());
  EXPECT_THAT(questions.error().sentence,
              AllOf(HasSubstr("b.toml:1:1"), HasSubstr("already that of"), HasSubstr("a.toml")));
}

TEST(Config, TheProjectsOwnConfigsAreAccepted) {
  for (const char* name : {"rq1_architecture", "rq3_compilation"}) {
    const std::filesystem::path files[] = {std::filesystem::path(ASSAY_SOURCE_DIR) / "configs" /
                                           (std::string(name) + ".toml")};
    const auto questions = read_configs(files);
    ASSERT_TRUE(questions.ok()) << questions.error().sentence;
    EXPECT_EQ(questions->front().id, name);
  }
}

TEST(Config, QuestionsOfCommandsAreInstalledAndNameOneAnalyzer) {
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/configs/commands")) {
    const Result<Question> question = installed_question("commands/" + file.path().filename().string());
    ASSERT_TRUE(question.ok()) << question.error().sentence;
    EXPECT_EQ(question->analyzers.size(), 1U) << file.path();
    ++files;
  }
  EXPECT_GE(files, 5U);
  EXPECT_THAT(installed_question("commands/nothing.toml").error().sentence, HasSubstr("no such file"));
}

}  // namespace
}  // namespace assay
