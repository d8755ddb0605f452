// A race from question to set: the clocks that the recorder samples settle it sooner, without being asked for.
#include <nlohmann/json.hpp>

#include "record/recording_fixture.hpp"
#include "support/test.hpp"
#include "tables/table.hpp"

namespace assay::record::race_study_test {

/// Three modes, of which b takes 8 % longer than a and c 2.3 times as long, raced for at most 12 blocks.
class RaceStudy : public ::testing::Test {
 protected:
  /// `more`: words of each mode; `environment`: before the command, as the shell takes it.
  void study(const std::vector<std::string>& more, const std::string& environment) {
    home_.write("race.toml", R"([question]
id = "race"
[iterations]
nvtx = "step_{i}"
[labels]
patterns = ["run_{mode}"]
mode = { values = ["a", "b", "c"] }
[[matrix]]
mode = ["a", "b", "c"]
[experiment]
command = ["true", "noise=0.002", "{mode}"]
profiler = { name = "profiled", command = [")" ASSAY_PROFILED R"(", "-o", "{report}"] }
replicates = 3
most = 12
[experiment.arguments]
mode = { a = ["time=6e7")" + more.at(0) +
                                 R"(], b = ["time=6.48e7")" + more.at(1) + R"(], c = ["time=1.38e8")" + more.at(2) +
                                 R"(] }
[analyzers.run_summary]
[analyzers.claim_verdicts]
[[claim]]
id = "fastest"
text = "Which mode is the fastest?"
metric = "iteration.period_ns"
compare = "best"
label = "mode"
)");
    said_ = testing::run_shell(
        home_.path(), environment + " " ASSAY_PROGRAM " study race.toml --until-decided -o results --recordings out");
    ASSERT_EQ(said_.exit, 0) << said_.err;
    state_ = state_of(*read_journal(newest_recording(home_ / "out", "race")));
    const auto all = nlohmann::json::parse(read_text(home_ / "results" / "findings.json"));
    claim_ = all.at("questions").at(0).at("claims").at(0);
  }

  TempFolder home_;
  testing::Outcome said_;
  State state_;
  nlohmann::json claim_;
};

TEST_F(RaceStudy, SampledClocksSettleItAndEnergyStandsBeside) {
  study({R"(, "dated", "sleep=0.9")", R"(, "dated", "sleep=0.9")", R"(, "dated", "sleep=1.8")"},
        "LD_LIBRARY_PATH=" + std::filesystem::path(ASSAY_FAKE_NVML).parent_path().string());
  EXPECT_EQ(claim_.at("verdict"), "supported") << said_.out;
  EXPECT_LE(state_.blocks.size(), 8U) << "12 do not settle it without the clocks";
  EXPECT_LT(state_.blocks.rbegin()->second.order.size(), 4U) << "c, 2.3 times as long, dropped out";
  EXPECT_TRUE(std::filesystem::exists(newest_recording(home_ / "out", "race") / "power.csv"));
  EXPECT_TRUE(contains(said_.out, "energy of an iteration, J")) << said_.out;
}

TEST_F(RaceStudy, WithoutThemItStaysOpen) {
  study({"", "", ""}, "LD_LIBRARY_PATH=");
  EXPECT_EQ(claim_.at("verdict"), "inconclusive") << said_.out;
  EXPECT_EQ(state_.blocks.size(), 12U);
  EXPECT_LT(state_.blocks.rbegin()->second.order.size(), 4U);
}

TEST_F(RaceStudy, SaysWhatABlockCostsBeforeTheFirst) {
  study({"", "", ""}, "LD_LIBRARY_PATH=");
  EXPECT_TRUE(contains(said_.out, "A block is 4 runs, their time not known yet.\n")) << said_.out;
  said_ = testing::run_shell(home_.path(), ASSAY_PROGRAM " record race.toml --dry-run -o out");
  EXPECT_TRUE(contains(said_.out, "A block is 4 runs, about ")) << said_.out;
}

}  // namespace assay::record::race_study_test
