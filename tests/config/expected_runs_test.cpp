#include "config/expected_runs.hpp"

#include "question_of.hpp"
#include "study_tomls.hpp"
#include "support/test.hpp"

namespace assay::expected_runs_test {

TEST(ExpectedRuns, AreTheUnionOfProductsWithDefaultsFilledIn) {
  const Question q = question_of(R"([question]
id = "a"
[labels]
dim = { type = "int" }
mode = { default = "none" }
run = { default = "1", descriptive = true }
free = {}
[[matrix]]
dim = [1, 2]
[[matrix]]
mode = ["none", "fast"]
dim = 2
)");
  const auto runs = expected_runs(q);
  ASSERT_EQ(runs.size(), 3U) << "dim=2 with mode none stands in both blocks";
  EXPECT_TRUE(equals(runs[0].named, {{"dim", "1"}}));
  EXPECT_TRUE(equals(runs[0].filled, {{"dim", "1"}, {"mode", "none"}}));
  EXPECT_TRUE(equals(runs[2].named, {{"mode", "fast"}, {"dim", "2"}}));
}

TEST(ExpectedRuns, AJointKeyGivesTuplesAndNotTheirProduct) {
  const Question q = question_of(
      "[question]\nid = \"a\"\n[labels]\nd={}\ne={}\nf={}\n[[matrix]]\n\"d, e\" = [[1, 2], [3, 4]]\nf = [5, 6]\n");
  const auto runs = expected_runs(q);
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_TRUE(equals(runs[1].named, {{"d", "1"}, {"e", "2"}, {"f", "6"}}));
  EXPECT_TRUE(equals(runs[2].named, {{"d", "3"}, {"e", "4"}, {"f", "5"}}));
}

TEST(ExpectedRuns, TheStudyExpectsAsManyAsItsGuideSays) {
  const auto count = [](const std::string& toml) { return expected_runs(question_of(toml)).size(); };
  const auto count_file = [](const char* name) {
    const std::filesystem::path files[] = {std::filesystem::path(ASSAY_SOURCE_DIR) / "configs" / name};
    const auto questions = read_configs(files);
    return questions ? expected_runs(questions->front()).size() : 0;
  };
  EXPECT_EQ(count_file("rq1_architecture.toml"), 39U);
  EXPECT_EQ(count(study::kRq2), 17U);
  EXPECT_EQ(count_file("rq3_compilation.toml"), 32U);
  EXPECT_EQ(count(study::kRq4), 52U);
  EXPECT_EQ(count(study::kRq5), 23U);
}

}  // namespace assay::expected_runs_test
