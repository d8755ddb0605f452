// Which files are read: of the command line, and of a study.
#include "config/config.hpp"
#include "support/test.hpp"

namespace assay::config_files_test {

constexpr const char* kQuestion = "[question]\nid = \"a\"\n";

TEST(Config, FilesThatAreNotThere) {
  const TempFolder folder;
  const std::filesystem::path missing[] = {folder / "no.toml"}, directory[] = {folder.path()};
  EXPECT_TRUE(ends_with(read_configs(missing).error().sentence, "no.toml: no such file; check the path."));
  EXPECT_TRUE(contains(read_configs(directory).error().sentence, "is a folder"));
  EXPECT_FALSE(read_configs({}).ok());
}

TEST(Config, AProfileInThePlaceOfAQuestionIsToldFromOne) {
  const TempFolder folder;
  const auto error_of = [&](const std::string& name, const std::string& bytes) {
    const std::filesystem::path files[] = {folder.write(name, bytes)};
    return read_configs(files).error().sentence;
  };
  EXPECT_TRUE(ends_with(error_of("run.sqlite", std::string("SQLite format 3\0\x10", 18)),
                        "run.sqlite: is an SQLite database, not a TOML file; 'assay look' shows a profile, and 'assay "
                        "init' writes a question about a folder of them."));
  EXPECT_TRUE(contains(error_of("t.pt.trace.json", "  {\"traceEvents\": []}"), "is a JSON file, not a TOML file"));
  EXPECT_TRUE(contains(error_of("t.pt.trace.json.gz", "\x1f\x8b\x08rest"), "is a gzip archive, not a TOML file"));
  EXPECT_TRUE(contains(error_of("k.ncu-rep", std::string("NVR\0abc", 7)), "is a binary file, not a TOML file"));
}

TEST(Config, AStudyNamesItsQuestionsRelativeToItselfAndEachIsReadOnce) {
  const TempFolder folder;
  folder.write("a.toml", "[question]\nid = \"a\"\n");
  folder.write("sub/b.toml", "[question]\nid = \"b\"\n");
  const auto study = folder.write("sub/study.toml",
                                  "[study]\ntitle = \"all\"\nconfigs = [\"b.toml\", \"../a.toml\", \"study.toml\"]\n");
  const std::filesystem::path files[] = {folder / "a.toml", study, folder / "sub/../a.toml"};
  const auto questions = require(read_configs(files));
  ASSERT_EQ(questions->size(), 2U);
  EXPECT_EQ((*questions)[0].id, "a");
  EXPECT_EQ((*questions)[1].id, "b");
}

TEST(Config, AStudyThatNamesAMissingFileSaysWhere) {
  const TempFolder folder;
  const std::filesystem::path files[] = {folder.write("study.toml", "[study]\nconfigs = [\"no.toml\"]\n")};
  const auto questions = read_configs(files);
  ASSERT_FALSE(questions.ok());
  EXPECT_TRUE(contains_all(questions.error().sentence, {"study.toml:2:1: ", "no.toml"}));
}

TEST(Config, KeysAndValuesAreRefusedThatAreNestedForTheSakeOfIt) {
  const TempFolder folder;
  const auto error_of = [&](const std::string& text) {
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
  EXPECT_TRUE(ends_with(error_of(repeated("a.", kMany) + "a = 1\n"),
                        "q.toml:1:64: a key has more than 32 parts; no section "
                        "of a question is that deep."));
  for (const std::string& text :
       {"[" + repeated("a.", kMany) + "a]\n", "x = { " + repeated("'a' . ", kMany) + "b = 1 }\n",
        "x = [ { " + repeated("\"a.b\".", kMany) + "b = 1 } ]\n"})
    EXPECT_TRUE(contains(error_of(text), "more than 32 parts")) << text.substr(0, 40);
  for (const std::string& text : {"x = " + repeated("[", kMany), "x = " + repeated("{ a.a.a.a = ", kMany)})
    EXPECT_TRUE(contains(error_of(text), "q.toml:1:")) << text.substr(0, 40);
  EXPECT_TRUE(contains(error_of(std::string(kQuestion) + "[" + repeated("a.", 31) + "a]\n"), "has no key 'a'"))
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
  const auto questions = require(read_configs(files));
  ASSERT_EQ(questions->size(), 1U);
  EXPECT_EQ(questions->front().study, "t0");
}

TEST(Config, TwoFilesWithOneIdAreRefused) {
  const TempFolder folder;
  const std::filesystem::path files[] = {folder.write("a.toml", kQuestion), folder.write("b.toml", kQuestion)};
  const auto questions = read_configs(files);
  ASSERT_FALSE(questions.ok());
  EXPECT_TRUE(contains_all(questions.error().sentence, {"b.toml:1:1", "already that of", "a.toml"}));
}

TEST(Config, TheProjectsOwnConfigsAreAccepted) {
  for (const char* name : {"rq1_architecture", "rq3_compilation"}) {
    const std::filesystem::path files[] = {std::filesystem::path(ASSAY_SOURCE_DIR) / "configs" /
                                           (std::string(name) + ".toml")};
    const auto questions = require(read_configs(files));
    EXPECT_EQ(questions->front().id, name);
  }
}

TEST(Config, QuestionsOfCommandsAreInstalledAndNameFewAnalyzers) {
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/configs/commands")) {
    const Result<Question> question = require(installed_question("commands/" + file.path().filename().string()));
    EXPECT_GE(question->analyzers.size(), 1U) << file.path();
    EXPECT_LE(question->analyzers.size(), 2U) << file.path();
    ++files;
  }
  EXPECT_GE(files, 5U);
  EXPECT_TRUE(contains(installed_question("commands/nothing.toml").error().sentence, "no such file"));
}

}  // namespace assay::config_files_test
