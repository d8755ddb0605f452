// Pilot runs: how many steps a run measures.
#include "record/pilot.hpp"
#include "recording_fixture.hpp"
#include "support/check.hpp"

namespace assay::record::steps_test {

namespace fs = std::filesystem;

TEST(Pilot, StartingTakesAtMostHalfOfARun) {
  // 10 steps of 60 ms after 3.5 s.
  EXPECT_EQ(steps_for({10, 4.1, {0.6, 0, 0}}, 1000), 59U) << "3.5 s / 60 ms";
  EXPECT_EQ(steps_for({10, 0.61, {0.6, 0, 0}}, 1000), 1U) << "10 ms of start are less than a step";
  EXPECT_EQ(steps_for({10, 0.5, {0.6, 0, 0}}, 1000), 1U) << "measured for longer than it ran";
}

TEST(Pilot, StepsMoveARunByNoMoreThanRunsDiffer) {
  EXPECT_EQ(steps_for({10, 4.1, {0.6, 0.02, 0.005}}, 1000), 160U) << "a fourth of the error takes 16 times the steps";
  EXPECT_EQ(steps_for({10, 4.1, {0.6, 0.02, 0.0001}}, 1000), 160U) << "two runs agree better by chance";
  EXPECT_EQ(steps_for({10, 4.1, {0.6, 0.02, 0.02}}, 1000), 59U);
}

TEST(Pilot, ARunFitsItsTimeLimit) { EXPECT_EQ(steps_for({10, 4.1, {0.6, 0.02, 0}}, 5), 25U) << "1.5 s / 60 ms"; }

/// A recording whose steps a pilot chooses, and what its profiles are said to show.
class PilotRecording : public Recording {
 protected:
  PilotRecording() {
    ask("\"time=1000\", \"steps={steps}\"", "\"time=2000\", \"steps={steps}\"", "steps = \"{steps}\"");
    options_.pilot = [this](const fs::path& folder) -> Result<PilotProfiles> {
      ++pilots_;
      EXPECT_EQ(files_below(folder / "profiles").size(), 2U) << "two runs";
      return shown_;
    };
  }
  /// That every run was told, or 0 if they differ.
  [[nodiscard]] std::size_t steps_told() const {
    std::set<std::size_t> told;
    for (const Json& start : events("start")) {
      for (const std::string word : start.at("command"))
        if (word.starts_with("steps=")) told.insert(std::stoul(word.substr(6)));
    }
    return told.size() == 1 ? *told.begin() : 0;
  }

  RecordOptions options_;
  PilotProfiles shown_{1e-6, 0.02, 0.005};
  std::size_t pilots_ = 0;
};

TEST_F(PilotRecording, AllRunsMeasureWhatItChose) {
  ASSERT_TRUE(record(options_));
  const State state = state_of(*read_journal(folder()));
  ASSERT_TRUE(state.steps.contains("q"));
  EXPECT_GE(state.steps.at("q"), 160U);
  EXPECT_EQ(steps_told(), state.steps.at("q"));
  EXPECT_EQ(events("start").size(), 3U) << "pilot runs are none of the recording";
  EXPECT_TRUE(contains(said_.str(), "A run measures " + std::to_string(steps_told()) + " steps"));
  DesignOptions more;
  more.replicates = 2;
  shown_.within = 1;
  ASSERT_TRUE(record(options_, more));
  EXPECT_EQ(pilots_, 1U) << "a resumed recording keeps its number";
  EXPECT_EQ(steps_told(), state.steps.at("q"));
}

TEST_F(PilotRecording, ProfilesThatDoNotSayHowLongTheyMeasuredAreSaid) {
  shown_ = {};
  const auto done = record(options_);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().exit, Exit::kFailed);
  EXPECT_TRUE(contains(done.error().sentence, "does not say how long it measured"));
  EXPECT_TRUE(events("start").empty()) << "nothing was recorded";
}

TEST_F(PilotRecording, AFailingPilotEndsTheRecording) {
  ask("\"fail\", \"steps={steps}\"", "\"time=2000\", \"steps={steps}\"", "steps = \"{steps}\"");
  const auto done = record(options_);
  ASSERT_FALSE(done);
  EXPECT_TRUE(contains(done.error().sentence, "failed: ValueError: told to fail"));
  EXPECT_EQ(pilots_, 0U);
}

}  // namespace assay::record::steps_test
