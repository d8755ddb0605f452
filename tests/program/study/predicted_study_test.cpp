// A prediction is kept: made from runs of base alone, written as a claim, judged by runs of both sides, and counted.
#include <nlohmann/json.hpp>

#include "record/recording_fixture.hpp"
#include "support/test.hpp"

namespace assay::record::predicted_study_test {

class PredictedStudy : public ::testing::Test {
 protected:
  void SetUp() override {
    home_.write("question.toml", R"([question]
id = "q"
[iterations]
nvtx = "step_{i}"
[labels]
patterns = ["run_{mode}"]
mode = { values = ["base", "fast"], changes = ["kernels"] }
[[matrix]]
mode = ["base", "fast"]
[experiment]
command = ["true", "{mode}"]
profiler = { name = "profiled", command = [")" ASSAY_PROFILED R"(", "-o", "{report}"] }
replicates = 4
most = 18
[experiment.arguments]
mode = { base = ["waits", "noise=0.002"], fast = ["waits", "noise=0.002", "effect=0.5"] }
[analyzers.run_summary]
[analyzers.claim_verdicts]
)");
    // Noise follows the path of a report, so a path of this test's own folder would make other runs each time.
    for (int run = 1; run <= 4; ++run)
      ASSERT_EQ(call(std::string(ASSAY_PROFILED) + " -o base_" + std::to_string(run) + " waits"), 0);
  }
  int call(const std::string& command) {
    last_ = testing::run_shell(home_.path(), command);
    return last_.exit;
  }
  int assay(const std::string& words) { return call(ASSAY_PROGRAM " " + words); }
  [[nodiscard]] std::string output() const { return last_.out + last_.err; }

  /// An answer is a line, and a newer one about the same prediction another.
  static nlohmann::json last_line(const fs::path& file) {
    std::string text = read_text(file);
    text.pop_back();
    return nlohmann::json::parse(text.substr(text.rfind('\n') + 1));
  }

  TempFolder home_;
  testing::Outcome last_;
};

TEST_F(PredictedStudy, IsJudgedByRunsAndCountedByHistory) {
  ASSERT_EQ(assay("whatif base_*.sqlite --iterations 'step_{i}' --scale 'kernel:kernel_a=0.5' --as-claim question.toml "
                  "--pair mode=base,fast"),
            0)
      << output();
  ASSERT_EQ(assay("study question.toml --until-decided --recordings recordings -o out"), 0) << output();
  const auto ledger = home_ / "recordings/predictions.jsonl";
  ASSERT_TRUE(fs::exists(ledger)) << output();
  const auto kept = last_line(ledger);
  EXPECT_EQ(kept["verdict"], "supported") << read_text(ledger);
  // Three kernels of 50 us and 120 ns of code a step, with 100 ns between steps: half of 50 us each is what is saved.
  EXPECT_NEAR(kept["predicted"].get<double>(), (3 * 25'000 + 220.0) / (3 * 50'000 + 220.0), 0.01);
  ASSERT_EQ(assay("history recordings"), 0) << output();
  EXPECT_TRUE(contains_all(output(), {"1 judged prediction\n", "q/whatif.fast [mode=fast]  --scale kernel"}));
}

}  // namespace assay::record::predicted_study_test
