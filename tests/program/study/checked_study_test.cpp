// What a question says of its analyzers is checked before the first run, and may be corrected afterwards.
#include "record/recording_fixture.hpp"
#include "support/test.hpp"

namespace assay::record::checked_study_test {

class CheckedStudy : public Recording {
 protected:
  testing::Outcome assay(const std::string& words) {
    return testing::run_shell(home_.path(), ASSAY_PROGRAM " " + words);
  }
  void analyze(const std::string& sections) {
    ask("\"noise=0\"", "\"noise=0.001\"", "replicates = 2");
    home_.write("question.toml", read_text(home_ / "question.toml") + sections);
  }
};

TEST_F(CheckedStudy, RefusesOptionsBeforeTheFirstRun) {
  for (const char* base : {"1", "\"c\"", "\"a\"\nwords = true"}) {
    analyze("[analyzers.run_summary]\n[analyzers.label_effect]\nlabel = \"mode\"\nbase = " + std::string(base) + "\n");
    for (const char* command : {"plan question.toml", "record question.toml -o out", "record question.toml --dry-run",
                                "study question.toml --recordings out -o results"}) {
      const testing::Outcome outcome = assay(command);
      EXPECT_EQ(outcome.exit, 2) << command << ": " << outcome.out;
      EXPECT_TRUE(contains(outcome.err, "question.toml:")) << outcome.err;
    }
    EXPECT_FALSE(std::filesystem::exists(home_ / "out")) << base;
    EXPECT_FALSE(std::filesystem::exists(home_ / "count")) << base;
  }
}

TEST_F(CheckedStudy, RefusesARejectedOption) {
  analyze("[analyzers.run_summary]\n[analyzers.label_check]\ninput_bytes = \"4 * (\"\n");
  const testing::Outcome outcome = assay("record question.toml -o out");
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains(outcome.err, "[analyzers.label_check] is refused"));
  EXPECT_FALSE(std::filesystem::exists(home_ / "count"));
}

TEST_F(CheckedStudy, ContinuesAfterTheOptionsOfAnalyzersWereCorrected) {
  analyze("[analyzers.run_summary]\n");
  ASSERT_EQ(assay("record question.toml -o out").exit, 0);
  EXPECT_EQ(runs(), 6U) << "with the twin";
  analyze("[analyzers.label_effect] # a comment\nlabel = \"mode\"\nbase = \"b\"\n[analyzers.run_summary]\n");
  const testing::Outcome same = assay("record question.toml -o out --replicates 3");
  EXPECT_EQ(same.exit, 0) << same.err;
  EXPECT_TRUE(contains(same.out, "Resuming"));
  EXPECT_EQ(runs(), 9U);
  analyze("[window]\nnvtx = \"step_1\"\n[analyzers.run_summary]\n");
  const testing::Outcome other = assay("record question.toml -o out --replicates 3");
  EXPECT_EQ(other.exit, 2);
  EXPECT_TRUE(contains(other.err, "--new-epoch"));
}

TEST_F(CheckedStudy, AcceptsABaseOfSet) {
  analyze("[analyzers.run_summary]\n[analyzers.label_effect]\nlabel = \"mode\"\nbase = \"b\"\n");
  EXPECT_EQ(assay("record question.toml -o out --set mode=b --dry-run").exit, 0);
  EXPECT_EQ(assay("record question.toml -o out --only mode=a --dry-run").exit, 0) << "the base comes later";
}

}  // namespace assay::record::checked_study_test
