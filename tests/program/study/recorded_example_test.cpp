// The bundled recording of RQ3 on an H100 (examples/rq3_recorded.tar.xz): its verdicts, look by look.
#include <nlohmann/json.hpp>

#include "record/recording_fixture.hpp"
#include "support/test.hpp"

namespace assay::record::recorded_example_test {

class RecordedExample : public ::testing::Test {
 protected:
  void SetUp() override {
    if (system_of("tar -C " + home_.path().string() + " -xJf " ASSAY_SOURCE_DIR "/examples/rq3_recorded.tar.xz") != 0)
      GTEST_SKIP() << "tar with xz is not there to unpack the example";
  }
  [[nodiscard]] fs::path folder() const { return home_ / "rq3_recorded"; }
  int system_of(const std::string& command) {
    last_ = testing::run_shell(home_.path(), command);
    return last_.exit;
  }

  /// The claims as `assay run` judges the folder now: id to verdict, with the effect of the first stratum.
  nlohmann::json judged(const std::string& out) {
    const std::string words = " run " ASSAY_SOURCE_DIR "/configs/rq3_compilation.toml --no-cache --reports " +
                              folder().string() + " -o " + (home_ / out).string();
    EXPECT_EQ(system_of(ASSAY_PROGRAM + words), 0) << last_.out + last_.err;
    const auto findings = nlohmann::json::parse(read_text(home_ / out / "findings.json"));
    return findings.at("questions").at(0).at("claims");
  }
  static std::map<std::string, std::string> verdicts(const nlohmann::json& claims) {
    std::map<std::string, std::string> out;
    for (const auto& claim : claims) out[claim.at("id")] = claim.at("verdict");
    return out;
  }

  TempFolder home_;
  testing::Outcome last_;
};

TEST_F(RecordedExample, IsJudgedLookByLookAsItWasWhenItWasRecorded) {
  const State state = state_of(*read_journal(folder()));
  ASSERT_EQ(state.looks.size(), 1U);
  EXPECT_EQ(state.resumed, 2U) << "it was killed and gone on with, then interrupted";
  std::map<std::string, std::string> then;
  for (const event::Claim& claim : state.looks[0].claims) then[claim.id] = claim.verdict;
  const auto whole = judged("whole");
  EXPECT_TRUE(includes_all(verdicts(whole), {{"rq3.no_effect_device", "refuted"},
                                             {"rq3.no_effect_wall", "inconclusive"},
                                             {"rq3.advanced_gain", "inconclusive"},
                                             {"rq3.all_runs_succeed", "supported"}}))
      << "the run that was interrupted has not failed";
  fs::remove_all(folder() / "nsys_reports" / "block_005");
  EXPECT_EQ(verdicts(judged("first_look")), then);
}

/// By hand, from the kernels that were launched in each range alone: 0.8985, 0.8941, 0.8924, 0.8943, 0.8952.
TEST_F(RecordedExample, TheDecidedEffectIsThatOfTheBlocks) {
  for (const auto& claim : judged("whole")) {
    if (claim.at("id") != "rq3.no_effect_device") continue;
    const auto& effect = claim.at("strata").at(0).at("effect");
    EXPECT_NEAR(effect.at("value").get<double>(), 0.896, 0.003);
    EXPECT_LT(effect.at("ci").at(1).get<double>(), 0.99);
    EXPECT_TRUE(contains(effect.at("method").get<std::string>(), "5 blocks"));
  }
}

TEST_F(RecordedExample, IsNoteOfTheQuestionsThatItNames) {
  std::string config = read_text(ASSAY_SOURCE_DIR "/configs/rq3_compilation.toml");
  const std::string id = "\"rq3_compilation\"";
  ASSERT_TRUE(contains(config, id));
  config.replace(config.find(id), id.size(), "\"other\"");
  write_text(home_ / "other.toml", config);
  const auto recordings_noted = [&](const std::string& configs) {
    EXPECT_EQ(system_of(ASSAY_PROGRAM " run " + configs + " --no-cache --force --reports " + folder().string() +
                        " -o " + (home_ / "both").string()),
              0)
        << last_.out + last_.err;
    std::vector<int> counts;
    const auto findings = nlohmann::json::parse(read_text(home_ / "both" / "findings.json"));
    for (const auto& question : findings.at("questions")) {
      counts.push_back(0);
      for (const auto& finding : question.at("findings"))
        counts.back() += finding.at("title").get<std::string>().starts_with("Recorded in ") ? 1 : 0;
    }
    return counts;
  };
  const std::string other = (home_ / "other.toml").string();
  EXPECT_EQ(recordings_noted(ASSAY_SOURCE_DIR "/configs/rq3_compilation.toml " + other), (std::vector<int>{1, 0}));
  EXPECT_EQ(recordings_noted(other), (std::vector<int>{1})) << "it names no question of this run";
}

TEST_F(RecordedExample, PlansWhatOpenClaimsNeed) {
  judged("whole");
  ASSERT_EQ(system_of(ASSAY_PROGRAM " plan " ASSAY_SOURCE_DIR "/configs/rq3_compilation.toml --power " +
                      (home_ / "whole").string()),
            0)
      << last_.out + last_.err;
  {
    const auto text = last_.out + last_.err;
    EXPECT_TRUE(contains_all(text, {"rq3.no_effect_wall", "rq3.advanced_gain", "3 inconclusive strata"}));
    EXPECT_FALSE(contains(text, "rq3.no_effect_device"));
  }
  EXPECT_EQ(
      system_of(ASSAY_PROGRAM " plan " ASSAY_SOURCE_DIR "/configs/rq4_numa.toml --power " + (home_ / "whole").string()),
      2);
  EXPECT_TRUE(contains(last_.out + last_.err, "answers rq3_compilation, which is in no given configuration"));
  EXPECT_EQ(system_of(ASSAY_PROGRAM " plan " ASSAY_SOURCE_DIR "/configs/rq4_numa.toml --effect 1"), 2);
  EXPECT_EQ(system_of(ASSAY_PROGRAM " plan " ASSAY_SOURCE_DIR "/configs/rq4_numa.toml --power " +
                      (home_ / "nowhere").string()),
            2);
}

TEST_F(RecordedExample, HoldsNoPathAndNoNameOfTheMachine) {
  for (const std::string& file : files_below(folder())) {
    const std::string bytes = read_text(folder() / file);
    for (const char* word : {"/tmp/", "/root", "/home/", "/opt/", "HOSTNAME", "EXPORT_HOST", "LD_LIBRARY_PATH"})
      EXPECT_EQ(bytes.find(word), std::string::npos) << file << " holds " << word;
  }
}

}  // namespace assay::record::recorded_example_test
