#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::result_delta_test {

using namespace under_test::result_delta;

using testing::StudyBuilder;

/// Three models, four replicates of each before and after; `factor` on the after side. time is better when lower, rate
/// when higher, size has no good side.
void results(StudyBuilder& study, double factor) {
  study.label("dim", StudyBuilder::kNumeric);
  study.label("result", {"before", "after"}, 0);
  study.metric("time", "ns", Polarity::kLowerIsBetter);
  study.metric("rate", "1/s", Polarity::kHigherIsBetter);
  study.metric("size", "bytes", Polarity::kNeutral);
  for (const char* side : {"after", "before"}) {
    for (const char* dim : {"384", "768", "1024"}) {
      for (int i = 0; i < 4; ++i) {
        const double noise = 1 + 0.004 * (i - 1.5);
        const double effect = std::string_view(side) == "after" ? factor : 1;
        study.report(std::string(side) + "/" + dim + "_" + std::to_string(i), {{"dim", dim}, {"result", side}})
            .attribute("fingerprint", dim)
            .fact("time", 1000 * noise * effect)
            .fact("rate", 50 / (noise * effect))
            .fact("size", 4096);
      }
    }
  }
}

double changes(const testing::Recorder& r, std::string_view change) {
  return *r.value("result_delta.count", "change=" + std::string(change));
}

TEST(ResultDelta, ASlowdownIsWorseForTimesAndRatesAlike) {
  StudyBuilder study;
  results(study, 1.1);
  const auto r = concluded(study.build());
  EXPECT_EQ(changes(r, "worse"), 6);
  EXPECT_EQ(changes(r, "better"), 0);
  EXPECT_EQ(changes(r, "equal"), 3);
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(r.findings.front().role, FindingRole::kAnswer);
  EXPECT_TRUE(contains(r.findings.front().title, "2 metrics are worse and 0 better"));
}

TEST(ResultDelta, ASpeedUpIsBetter) {
  StudyBuilder study;
  results(study, 0.9);
  const auto r = concluded(study.build());
  EXPECT_EQ(changes(r, "better"), 6);
  EXPECT_EQ(changes(r, "worse"), 0);
}

TEST(ResultDelta, IgnoresDifferencesBetweenEqualRuns) {
  StudyBuilder study;
  results(study, 1.001);
  const auto r = concluded(study.build());
  EXPECT_EQ(changes(r, "inside noise"), 6);
  EXPECT_TRUE(contains(r.findings.front().title, "No metric is worse or better"));
}

TEST(ResultDelta, OneRunASideDecidesNothing) {
  StudyBuilder study;
  study.label("result", {"before", "after"}, 0);
  study.metric("time", "ns", Polarity::kLowerIsBetter);
  study.report("after/a", {{"result", "after"}}).attribute("fingerprint", "A").fact("time", 3000);
  study.report("before/a", {{"result", "before"}}).attribute("fingerprint", "A").fact("time", 1000);
  const auto r = concluded(study.build());
  EXPECT_EQ(changes(r, "undecided"), 1)
      << "the two differ by the very change that is asked about: no noise between them";
  EXPECT_EQ(r.findings.back().role, FindingRole::kNote);
  EXPECT_TRUE(contains(r.findings.front().title, "not confirmed: 1 of 1 value is undecided"));
}

TEST(ResultDelta, TheHeadlineSaysHowManyValuesAreUndecided) {
  StudyBuilder study;
  results(study, 1.001);
  for (const char* side : {"after", "before"}) {
    study.report(std::string(side) + "/2048", {{"dim", "2048"}, {"result", side}})
        .fact("other", std::string_view(side) == "after" ? 7 : 5);
  }
  const auto r = concluded(study.build());
  EXPECT_TRUE(contains(r.findings.front().title,
                       "1 of 10 values are undecided and no other metric changed beyond run-to-run noise"));
}

TEST(ResultDelta, NamesWorseNextToUndecided) {
  StudyBuilder study;
  results(study, 1.1);
  for (const char* side : {"after", "before"}) {
    study.report(std::string(side) + "/2048", {{"dim", "2048"}, {"result", side}})
        .fact("other", std::string_view(side) == "after" ? 7 : 5);
  }
  const auto r = concluded(study.build());
  EXPECT_TRUE(contains_all(r.findings.front().title, {"2 metrics are worse", "; 1 of 10 values are undecided"}));
}

/// The same program for 12 and for 40 iterations: its totals differ and nothing is worse.
TEST(ResultDelta, TotalsOfUnequallyManyIterationsAreComparedPerIteration) {
  StudyBuilder study;
  study.label("result", {"before", "after"}, 0);
  study.metric("busy", "ns", Polarity::kLowerIsBetter, true).metric("span", "ns", Polarity::kLowerIsBetter);
  study.metric("iteration.count", "1", Polarity::kNeutral, true);
  for (const char* side : {"after", "before"}) {
    const double count = std::string_view(side) == "after" ? 40 : 12;
    for (int i = 0; i < 4; ++i) {
      const double noise = 1 + 0.004 * (i - 1.5);
      study.report(std::string(side) + "/" + std::to_string(i), {{"result", side}})
          .attribute("fingerprint", "A")
          .fact("iteration.count", count)
          .fact("busy", 1000 * noise * count)
          .fact("span", 1000 * noise);
    }
  }
  const auto r = concluded(study.build());
  EXPECT_EQ(changes(r, "worse"), 0);
  EXPECT_EQ(changes(r, "equal"), 2);
  EXPECT_EQ(changes(r, "different"), 1) << "the number of iterations itself";
  EXPECT_TRUE(contains(r.findings.front().text, "Of 1 value the runs have"));
  EXPECT_TRUE(includes(r.table_of("comparisons")->column("metric")->texts, "busy per iteration"));
}

TEST(ResultDelta, TotalsOfRunsOfUnknownLengthAreNotCompared) {
  StudyBuilder study;
  study.label("result", {"before", "after"}, 0);
  study.metric("busy", "ns", Polarity::kLowerIsBetter, true);
  for (int i = 0; i < 3; ++i) {
    study.report("after/" + std::to_string(i), {{"result", "after"}})
        .attribute("fingerprint", "A")
        .fact("busy", 4000 + i);
    study.report("before/" + std::to_string(i), {{"result", "before"}})
        .attribute("fingerprint", "A")
        .fact("iteration.count", 12)
        .fact("busy", 1000 + i);
  }
  study.claim("not_worse", "no metric is worse", descriptor.claim_keys.view(), {});
  const auto r = concluded(study.build());
  EXPECT_EQ(changes(r, "worse"), 0);
  EXPECT_EQ(changes(r, "not comparable"), 1);
  EXPECT_TRUE(contains(r.findings.back().text, "of 3 of 6 runs the number of iterations is unknown"));
  ASSERT_EQ(r.verdicts.size(), 1U);
  EXPECT_EQ(r.verdicts.front().verdict, Verdict::kInconclusive);
}

TEST(ResultDelta, OnlyTheMetricsAskedForAreCompared) {
  StudyBuilder study;
  results(study, 1.1);
  const auto r = concluded(study.build(), {{"metrics", std::vector<std::string>{"time"}}});
  EXPECT_EQ(changes(r, "worse"), 3);
  EXPECT_EQ(changes(r, "equal"), 0);
}

TEST(ResultDelta, RunsOfOneResultOnlyAreListed) {
  StudyBuilder study;
  results(study, 1);
  study.report("before/2048_0", {{"dim", "2048"}, {"result", "before"}}).fact("time", 1);
  const auto r = concluded(study.build());
  ASSERT_EQ(r.skips.size(), 1U);
  EXPECT_TRUE(contains(r.skips.front().reason, "no run with result=after"));
}

TEST(ResultDelta, TheClaimIsRefutedBeyondTheToleranceOnly) {
  for (const auto& [tolerance, verdict] :
       std::vector<std::pair<double, Verdict>>{{0, Verdict::kRefuted}, {0.5, Verdict::kSupported}}) {
    StudyBuilder study;
    results(study, 1.1);
    study.claim("not_worse", "no metric is worse", descriptor.claim_keys.view(), {{"tolerance", tolerance}});
    const auto r = concluded(study.build());
    ASSERT_EQ(r.verdicts.size(), 1U);
    EXPECT_EQ(r.verdicts.front().verdict, verdict) << tolerance;
    EXPECT_EQ(r.verdicts.front().strata.size(), 6U) << "metrics without a good side are not judged";
  }
}

TEST(ResultDelta, TheClaimJudgesTheFirstMetricThatBothSidesHave) {
  const auto judged = [](const std::vector<std::string>& first_of) {
    StudyBuilder study;
    study.label("result", {"before", "after"}, 0);
    study.metric("busy", "ratio", Polarity::kHigherIsBetter).metric("step", "ns", Polarity::kLowerIsBetter);
    for (int i = 0; i < 4; ++i) {
      const double noise = 1 + 0.004 * (i - 1.5);
      study.report("before/" + std::to_string(i), {{"result", "before"}}).fact("busy", 0.9 * noise).fact("step", noise);
      study.report("after/" + std::to_string(i), {{"result", "after"}})
          .fact("busy", 0.6 * noise)
          .fact("step", 0.4 * noise);
    }
    study.claim("not_worse", "", descriptor.claim_keys.view(), {{"first_of", first_of}});
    return concluded(study.build()).verdicts.front();
  };
  EXPECT_EQ(judged({}).verdict, Verdict::kRefuted) << "all metrics: the device is less busy";
  EXPECT_EQ(judged({}).strata.size(), 2U);
  const auto step = judged({"not measured", "step", "busy"});
  EXPECT_EQ(step.verdict, Verdict::kSupported);
  ASSERT_EQ(step.strata.size(), 1U);
  EXPECT_NEAR(step.strata.front().effect->effect.value, 0.4, 1e-9);
}

}  // namespace assay::result_delta_test
