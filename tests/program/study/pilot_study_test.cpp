// The program itself: two pilot runs choose how many steps each run measures, and the profiles have that many.
#include "record/recording_fixture.hpp"
#include "support/test.hpp"

namespace assay::record::pilot_study_test {

/// Records with `words` of the program, "{steps}" of them, and says what it chose.
class PilotStudy : public Recording {
 protected:
  std::size_t study(const std::string& words) {
    const std::string all = R"(, "steps={steps}", "noise=0", )" + words;
    ask("\"time=4e6\"" + all, "\"time=8e6\"" + all, "steps = \"{steps}\"",
        kJudged + b_is_slower("c", "iteration.gpu_busy_ns", "1"));
    study_ = testing::run_assay(home_.path(), {"study", "question.toml", "-o", "results", "--recordings", "out"});
    EXPECT_EQ(study_.exit, 0) << study_.err;
    return state_of(*read_journal(folder())).steps.at("q");
  }
  testing::Outcome study_;
};

TEST_F(PilotStudy, StartingTakesHalfOfARunAndAllRunsMeasureAsMuch) {
  // 12 ms a step after more than a second: (1100 - 25 * 12) / 12 steps and more take as long again.
  const std::size_t steps = study("\"sleep=1.1\"");
  EXPECT_GE(steps, 50U) << study_.out;
  EXPECT_LE(steps, 150U) << "on a machine that is busy starting takes longer";
  EXPECT_TRUE(contains(study_.out, "A run measures " + std::to_string(steps) + " steps"));
  for (const char* run : {"run_a", "run_b", "aa/run_a"}) {
    const std::string profile = (folder() / "profiles" / "block_001" / (std::string(run) + ".sqlite")).string();
    EXPECT_EQ(
        testing::run_assay(home_.path(), {"query", profile, "SELECT count(*) AS n FROM ranges", "--format", "csv"}).out,
        "n\n" + std::to_string(steps) + "\n");
  }
  EXPECT_FALSE(std::filesystem::exists(folder() / "unfinished" / "pilot")) << "pilot runs are no runs";
}

TEST_F(PilotStudy, WhatAStepCostsBesidesItsTimeIsSaid) {
  const std::size_t steps = study("\"sleep=0.5\", \"write=0.03\"");
  EXPECT_GE(steps, 12U) << study_.out;
  EXPECT_LE(steps, 30U) << "half a second is 17 times 30 ms, and 43 times the 12 ms that are measured";
  EXPECT_TRUE(contains(study_.out, "half cannot be, since ")) << study_.out;
}

}  // namespace assay::record::pilot_study_test
