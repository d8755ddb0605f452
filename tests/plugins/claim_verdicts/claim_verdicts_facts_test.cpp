// Claims about facts of the study, which analyzers concluded.
#include "plugins/analyzers.hpp"
#include "plugins/study_claim.hpp"
#include "support/test.hpp"

namespace assay::claim_verdicts_facts_test {

using under_test::claim_verdicts::concluded;

using namespace testing;

/// 2.10 with a standard error of 5 % on 14 degrees of freedom, and an exact share in two strata.
void study_facts(StudyBuilder& study) {
  study.label("px", StudyBuilder::kNumeric);
  study.fact("gain", 2.1, "batch=8;px=448").fact("gain", 0.8, "batch=1;px=224");
  for (const char* dims : {"batch=8;px=448", "batch=1;px=224"})
    study.fact("gain_sd", 0.05, dims).fact("gain_df", 14, dims);
  study.fact("saved", 0.557, "px=224").fact("saved", 0.57, "px=448");
}

TEST(ClaimVerdicts, StudyFactsAreJudgedByTheirStandardError) {
  StudyBuilder study;
  study_facts(study);
  const auto with_spread = [](OptionInputs keys) {
    keys.insert(keys.end(), {{"dims", "batch=8"}, {"spread", "gain_sd"}, {"degrees", "gain_df"}});
    return keys;
  };
  study.claim("three", "3x", keys(), with_spread(of_study("gain", 2.7, 3.3)));
  study.claim("faster", "faster", keys(), with_spread(of_study("gain", 1, kInf)));
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kRefuted);
  EXPECT_EQ(recorder.verdicts[1].verdict, Verdict::kSupported);
  ASSERT_EQ(recorder.verdicts[0].strata.size(), 1U) << "dims select: batch 1 is not meant";
  const auto& stratum = recorder.verdicts[0].strata[0];
  EXPECT_TRUE(equals(stratum.labels, {std::pair<std::string, std::string>("batch", "8"),
                                      std::pair<std::string, std::string>("px", "448")}));
  // t of 14 degrees at 1 - 0.05 / 2, by numerical integration: 2.509569.
  EXPECT_NEAR(stratum.effect->effect.hi, 2.1 * std::exp(0.05 * 2.509569), 1e-5);
}

TEST(ClaimVerdicts, StudyFactsWithoutASpreadDecideNothing) {
  StudyBuilder study;
  study_facts(study);
  study.claim("faster", "faster", keys(), of_study("gain", 0, kInf));
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kInconclusive);
  EXPECT_TRUE(contains(recorder.verdicts[0].strata[0].reason, "the uncertainty of the value is unknown"));
}

TEST(ClaimVerdicts, ExactStudyFactsAreTheirOwnIntervalAndTakeNoShareOfAlpha) {
  StudyBuilder study;
  study_facts(study);
  auto saved = of_study("saved", 0.675, 0.685), half = of_study("saved", 0.5, 0.6);
  for (auto* claim : {&saved, &half}) claim->emplace_back("exact", true);
  study.claim("saved", "68 %", keys(), saved);
  study.claim("half", "more than half", keys(), half);
  auto faster = of_study("gain", 1, kInf);
  faster.insert(faster.end(), {{"dims", "px=448"}, {"spread", "gain_sd"}, {"degrees", "gain_df"}});
  study.claim("faster", "faster", keys(), faster);
  study.claim("nobody", "of a fact that is not there", keys(), of_study("absent", 0, 1));
  study.metric("absent", "1");
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kRefuted);
  EXPECT_EQ(recorder.verdicts[0].strata.size(), 2U);
  EXPECT_EQ(recorder.verdicts[1].verdict, Verdict::kSupported);
  EXPECT_DOUBLE_EQ(recorder.verdicts[2].strata[0].effect->effect.level, 0.95) << "the only claim that can err";
  EXPECT_EQ(recorder.verdicts[3].verdict, Verdict::kUntestable);
  EXPECT_TRUE(contains(recorder.verdicts[3].reason, "no fact of the study is absent"));
}

/// Three of four ranks; the first has the fact of the job, all have their own.
TEST(ClaimVerdicts, ClaimsAboutAllRanksAreNotDecidedWithoutAMissingOne) {
  StudyBuilder study;
  for (const char* rank : {"0", "1", "3"}) {
    auto& report = study.report(std::string("run/rank") + rank).attribute("rank", rank).attribute("world_size", "4");
    if (rank == std::string("0")) report.fact("worst", 1);
    report.fact("own", 1);
  }
  for (const char* metric : {"worst", "own"})
    study.claim(metric, "at most 1.1", keys(),
                {{"metric", metric}, {"compare", "level"}, {"exact", true}, {"between", std::vector<double>{1, 1.1}}});
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.verdicts[0].verdict, Verdict::kUntestable);
  EXPECT_TRUE(contains(recorder.verdicts[0].reason, "rank 2 of 4 is missing"));
  EXPECT_EQ(recorder.verdicts[1].verdict, Verdict::kSupported) << "of each rank that is there";
}

}  // namespace assay::claim_verdicts_facts_test
