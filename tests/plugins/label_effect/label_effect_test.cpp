#include <gtest/gtest.h>

#include "plugins/analyzers.hpp"
#include "assay/testing/study_builder.hpp"
#include "support/check.hpp"

namespace assay::label_effect_test {

using under_test::label_effect::concluded;

using namespace testing;

const testing::OptionInputs kOptions = {
    {"label", "batch"}, {"metrics", std::vector<std::string>{"time", "bandwidth"}}, {"equal_within", 0.05}};

/// Replicates of batch 1, 2 and 4 on one model, within 0.4 % of each other.
void batches(StudyBuilder& s, double of_two, double of_four, int replicates = 3) {
  s.label("batch", StudyBuilder::kNumeric).label("dim", StudyBuilder::kNumeric);
  for (const auto& [batch, time] : {std::pair("1", 100.0), std::pair("2", of_two), std::pair("4", of_four)}) {
    for (int i = 0; i < replicates; ++i) {
      s.report(std::string(batch) + "_" + std::to_string(i), {{"batch", batch}, {"dim", "384"}})
          .attribute("fingerprint", batch)
          .fact("time", time * (1 + 0.002 * (i - 1)))
          .fact("bandwidth", 20 + 0.01 * i, "direction=h2d");
    }
  }
}

TEST(LabelEffect, FindsWhatDiffersAndShowsWhatIsEqual) {
  StudyBuilder s;
  batches(s, 150, 100);
  const Recorder r = concluded(s.build(), kOptions);
  EXPECT_NEAR(*r.value("label_effect.ratio", "dim=384;metric=time;value=2"), 1.5, 1e-12);
  EXPECT_EQ(r.value("label_effect.pairs", "metric=time;outcome=differs;value=2"), 1);
  EXPECT_EQ(r.value("label_effect.pairs", "metric=time;outcome=equivalent;value=4"), 1);
  EXPECT_EQ(r.value("label_effect.pairs", "direction=h2d;metric=bandwidth;outcome=equivalent;value=2"), 1);
  ASSERT_GE(r.findings.size(), 4U);
  EXPECT_TRUE(starts_with(r.findings[0].title, "batch 2 vs 1: time 1.50x higher ["));
  EXPECT_EQ(r.findings[0].role, FindingRole::kAnswer);
  EXPECT_NEAR(r.findings[0].effect->effect.value, 1.5, 1e-12) << "an answer has its numbers";
  EXPECT_TRUE(contains(r.findings[0].text, "Corrected for 4 comparisons"));
  EXPECT_TRUE(starts_with(r.findings[1].title, "batch 2 vs 1: bandwidth h2d equal within 5 %: unchanged ["));
  EXPECT_TRUE(starts_with(r.findings[2].title, "batch 4 vs 1: time equal within 5 %: unchanged ["));
  ASSERT_NE(r.table_of("pairs"), nullptr);
  EXPECT_EQ(r.table_of("pairs")->column("p")->numbers.size(), 4U);
}

TEST(LabelEffect, TheBaseAndTheValuesCanBeNamed) {
  StudyBuilder s;
  batches(s, 150, 100);
  const Recorder r = concluded(
      s.build(), {{"label", "batch"}, {"base", "4"}, {"treated", std::vector<std::string>{"2"}}, {"metrics", "time"}});
  EXPECT_NEAR(*r.value("label_effect.ratio", "dim=384;metric=time;value=2"), 1.5, 1e-12);
  EXPECT_EQ(r.value("label_effect.ratio", "dim=384;metric=time;value=1"), std::nullopt);
  EXPECT_EQ(r.value("label_effect.pairs", "metric=time;outcome=equivalent;value=2"), 0) << "equality was not asked for";
}

TEST(LabelEffect, TheMedianLeadsTheQuantilesOfAMetric) {
  StudyBuilder s;
  s.label("batch", StudyBuilder::kNumeric);
  for (const char* batch : {"1", "2"}) {
    auto& report = s.report(std::string("run_") + batch, {{"batch", batch}});
    for (const char* quantile : {"max", "p50", "p99"}) report.fact("latency", 100, std::string("quantile=") + quantile);
  }
  const Recorder r = concluded(s.build(), {{"label", "batch"}, {"metrics", "latency"}});
  ASSERT_GE(r.findings.size(), 3U);
  for (const auto& [finding, quantile] : {std::pair(0, "p50"), {1, "p99"}, {2, "max"}})
    EXPECT_TRUE(contains(r.findings[static_cast<std::size_t>(finding)].title, quantile)) << quantile;
}

TEST(LabelEffect, OneRunASideIsInconclusive) {
  StudyBuilder s;
  batches(s, 150, 100, 1);
  const Recorder r = concluded(s.build(), kOptions);
  EXPECT_EQ(r.value("label_effect.pairs", "metric=time;outcome=inconclusive;value=2"), 1);
}

TEST(LabelEffect, RunsThatAreNotBelievedAreSaidAndNotCompared) {
  StudyBuilder s;
  batches(s, 150, 100);
  s.report("lied", {{"batch", "2"}, {"dim", "384"}}).fact("time", 1).doubted("a doubt");
  const Recorder r = concluded(s.build(), kOptions);
  EXPECT_NEAR(*r.value("label_effect.ratio", "dim=384;metric=time;value=2"), 1.5, 1e-12);
  ASSERT_EQ(r.skips.size(), 1U);
  EXPECT_EQ(r.skips[0].reason, "a doubt");
}

TEST(LabelEffect, NothingToCompareIsSaid) {
  StudyBuilder s;
  s.label("batch", StudyBuilder::kNumeric).metric("time", "ns").metric("bandwidth", "bytes/s");
  s.report("a", {{"batch", "1"}}).fact("time", 1);
  const Recorder r = concluded(s.build(), kOptions);
  EXPECT_TRUE(r.findings.empty());
  ASSERT_EQ(r.skips.size(), 1U);
  EXPECT_TRUE(contains(r.skips[0].reason, "differ in the label batch alone"));
}

}  // namespace assay::label_effect_test
