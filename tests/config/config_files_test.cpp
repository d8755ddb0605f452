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

TEST(Config, KeysAndValuesAreRefusedThatAreNestedForTheSakeOfIt) {
  const TempFolder folder;
  const auto said = [&](const std::string& text) {
    const std::filesystem::path files[] = {folder.write("q.toml", text)};
    const auto questions = read_configs(files);
    return questions ? std::string() : questions.error().sentence;
  };
  const auto repeated = [](const std::string& part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  constexpr std::size_t kMany = 100'000;
  EXPECT_THAT(said(repeated("a.", kMany) + "a = 1\n"), EndsWith("q.toml:1:64: a key has more than 32 parts; no section "
                                                                "of a question is that deep."));
  for (const std::string& text :
       {"[" + repeated("a.", kMany) + "a]\n", "x = { " + repeated("'a' . ", kMany) + "b = 1 }\n",
        "x = [ { " + repeated("\"a.b\".", kMany) + "b = 1 } ]\n"})
    EXPECT_THAT(said(text), HasSubstr("more than 32 parts")) << text.substr(0, 40);
  for (const std::string& text : {"x = " + repeated("[", kMany), "x = " + repeated("{ a.a.a.a = ", kMany)})
    EXPECT_THAT(said(text), HasSubstr("q.toml:1:")) << text.substr(0, 40);
  EXPECT_THAT(said(std::string(kQuestion) + "[" + repeated("a.", 31) + "a]\n"), HasSubstr("unknown"))
      << "32 parts are read";
}

TEST(Config, StudiesInStudiesAreReadHoweverLongTheChain) {
  constexpr int kStudies = 3000;
  const TempFolder folder;
  for (int i = 0; i < kStudies; ++i) {
    folder.write(std::to_string(i) + ".toml", "[study]\ntitle = \"t" + std::to_string(i) + "\"\nconfigs = [\"" +
                                                  std::to_string(i + 1) + ".toml\"]\n");
  }
  folder.write(std::to_string(kStudies) + ".toml", kQuestion);
  const std::filesystem::path files[] = {folder / "0.toml"};
  const auto questions = read_configs(files);
  ASSERT_TRUE(questions.ok()) << questions.error().sentence;
  ASSERT_EQ(questions->size(), 1U);
  EXPECT_EQ(questions->front().study, "t0");
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
