// The program itself: two pilot runs choose how many steps each run measures, and the profiles have that many.
#include "record/recording_fixture.hpp"
#include "support/test.hpp"

namespace assay::record::pilot_study_test {

TEST(PilotStudy, StartingTakesHalfOfARunAndAllRunsMeasureAsMuch) {
  const TempFolder home;
  // 3.1 ms a step after half a second: 500 / 3.1 steps take as long again.
  home.write("steps.toml", R"([question]
id = "steps"
[iterations]
nvtx = "step_{i}"
[labels]
patterns = ["run_{mode}"]
mode = { values = ["a", "b"] }
[[matrix]]
mode = ["a", "b"]
[experiment]
command = ["true", "steps={steps}", "sleep=0.53", "noise=0", "{mode}"]
steps = "{steps}"
profiler = { name = "profiled", command = [")" ASSAY_PROFILED R"(", "-o", "{report}"] }
[experiment.arguments]
mode = { a = ["time=1e6"], b = ["time=2e6"] }
[analyzers.run_summary]
[analyzers.claim_verdicts]
[[claim]]
id = "c"
text = "b takes longer."
metric = "iteration.gpu_busy_ns"
compare = "ratio"
label = "mode"
base = "a"
between = [1, inf]
)");
  const testing::Outcome said =
      testing::run_assay(home.path(), {"study", "steps.toml", "-o", "results", "--recordings", "out"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const std::filesystem::path folder = newest_recording(home / "out", "steps");
  const std::size_t steps = state_of(*read_journal(folder)).steps.at("steps");
  EXPECT_GE(steps, 150U) << said.out;
  EXPECT_LE(steps, 400U) << "on a machine that is busy starting takes longer";
  EXPECT_TRUE(contains(said.out, "A run measures " + std::to_string(steps) + " steps"));
  for (const char* run : {"run_a", "run_b", "aa/run_a"}) {
    const std::string profile = (folder / "profiles" / "block_001" / (std::string(run) + ".sqlite")).string();
    EXPECT_EQ(
        testing::run_assay(home.path(), {"query", profile, "SELECT count(*) AS n FROM ranges", "--format", "csv"}).out,
        "n\n" + std::to_string(steps) + "\n");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "unfinished" / "pilot")) << "pilot runs are no runs";
}

}  // namespace assay::record::pilot_study_test
