// Predictions as claims, and the ledger of those that were judged.
#include "predictions/ledger.hpp"

#include "config/config.hpp"
#include "support/test.hpp"
#include "whatif/claim.hpp"

namespace assay::ledger_test {

class Ledgers : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("assay_ledger_" + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  [[nodiscard]] fs::path file(const char* name, const std::string& text = {}) const {
    if (!text.empty()) std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
  fs::path folder;
};

predictions::JudgedPrediction judged(const char* claim, std::vector<std::string> change, double predicted,
                                     double measured) {
  predictions::JudgedPrediction one;
  one.time = "2026-01-01T00:00:00Z";
  one.question = "q";
  one.claim = claim;
  one.metric = "iteration.period_ns";
  one.change = std::move(change);
  one.predicted = predicted;
  one.low = predicted - 0.02;
  one.high = predicted + 0.02;
  one.measured = measured;
  one.measured_low = measured - 0.01;
  one.measured_high = measured + 0.01;
  one.verdict = std::abs(measured - predicted) <= 0.01 ? "supported" : "inconclusive";
  return one;
}

TEST_F(Ledgers, KeepWhatIsNewAndTheLatestCounts) {
  const fs::path ledger = folder / predictions::kLedger;
  const std::vector<predictions::JudgedPrediction> first = {judged("a", {"--overlap copy:h2d"}, 0.9, 0.93),
                                                            judged("b", {"--remove sync"}, 0.8, 0.8)};
  EXPECT_EQ(*predictions::append(ledger, first), 2U);
  EXPECT_EQ(*predictions::append(ledger, first), 0U) << "it says nothing new";
  const std::vector<predictions::JudgedPrediction> later = {judged("a", {"--overlap copy:h2d"}, 0.9, 0.905)};
  EXPECT_EQ(*predictions::append(ledger, later), 1U);
  const auto read = predictions::read_ledger(ledger);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->lines, 3U);
  ASSERT_EQ(read->latest.size(), 2U);
  EXPECT_DOUBLE_EQ(read->latest.front().measured, 0.905);
  EXPECT_EQ(read->latest.front().change, first.front().change);
}

TEST_F(Ledgers, ATornLineIsSaidAndTheNextStandsOnItsOwn) {
  const fs::path ledger = file("predictions.jsonl", "{\"time\":\"2026\",\"quest");
  const std::vector<predictions::JudgedPrediction> one = {judged("a", {"--remove sync"}, 0.9, 0.9)};
  EXPECT_EQ(*predictions::append(ledger, one), 1U);
  const auto read = predictions::read_ledger(ledger);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->latest.size(), 1U);
  ASSERT_EQ(read->damaged.size(), 1U);
  EXPECT_TRUE(contains(read->damaged.front(), "predictions.jsonl:1: it is no judged prediction"));
}

TEST_F(Ledgers, AreNotCreatedWithoutPredictions) {
  EXPECT_EQ(*predictions::append(folder / "none.jsonl", {}), 0U);
  EXPECT_FALSE(fs::exists(folder / "none.jsonl"));
  EXPECT_FALSE(predictions::append(folder / "gone" / "x.jsonl", std::vector{judged("a", {}, 0.9, 0.9)}));
}

TEST(Scores, AreBiasAndCoverageByKind) {
  const std::vector<predictions::JudgedPrediction> all = {
      judged("a", {"--overlap copy:h2d"}, 0.9, 0.9 * 1.01), judged("b", {"--overlap copy:d2h"}, 0.5, 0.5 * 1.21),
      judged("c", {"--scale kernel:*gemm*=0.5"}, 0.7, 0.7),
      judged("d", {"--remove sync", "--overlap copy:h2d"}, 0.6, 0.6)};
  const auto scores = predictions::scores(all);
  ASSERT_EQ(scores.size(), 4U);
  EXPECT_EQ(scores[0].kind, "overlap");
  EXPECT_EQ(scores[0].count, 2U);
  EXPECT_EQ(scores[0].inside, 1U) << "0.605 is outside 0.48 to 0.52";
  EXPECT_DOUBLE_EQ(scores[0].bias, std::sqrt(1.01 * 1.21));
  // Student's interval with one degree of freedom: t = 12.7062 (tables).
  const double sd = std::abs(std::log(1.21 / 1.01)) / std::sqrt(2.0);
  EXPECT_NEAR(std::log(scores[0].bias_high / scores[0].bias), 12.7062 * sd / std::sqrt(2.0), 1e-4);
  EXPECT_NEAR(scores[0].coverage_low, 0.0126, 1e-4) << "1 of 2, Clopper and Pearson";
  EXPECT_NEAR(scores[0].coverage_high, 0.9874, 1e-4);
  EXPECT_EQ(scores[1].kind, "scale kernel");
  EXPECT_EQ(scores[2].kind, "several");
  EXPECT_EQ(scores[3].kind, "all");
  EXPECT_EQ(scores[3].count, 4U);
  EXPECT_TRUE(std::isnan(scores[1].bias_low)) << "one prediction has no spread";
}

constexpr const char* kQuestion = R"([question]
id = "q"
title = "Q"
text = "?"
[labels]
patterns = ["{variant}"]
variant = {}
[iterations]
nvtx = ["step_{i}"]
[analyzers.run_summary]
[analyzers.claim_verdicts]
)";

whatif::Prediction prediction() {
  whatif::Prediction out;
  out.before = 100e6;
  out.after = 91e6;
  out.gain = 9e6;
  out.low = 8e6;
  out.high = 10e6;
  return out;
}

class Claims : public Ledgers {
 protected:
  Result<whatif::Claim> add(const fs::path& question, const char* pair = "variant=base,pin\"ned",
                            const whatif::Prediction& made = prediction()) {
    const std::vector<whatif::ChangeRequest> changes = {*whatif::read_overlap("copy:h2d")};
    const whatif::RunSummary runs[1] = {};  // with iterations
    return whatif::add_claim(question, made, changes, runs, *whatif::read_pair(pair));
  }
};

TEST_F(Claims, AreWhatWasPredictedAsARatio) {
  const fs::path question = file("q.toml", kQuestion);
  ASSERT_TRUE(add(question));
  ASSERT_TRUE(add(question)) << "a second one has a name of its own";
  const fs::path files[] = {question};
  const auto read = require(read_configs(files));
  const auto& claims = read->front().claims;
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[0].id, "whatif.pin_ned");
  EXPECT_EQ(claims[1].id, "whatif.pin_ned_2");
  const auto key = [&](const char* name) {
    for (const RawOption& option : claims[0].keys) {
      if (option.name == name) return option.value.value;
    }
    ADD_FAILURE() << name;
    return decltype(RawValue::value)();
  };
  EXPECT_EQ(std::get<std::vector<double>>(key("between")), (std::vector<double>{0.9, 0.92}));
  EXPECT_DOUBLE_EQ(std::get<double>(key("predicted")), 0.91);
  EXPECT_EQ(std::get<std::string>(key("metric")), "iteration.period_ns");
  EXPECT_EQ(std::get<std::vector<std::string>>(key("treated")), std::vector<std::string>{"pin\"ned"});
  EXPECT_EQ(std::get<std::vector<std::string>>(key("change")), std::vector<std::string>{"--overlap copy:h2d"});
}

TEST_F(Claims, AreRefusedWhereTheyCouldNotBeJudged) {
  const auto why = [&](const Result<whatif::Claim>& claim) { return claim ? "it was added" : claim.error().sentence; };
  const std::string whole = kQuestion;
  EXPECT_TRUE(contains(why(add(file("a.toml", whole), "other=a,b")), "the question has no label 'other'"));
  whatif::Prediction small = prediction();
  small.told = false;
  EXPECT_TRUE(contains(why(add(file("b.toml", whole), "variant=a,b", small)), "smaller than the replay's own error"));
  EXPECT_TRUE(contains(why(add(file("c.toml", std::string(whole).replace(whole.find("[iterations]"), 33, "")))),
                       "the question has none; add [iterations]"));
  EXPECT_TRUE(contains(why(add(folder / "gone.toml")), "gone.toml"));
  std::stringstream kept;
  kept << std::ifstream(folder / "a.toml").rdbuf();
  EXPECT_EQ(kept.str(), whole) << "the file is as it was";
  for (const char* pair : {"variant", "variant=a", "=a,b", "variant=,b", "variant=a,", "variant=a,b,c", "variant=a,a"})
    EXPECT_FALSE(whatif::read_pair(pair)) << pair;
}

}  // namespace assay::ledger_test
