// Windows: several profiles that one run writes one after the other.
#include <set>

#include "record/recording_fixture.hpp"
#include "support/check.hpp"

namespace assay::record::windows_test {

class Windows : public Recording {
 protected:
  /// Of three windows; `words` of run b.
  void ask_three(const std::string& words) {
    ask("\"time=1000\", \"windows={windows}\"", "\"time=2000\", \"windows={windows}\"" + words, "windows = 3");
  }
  [[nodiscard]] std::vector<nlohmann::json> entries(const std::string& run) const {
    std::vector<nlohmann::json> out;
    for (const nlohmann::json& entry : results()) {
      if (entry.at("run_id") == run) out.push_back(entry);
    }
    return out;
  }
  [[nodiscard]] std::string refusal() {
    const auto done = record();
    return done ? "" : done.error().sentence;
  }
};

TEST_F(Windows, AreFilesOfOneRun) {
  ask_three("");
  const auto done = require(record());
  EXPECT_EQ(done->made, 3U) << "two cells and the twin";
  for (const std::string run : {"block_001/run_a", "block_001/run_b", "block_001/aa/run_a"}) {
    ASSERT_EQ(entries(run).size(), 1U) << run;
    EXPECT_EQ(entries(run)[0].at("windows"), 3);
    for (const char* window : {".1", ".2", ".3"})
      EXPECT_TRUE(std::filesystem::exists(folder() / "profiles" / (run + window + ".sqlite"))) << run << window;
  }
  EXPECT_TRUE(contains(said_.str(), "A block is 3 runs of 3 windows each"));
}

TEST_F(Windows, ARunWithoutOneOfThemIsMadeAgain) {
  ask_three(", \"once=" + (home_ / "once").string() + "\", \"lost=2\"");
  EXPECT_EQ(require(record())->made, 4U);
  EXPECT_EQ(entries("block_001/run_b").at(0).at("outcome"), "ok");
  EXPECT_EQ(entries("block_001/run_b").at(0).at("attempts"), 2);
}

TEST_F(Windows, ARunThatNeverHasOneHasFailed) {
  ask_three(", \"lost=2\"");
  EXPECT_EQ(require(record())->failed, 1U);
  const nlohmann::json lost = entries("block_001/run_b").at(0);
  EXPECT_EQ(lost.at("outcome"), "no_report");
  EXPECT_TRUE(contains(lost.at("error").get<std::string>(), "2 of 3 windows"));
  EXPECT_FALSE(std::filesystem::exists(folder() / "profiles" / "block_001" / "run_b.1.sqlite"));
}

TEST_F(Windows, ARunIsToldHowMany) {
  ask("\"time=1000\"", "\"time=2000\"", "windows = 2");
  EXPECT_TRUE(contains(refusal(), "nothing is told to record so many"));
  ask("\"windows={windows}\"", "\"time=2000\"");
  EXPECT_TRUE(contains(refusal(), "without windows"));
  ask("\"windows={windows}\"", "\"time=2000\"", "windows = 0");
  EXPECT_TRUE(contains(refusal(), "not a whole number from 1"));
}

}  // namespace assay::record::windows_test
