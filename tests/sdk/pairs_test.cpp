// One comparison of matched pairs: what shares the error, what is found, what is left out.
#include "assay/algo/pairs.hpp"

#include "assay/pair_outputs.hpp"
#include "assay/ratio_plot.hpp"
#include "assay/testing/recorder.hpp"
#include "assay/testing/study_builder.hpp"
#include "support/test.hpp"

namespace assay::pairs_test {

using testing::StudyBuilder;

/// Label `mode` with values a, b, c; of a and b `runs` replicates a model, whose times lie within 1 % of each other.
class PairsTest : public ::testing::Test {
 protected:
  PairsTest() { study.label("dim", StudyBuilder::kNumeric).label("mode", {"a", "b", "c"}); }

  void runs(const std::string& dim, const std::string& mode, double time, int count = 3, double spread = 0.002) {
    for (int i = 0; i < count; ++i) {
      const double factor = 1 + spread * (i - (count - 1) / 2.0);
      study.report(dim + mode + std::to_string(i), {{"dim", dim}, {"mode", mode}})
          .attribute("fingerprint", dim + mode)
          .fact("time", time * factor)
          .fact("bytes", 7, "direction=h2d");
    }
  }
  PairStudy compared(std::optional<double> margin = {}) {
    const StudyView view(study.build());
    return compare_pairs(view, {"test", label_pairs(view, "mode", ""), {{"time"}}, margin});
  }

  StudyBuilder study;
};

TEST_F(PairsTest, AllMeasuresAndStrataShareTheErrorOfTheQuestion) {
  runs("1", "a", 100);
  runs("1", "b", 80);
  runs("2", "a", 100);
  runs("2", "b", 100);
  study.level(0.9);
  const StudyView view(study.build());
  const PairStudy pairs =
      compare_pairs(view, {"test", label_pairs(view, "mode", "a"), {{"time"}, {"bytes", "direction=h2d"}, {"none"}}});
  EXPECT_EQ(pairs.tests, 4U) << "two measures that are there, two strata";
  EXPECT_DOUBLE_EQ(pairs.each, 1 - (1 - 0.9) / 4);
  ASSERT_EQ(pairs.made().size(), 4U);
  for (const PairEffect* e : pairs.made()) EXPECT_DOUBLE_EQ(e->contrast->effect.level, pairs.each);
}

TEST_F(PairsTest, SharesNoErrorWithUndecidedPairs) {
  runs("1", "a", 100);
  runs("1", "b", 80);
  const StudyView view(study.build());
  const PairStudy pairs =
      compare_pairs(view, {"test", label_pairs(view, "mode", "a"), {{"time"}, {"bytes", "direction=h2d", false}}});
  EXPECT_EQ(pairs.tests, 1U);
  EXPECT_EQ(pairs.made().size(), 2U);
}

TEST_F(PairsTest, FindsWhatLiesBeyondTheSpreadAndWhatIsEqual) {
  runs("1", "a", 100);
  runs("1", "b", 80);
  runs("2", "a", 100);
  runs("2", "b", 100.1);
  const PairStudy pairs = compared(0.05);
  ASSERT_EQ(pairs.effects.size(), 2U);
  EXPECT_EQ(pairs.effects[0].outcome, PairOutcome::kDiffers);
  EXPECT_EQ(pairs.effects[1].outcome, PairOutcome::kEquivalent);
  EXPECT_EQ(pairs.effects[1].contrast->effect.level, 0.975) << "equality shares the error as differences do";
  EXPECT_EQ(pairs.effects[0].base.runs.size(), 3U);
  EXPECT_DOUBLE_EQ(pairs.effects[0].treated.least, 80 * 0.998);
  const PairTally tally = pairs.tally(0);
  EXPECT_EQ(tally.made, 2U);
  EXPECT_EQ(tally.open(), 0U);
  EXPECT_EQ(tally.word(), "mixed");
  EXPECT_TRUE(
      contains(tally_text(pairs, 0), "beyond run-to-run noise in 1 of 2 pairs and equal within 5 % in 1 of 2 pairs"));
}

TEST(RatioPlots, AnIntervalThatLeavesTheOthersNoRoomIsNotDrawn) {
  RatioPlot plot("ratios", "Ratios", "b / a", "runs", "outcome");
  const auto effect_of = [](double lo, double hi) {
    Effect effect;
    effect.value = 1;
    effect.lo = lo;
    effect.hi = hi;
    return effect;
  };
  const auto add = [&](double lo, double hi) { plot.add("m", "row", "open", effect_of(lo, hi), {}); };
  add(0.5, 2);
  add(0.35, 3.4);
  add(1e-18, 1e18);
  add(0, 2);
  add(std::nan(""), std::nan(""));
  const Plot made = plot.build("Caption.");
  made.layers.front().data.with_view([](const TableView& view) {
    for (const std::size_t column : {4U, 5U}) {  // low, high
      std::vector<bool> drawn;
      for (const double value : view.columns[column].numbers) drawn.push_back(!std::isnan(value));
      EXPECT_TRUE(equals(drawn, {true, true, false, false, false})) << view.columns[column].name.view();
    }
  });
}

TEST_F(PairsTest, OneRunASideDecidesNothing) {
  runs("1", "a", 100, 1);
  runs("1", "b", 50, 1);
  const PairStudy pairs = compared(0.05);
  ASSERT_EQ(pairs.effects.size(), 1U);
  EXPECT_EQ(pairs.effects[0].outcome, PairOutcome::kInconclusive);
  EXPECT_TRUE(contains(tally_text(pairs, 0), "no repeat runs, so run-to-run noise is unknown"));
}

TEST_F(PairsTest, OneRunASideHasItsSizeAndWhatItLacks) {
  runs("1", "a", 100, 1);
  runs("1", "b", 50, 1);
  const StudyView view(study.build());
  const PairStudy pairs = compared();
  EXPECT_EQ(
      pair_sentence(view, pairs, 0, 0),
      "50.0 % lower in this pair; not confirmed: one run per side. Run-to-run noise is unknown: record 3 runs each");
  EXPECT_EQ(pair_answer(view, pairs, 0, 0, "b against a")->title.substr(0, 30), "b against a: time 50.0 % lower");
}

TEST_F(PairsTest, ASidesSpreadSaysHowManyRunsWouldSettleIt) {
  runs("1", "a", 100, 2, 0.1);
  runs("1", "b", 95, 2, 0.1);
  const StudyView view(study.build());
  EXPECT_TRUE(matches_regex(pair_sentence(view, compared(), 0, 0),
                            "5.0 % lower .-?[0-9.]+, [0-9.]+. %; not confirmed: the interval includes no change. "
                            "Repeat runs here differ by up to 10.5 %; about [0-9]+ runs each would settle it"));
}

TEST_F(PairsTest, ManyPairsAnswerTogether) {
  for (int dim = 1; dim <= 7; ++dim) {
    runs(std::to_string(dim), "a", 100, 1);
    runs(std::to_string(dim), "b", 70 + dim, 1);
  }
  const StudyView view(study.build());
  const PairStudy pairs = compared();
  EXPECT_EQ(pairs.tally(0, 0).open(), 7U) << "no pair tells anything alone";
  const JointEffect joint = pairs.joint(0, 0);
  EXPECT_TRUE(joint.differs());
  const auto answer = pair_answer(view, pairs, 0, 0, "b against a");
  EXPECT_EQ(answer->title, "b against a: time 26.0 % lower ([24.0, 28.0] %; 7 of 7 pairs)");
  EXPECT_EQ(answer->effect->n, 14);
  EXPECT_EQ(answer->effect->scope, Scope::kBetweenRun);
  EXPECT_NEAR(answer->effect->value, joint.ratio, 1e-15);
}

/// All base runs on one day, all treated ones on another: the day may be what differs.
TEST_F(PairsTest, OtherDaysDecideNothingTogether) {
  for (int dim = 1; dim <= 7; ++dim) {
    study.report("a" + std::to_string(dim), {{"dim", std::to_string(dim)}, {"mode", "a"}})
        .attribute("recorded", "2026-01-01 10:00:00")
        .fact("time", 100);
    study.report("b" + std::to_string(dim), {{"dim", std::to_string(dim)}, {"mode", "b"}})
        .attribute("recorded", "2026-01-02 10:00:00")
        .fact("time", 50 + dim);
  }
  const StudyView view(study.build());
  const PairStudy pairs = compared();
  EXPECT_FALSE(pairs.joint(0, 0).differs());
  EXPECT_TRUE(contains(pair_sentence(view, pairs, 0, 0),
                       "not confirmed: base and treated runs were recorded on different days"));
}

TEST(ChangeText, AFactorWithItsDirectionAndPercentBelowATenth) {
  EXPECT_EQ(change_text(1 / 2.6, "ns"), "2.6x faster");
  EXPECT_EQ(change_text(1.31, "ns"), "1.31x slower");
  EXPECT_EQ(change_text(1.042, "us"), "4.2 % slower");
  EXPECT_EQ(change_text(1 / 28.4, "ns"), "28x faster");
  EXPECT_EQ(change_text(1.8, "bytes/s"), "1.80x higher");
  EXPECT_EQ(change_range(1.04, 1.31, "ns"), "4.0 % to 1.31x slower");
  EXPECT_EQ(change_range(0.96, 1.31, "ns"), "4.2 % faster to 1.31x slower");
  EXPECT_EQ(change_range(1.31, 1.31, "ns"), "1.31x slower");
  EXPECT_EQ(change_text(0.948, "ratio"), "5.2 % lower");
  EXPECT_EQ(change_text(0.25, "bytes/s"), "75.0 % lower") << "a difference, never 1 over the ratio";
  EXPECT_EQ(change_text(1, "ns"), "unchanged");
  EXPECT_EQ(change_interval(0.75, 0.68, 1 / 1.2, "ns"), "[1.20, 1.47]") << "in the direction of the change";
  EXPECT_EQ(change_interval(1.04, 0.99, 1.09, "ns"), "[-1.0, 9.0] %");
  EXPECT_EQ(change_interval(0.948, 0.764, 1.177, "ratio"), "[-17.7, 23.6] %");
  EXPECT_TRUE(interval_tells(0.5, 5));
  EXPECT_FALSE(interval_tells(0.00939, 1406));
}

TEST_F(PairsTest, ARunIsLeftOutOnceAndOnlyWhereItJoinsNoPair) {
  runs("1", "a", 100, 1);
  runs("1", "b", 90, 1);
  runs("3", "a", 100, 1);
  study.report("lied", {{"dim", "1"}, {"mode", "c"}}).fact("time", 1).doubted("a doubt");
  const PairStudy pairs = compared();
  ASSERT_EQ(pairs.left_out.size(), 1U) << "1a has a partner in b; nobody believed has c";
  EXPECT_EQ(pairs.left_out[0].report, study.row("3a0"));

  runs("1", "c", 90, 1);
  const PairStudy both = compared();
  ASSERT_EQ(both.left_out.size(), 2U);
  EXPECT_EQ(both.left_out[1].reason, "a doubt");
}

TEST_F(PairsTest, TheRanksOfAJobAreOneRun) {
  study.rank_label("rank");
  for (const char* mode : {"a", "b"}) {
    for (const char* rank : {"0", "1"}) {
      study.report(std::string(mode) + "/r" + rank, {{"dim", "1"}, {"mode", mode}, {"rank", rank}})
          .fact("time", *mode == 'a' ? 100 : 50);
    }
  }
  const PairStudy pairs = compared();
  ASSERT_EQ(pairs.effects.size(), 1U);
  EXPECT_EQ(pairs.effects[0].base.runs.size(), 1U);
  EXPECT_EQ(pairs.effects[0].contrast->effect.n, 2) << "two jobs, not four reports";
}

TEST_F(PairsTest, AStratumOfWhichAMeasureSaysNothingIsNotCompared) {
  runs("1", "a", 100);
  runs("1", "b", 80);
  runs("2", "a", 100);
  runs("2", "b", 100);
  const StudyView view(study.build());
  PairDesign design{"test", label_pairs(view, "mode", "a"), {{"time"}}};
  design.speaks = [](const Stratum& stratum, const Measure&) { return stratum.labels.front().second != "1"; };
  const PairStudy pairs = compare_pairs(view, design);
  EXPECT_EQ(pairs.tests, 1U);
  ASSERT_EQ(pairs.made().size(), 1U);
  EXPECT_EQ(pairs.name_of(pairs.effects[0]), "dim=2");
}

TEST_F(PairsTest, LengthsThatCannotBeComparedAreSaid) {
  study.metric("sum", "ns", Polarity::kNeutral, kExtensive);
  study.report("a", {{"dim", "1"}, {"mode", "a"}}).fact("sum", 10).fact("iteration.count", 5);
  study.report("b", {{"dim", "1"}, {"mode", "b"}}).fact("sum", 20);
  const StudyView view(study.build());
  const PairStudy pairs = compare_pairs(view, {"test", label_pairs(view, "mode", "a"), {{"sum"}}});
  EXPECT_TRUE(pairs.made().empty());
  ASSERT_EQ(pairs.effects.size(), 1U);
  EXPECT_TRUE(contains(pairs.effects[0].lengths.refused, "it grows with the length of a run"));
  EXPECT_EQ(pairs.tests, 0U) << "what cannot be compared cannot err";
}

TEST_F(PairsTest, MeasuresAreThoseThatReportsHave) {
  runs("1", "a", 100, 1);
  study.report("more", {{"dim", "1"}, {"mode", "b"}}).fact("bytes", 1, "direction=d2h");
  const StudyView view(study.build());
  const std::vector<Measure> measures = measures_of(view, {"bytes", "time", "nothing"});
  ASSERT_EQ(measures.size(), 3U);
  EXPECT_EQ(measures[0].name(), "bytes d2h");
  EXPECT_EQ(measures[1].dims, "direction=h2d");
  EXPECT_EQ(measures[2].name(), "time");
}

TEST_F(PairsTest, PairsOfALabelComeInItsOrder) {
  runs("1", "c", 1, 1);
  runs("1", "a", 1, 1);
  runs("1", "b", 1, 1);
  const StudyView view(study.build());
  const auto names = [&](std::string_view base, std::vector<std::string> treated) {
    std::vector<std::string> out;
    for (const LabelPair& pair : label_pairs(view, "mode", base, std::move(treated))) out.push_back(pair.over());
    return out;
  };
  EXPECT_TRUE(equals(names("", {}), {"mode b / a", "mode c / a"}));
  EXPECT_TRUE(equals(names("b", {}), {"mode a / b", "mode c / b"}));
  EXPECT_TRUE(equals(names("b", {"c", "b"}), {"mode c / b"}));
  EXPECT_TRUE(equals(view.values_of("mode"), {"a", "b", "c"}));
  EXPECT_TRUE(view.values_of("undeclared").empty());
}

TEST_F(PairsTest, WhatAClaimIsJudgedOnHasTheIntervalOfTheClaim) {
  for (const char* dim : {"1", "2", "3", "4", "5", "6"}) {
    runs(dim, "a", 100);
    runs(dim, "b", *dim == '1' ? 80 : 100);
  }
  study.metric("claim.ratio", "1").metric("claim.ratio_low", "1").metric("claim.ratio_high", "1");
  study.metric("claim.level", "ratio");
  const std::string of_1 = "dim=1;metric=time;mode=b / a", of_2 = "dim=2;metric=time;mode=b / a",
                    all = "metric=time;mode=b / a";
  study.fact("claim.ratio", 0.81, of_1).fact("claim.ratio_low", 0.7, of_1).fact("claim.ratio_high", 0.9, of_1);
  study.fact("claim.level", 0.99, of_1).fact("claim.ratio", 1, of_2).fact("claim.level", 0.99, of_2);
  study.fact("claim.ratio", 0.5, all).fact("claim.level", 0.9, all);
  const PairStudy pairs = compared();
  ASSERT_EQ(pairs.made().size(), 6U);
  EXPECT_EQ(pairs.tests, 4U) << "two are tested by claims";
  const Effect& claimed = pairs.effects[0].contrast->effect;
  EXPECT_EQ(claimed.value, 0.81);
  EXPECT_EQ(claimed.lo, 0.7);
  EXPECT_EQ(claimed.hi, 0.9);
  EXPECT_EQ(claimed.level, 0.99);
  EXPECT_EQ(claimed.n, 6);
  EXPECT_EQ(pairs.effects[0].outcome, PairOutcome::kDiffers);
  EXPECT_TRUE(std::isnan(pairs.effects[1].contrast->effect.lo)) << "a claim without an interval";
  EXPECT_EQ(pairs.effects[1].outcome, PairOutcome::kInconclusive);
  EXPECT_FALSE(pairs.effects[2].claimed);
  EXPECT_DOUBLE_EQ(pairs.effects[2].contrast->effect.level, pairs.each);
  EXPECT_EQ(pairs.joint(0, 0).level, pairs.joint_level) << "a claim on the mean of other pairs";
}

TEST_F(PairsTest, TheMeanThatAClaimIsJudgedOnHasItsLevel) {
  for (const char* dim : {"1", "2", "3", "4", "5", "6", "7"}) {
    runs(dim, "a", 100);
    runs(dim, "b", 80 + (*dim - '0'));
  }
  const double ratio = compared().joint(0, 0).ratio, low = compared().joint(0, 0).lo;
  study.metric("claim.ratio", "1").metric("claim.level", "ratio");
  study.fact("claim.ratio", ratio, "metric=time;mode=b / a").fact("claim.level", 0.999, "metric=time;mode=b / a");
  EXPECT_EQ(compared().joint(0, 0).level, 0.999);
  EXPECT_LT(compared().joint(0, 0).lo, low) << "of a higher level";
}

TEST_F(PairsTest, AClaimOnARecordingCountsItsBlocksAndNotTheSecondRunsOfTheTwins) {
  study.descriptive_label("block");
  study.descriptive_label("twin");
  for (const char* block : {"1", "2", "3"}) {
    for (const auto& [mode, twin] : {std::pair("a", "no"), std::pair("a", "yes"), std::pair("b", "no")})
      study.report(std::string(mode) + block + twin, {{"mode", mode}, {"block", block}, {"twin", twin}})
          .fact("time", 100 + (*block - '0'));
  }
  study.metric("claim.ratio", "1").fact("claim.ratio", 1.01, "metric=time;mode=b / a");
  const StudyView view(study.build());
  const PairStudy pairs = compare_pairs(view, {"test", label_pairs(view, "mode", "a"), {{"time"}}});
  ASSERT_EQ(pairs.made().size(), 1U);
  EXPECT_EQ(pairs.effects[0].blocks, 3U);
  EXPECT_EQ(pairs.effects[0].contrast->effect.n, 6) << "of nine runs";
  EXPECT_TRUE(contains(pair_sentence(view, pairs, 0, 0), "no interval after 3 blocks"));
}

TEST_F(PairsTest, RunsRecordedOneSideAfterTheOtherSayWhatThatCosts) {
  int minute = 10;
  for (const char* mode : {"a", "b"}) {
    for (int i = 0; i < 5; ++i)
      study.report(std::string(mode) + std::to_string(i), {{"dim", "1"}, {"mode", mode}})
          .attribute("recorded", "2026-11-21 01:" + std::to_string(minute++) + ":00")
          .fact("time", (*mode == 'a' ? 100 : 103) + 0.5 * i);
  }
  const StudyView view(study.build());
  const PairStudy pairs = compare_pairs(view, {"test", label_pairs(view, "mode", "a"), {{"time"}}});
  const double widening = pairs.effects[0].contrast->basis.widening;
  EXPECT_GT(widening, 2);
  EXPECT_TRUE(contains(pair_sentence(view, pairs, 0, 0), printed("widens it %.1f times: alternate them", widening)));
  const Finding answer = *pair_answer(view, pairs, 0, 0, "b");
  EXPECT_TRUE(
      contains(answer.text, "Welch's t-test (p = 0.00032) and Mann-Whitney (p = 0.0079) would call it a change"));
}

TEST_F(PairsTest, ReplicatesHaveTheirRanksInTheTable) {
  runs("1", "a", 100, 4);
  runs("1", "b", 80, 4);
  runs("2", "a", 100, 1);
  runs("2", "b", 90, 1);
  const Table table = pair_table(compared(), "pairs", "Pairs", "mode");
  table.with_view([](const TableView& view) {
    ASSERT_EQ(view.columns.size, 12U);
    EXPECT_EQ(view.columns[8].name, "Cliff's delta");
    EXPECT_EQ(view.columns[8].numbers[0], -1);
    EXPECT_TRUE(std::isnan(view.columns[8].numbers[1])) << "one run per side has no rank";
    EXPECT_DOUBLE_EQ(view.columns[9].numbers[0], 2.0 / 70) << "2 / C(8, 4): the sides do not overlap";
    EXPECT_DOUBLE_EQ(view.columns[10].numbers[0], 2.0 / 70);
    EXPECT_LT(view.columns[11].numbers[0], 1e-6) << "Welch";
    EXPECT_TRUE(std::isnan(view.columns[11].numbers[1]));
  });
}

TEST_F(PairsTest, FactsAndEvidenceNameThePair) {
  study.metric("ratio", "ratio");
  runs("1", "a", 100);
  runs("1", "b", 80);
  runs("2", "a", 100);
  runs("2", "b", 100);
  const PairStudy pairs = compared();
  const Finding finding = pair_evidence(pairs, *pairs.made().front());
  EXPECT_EQ(finding.title, "dim=1: mode b / a on time");
  EXPECT_EQ(finding.text, "ratio 0.800, beyond run-to-run noise.");
  EXPECT_TRUE(equals(finding.labels, {std::pair<std::string, std::string>("dim", "1"),
                                      std::pair<std::string, std::string>("mode", "b")}));
  EXPECT_TRUE(contains(level_sentence(pairs), "Corrected for 2 comparisons"));
  ASSERT_TRUE(pair_plot(pairs, {"pairs", "Pairs", "b / a", "Below 1 b is faster."}));
}

}  // namespace assay::pairs_test
