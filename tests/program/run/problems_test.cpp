// Errors as programs read them: code, place, remedy.
#include <nlohmann/json.hpp>
#include <regex>

#include "files/staged_file.hpp"
#include "pipeline/setup.hpp"
#include "support/test.hpp"

namespace assay::problems_test {

constexpr Exit kAll[] = {Exit::kOk, Exit::kRefuted, Exit::kUsage, Exit::kFailed, Exit::kUndecided, Exit::kInterrupted};

TEST(Errors, HavePlaceAndRemedyBesideTheirSentence) {
  const Error error = Error{"'a b.sqlite' is a folder", Exit::kFailed}.at("a b.sqlite").advise("name the files in it");
  EXPECT_EQ(error.sentence, "'a b.sqlite' is a folder; name the files in it");
  EXPECT_EQ(error.place, "a b.sqlite");
  EXPECT_EQ(error.remedy, "name the files in it");
  EXPECT_EQ(error.code(), "failed");
  const Error guessed = Error{"there is no label 'dpeth'."}.advise("").suggest(" Did you mean 'depth'?");
  EXPECT_EQ(guessed.sentence, "there is no label 'dpeth'. Did you mean 'depth'?");
  EXPECT_EQ(guessed.remedy, "Did you mean 'depth'?");
  EXPECT_EQ(Error{"x"}.suggest("").remedy, "");
}

TEST(Errors, KeepThemWhereMoreIsKnown) {
  const Error within = Error{"is empty"}.at("a").advise("copy it").in("'a' ").as(Exit::kFailed);
  EXPECT_EQ(within.sentence, "'a' is empty; copy it");
  EXPECT_EQ(within.place, "a");
  EXPECT_EQ(within.remedy, "copy it");
  EXPECT_EQ(within.exit, Exit::kFailed);
}

TEST(Errors, ListTheMistakesOfASetupOneByOne) {
  const Error both = setup_error({Error{"q.toml:1:1: a"}.at("q.toml:1:1").advise("b"), Error{"q.toml:2:1: c"}});
  EXPECT_TRUE(ends_with(both.sentence, "\n  q.toml:1:1: a; b\n  q.toml:2:1: c"));
  ASSERT_EQ(both.parts.size(), 2U);
  EXPECT_EQ(both.parts[0].place, "q.toml:1:1");
  EXPECT_EQ(both.parts[0].remedy, "b");
  EXPECT_TRUE(setup_error({Error{"q.toml:1:1: a"}}).parts.empty());
}

TEST(Errors, NameTheFile) {
  const Error error = files::not_written("out/a.csv", "No space left on device");
  EXPECT_EQ(error.place, "out/a.csv");
  EXPECT_FALSE(error.remedy.empty());
}

std::string text_of(const char* file) { return read_text(std::string(ASSAY_SOURCE_DIR "/") + file); }

/// A contract: what the program says, the table of the documents and the schema are the same.
TEST(Errors, HaveTheCodesThatAreDocumented) {
  std::set<std::string> codes, documented, in_schema;
  for (const Exit exit : kAll) codes.insert(std::string(code_of(exit)));
  EXPECT_EQ(codes.size(), std::size(kAll)) << "one for each exit code";
  EXPECT_EQ(code_of(Exit{99}), "failed") << "what has no code of its own";

  const std::string page = text_of("docs/programs.md");
  const std::size_t row = page.find("| `code` |");
  ASSERT_NE(row, std::string::npos);
  const std::string text = page.substr(row + 10, page.find('\n', row) - row - 10);
  const std::regex word("`([a-z]+)`");
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) documented.insert((*at)[1]);
  EXPECT_EQ(documented, codes);

  const nlohmann::json schema = nlohmann::json::parse(text_of("docs/schemas/document.schema.json"));
  for (const auto& code : schema.at("properties").at("errors").at("items").at("properties").at("code").at("enum"))
    in_schema.insert(code.get<std::string>());
  EXPECT_EQ(in_schema, codes);
}

}  // namespace assay::problems_test
