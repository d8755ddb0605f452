// Pilot runs: how many steps a run measures.
#include "record/pilot.hpp"
#include "recording_fixture.hpp"
#include "support/check.hpp"

namespace assay::record::steps_test {

namespace fs = std::filesystem;

/// Two runs of 10 and 40 steps that take so long, and what the longer one measured.
PilotRuns pilot(double few, double many, double measured, double within = 0, double between = 0) {
  return {{10, few, measured / 4, 0}, {40, many, measured, within}, between};
}

TEST(Pilot, StartingTakesAtMostHalfOfARun) {
  // Steps of 60 ms after 3.5 s.
  EXPECT_EQ(steps_for(pilot(4.1, 5.9, 2.4), 1000), 59U) << "3.5 s / 60 ms";
  EXPECT_EQ(steps_for(pilot(0.61, 2.41, 2.4), 1000), 1U) << "10 ms of start are less than a step";
}

TEST(Pilot, StepsMoveARunByNoMoreThanRunsDiffer) {
  EXPECT_EQ(steps_for(pilot(4.1, 5.9, 2.4, 0.02, 0.005), 1000), 640U)
      << "a fourth of the error takes 16 times the steps";
  EXPECT_EQ(steps_for(pilot(4.1, 5.9, 2.4, 0.02, 0.0001), 1000), 640U) << "two runs agree better by chance";
  EXPECT_EQ(steps_for(pilot(4.1, 5.9, 2.4, 0.02, 0.02), 1000), 59U);
}

TEST(Pilot, ARunFitsItsTimeLimit) { EXPECT_EQ(steps_for(pilot(4.1, 5.9, 2.4, 0.02), 5), 25U) << "1.5 s / 60 ms"; }

TEST(Pilot, WhatAStepCostsBesidesItsTimeIsNoStart) {
  // The PyTorch profiler on an H200, runs of 20 and 400 steps; the line through both, by hand.
  const PilotRuns seen{{20, 17.9, 0.41, 0}, {400, 43.5, 9.2, 0}, 0};
  const RunCost cost = cost_of(seen);
  EXPECT_NEAR(cost.step, 25.6 / 380, 1e-12);
  EXPECT_NEAR(cost.start, 17.9 - 20 * 25.6 / 380, 1e-9);
  EXPECT_NEAR(cost.measured, 0.023, 1e-12);
  EXPECT_NEAR(cost.start + 100 * cost.step, 21.0, 2.4) << "a run of 100 steps took 21.0 s";
  EXPECT_EQ(steps_for(seen, 1000), 246U) << "16.553 s / 67.37 ms; by what is measured alone it would be 761";
  const double few = cost.start + 10 * cost.step, many = cost.start + 40 * cost.step;
  EXPECT_EQ(steps_for(pilot(few, many, 0.92), 1000), 246U);
  EXPECT_EQ(steps_for(pilot(few, many, 0.92, 0.002, 0.005), 1000), 40U)
      << "7 are quiet enough, and half is out of reach";
  EXPECT_EQ(steps_for(pilot(few, many, 0.92, 0.01, 0.005), 1000), 160U) << "quiet enough, though starting is 61 %";
  EXPECT_EQ(steps_for(pilot(few, many, 0.92, 0.02, 0.005), 1000), 640U);
  EXPECT_EQ(steps_for(pilot(few, many, 0.92), 30), 199U) << "13.447 s / 67.37 ms";
}

TEST(Pilot, NoiseBetweenItsRunsMakesNothingNegative) {
  const RunCost falling = cost_of(pilot(18, 17, 0.92));
  EXPECT_NEAR(falling.step, 0.023, 1e-12) << "no less than what is measured of it";
  EXPECT_NEAR(falling.start, 16.925, 1e-9);
  const RunCost steep = cost_of(pilot(1, 10, 0.92));
  EXPECT_NEAR(steep.step, 0.25, 1e-12) << "no more than the whole run";
  EXPECT_EQ(steep.start, 0);
  const RunCost longer = cost_of(pilot(0.5, 2.0, 2.4));
  EXPECT_NEAR(longer.step, 0.06, 1e-12) << "measured for longer than it ran";
  EXPECT_EQ(longer.start, 0);
  EXPECT_EQ(steps_for(pilot(1, 10, 0.92), 1000), 1U);
}

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
  PilotProfiles shown_{{{{2.5e-4, 0}, {1e-3, 0.02}}}, 0.005};
  std::size_t pilots_ = 0;
};

TEST_F(PilotRecording, AllRunsMeasureWhatItChose) {
  ASSERT_TRUE(record(options_));
  const State state = state_of(*read_journal(folder()));
  ASSERT_TRUE(state.steps.contains("q"));
  EXPECT_GE(state.steps.at("q"), 640U);
  EXPECT_EQ(steps_told(), state.steps.at("q"));
  EXPECT_EQ(events("start").size(), 3U) << "pilot runs are none of the recording";
  EXPECT_TRUE(contains(said_.str(), "A run measures " + std::to_string(steps_told()) + " steps"));
  DesignOptions more;
  more.replicates = 2;
  shown_.runs[1].within = 1;
  ASSERT_TRUE(record(options_, more));
  EXPECT_EQ(pilots_, 1U) << "a resumed recording keeps its number";
  EXPECT_EQ(steps_told(), state.steps.at("q"));
}

TEST_F(PilotRecording, ABudgetHoldsItsBlocks) {
  options_.budget_seconds = 3;
  ask("\"time=1000\", \"steps={steps}\", \"write=0.01\"", "\"time=2000\", \"steps={steps}\", \"write=0.01\"",
      "steps = \"{steps}\"");
  shown_.runs[1].within = 1;
  ASSERT_TRUE(record(options_));
  EXPECT_GT(steps_told(), 0U);
  EXPECT_LT(steps_told(), 400U)
      << "about 100 on an idle machine: a third of 3 s, 10 ms a step; without a budget far more";
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
