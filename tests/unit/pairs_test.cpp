// One comparison of matched pairs: what shares the error, what is found, what is left out.
#include "assay/algo/pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/pair_outputs.hpp"
#include "assay/testing/recorder.hpp"
#include "assay/testing/study_builder.hpp"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
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

TEST(DecidePair, MakesTheStrictIntervalOnlyWhereTheQuestionsOwnLeavesOutOne) {
  // What is decided when both intervals are made, as it was before one was left out.
  const auto with_both = [](const Contrast& strict, const Contrast& single, const std::optional<double>& margin) {
    if (differs(strict)) return std::pair(PairOutcome::kDiffers, strict.effect.level);
    if (!margin) return std::pair(PairOutcome::kInconclusive, strict.effect.level);
    const Effect& e = single.effect;
    if (e.scope == Scope::kBetweenRun && e.lo >= 1 / (1 + *margin) && e.hi <= 1 + *margin)
      return std::pair(PairOutcome::kEquivalent, e.level);
    return std::pair(PairOutcome::kInconclusive, e.lo > 1 || e.hi < 1 ? strict.effect.level : e.level);
  };
  Random random("decide");
  std::size_t spared = 0;
  for (int round = 0; round < 2000; ++round) {
    const double centre = 0.9 + 0.2 * random.uniform(), half = 0.08 * random.uniform(), wider = random.uniform();
    const bool inside_floor = random.index(4) == 0, within = random.index(4) == 0;
    std::size_t made = 0;
    const auto at = [&](double level) {
      ++made;
      Contrast contrast;
      const double reach = half * (level > 0.95 ? 1 + wider : 1);
      contrast.effect.value = centre;
      contrast.effect.lo = centre - reach;
      contrast.effect.hi = centre + reach;
      contrast.effect.level = level;
      contrast.effect.scope = within ? Scope::kWithinRun : Scope::kBetweenRun;
      contrast.inside_noise_floor = inside_floor;
      return contrast;
    };
    const std::optional<double> margin = random.index(3) == 0 ? std::nullopt : std::optional(0.05);
    const auto expected = with_both(at(0.999), at(0.95), margin);
    made = 0;
    const auto [contrast, outcome] = detail::decide(at, 0.999, 0.95, margin);
    EXPECT_EQ(outcome, expected.first) << round;
    EXPECT_EQ(contrast.effect.level, expected.second) << round;
    const bool leaves_out_one = centre - half > 1 || centre + half < 1;
    EXPECT_EQ(made, margin && leaves_out_one ? 2U : 1U) << round;
    if (margin && made == 1) ++spared;
  }
  EXPECT_GT(spared, 100U);
}

TEST_F(PairsTest, AllMeasuresAndStrataShareTheErrorOfTheQuestion) {
  runs("1", "a", 100), runs("1", "b", 80), runs("2", "a", 100), runs("2", "b", 100);
  study.level(0.9);
  const StudyView view(study.build());
  const PairStudy pairs =
      compare_pairs(view, {"test", label_pairs(view, "mode", "a"), {{"time"}, {"bytes", "direction=h2d"}, {"none"}}});
  EXPECT_EQ(pairs.tests, 4U) << "two measures that are there, two strata";
  EXPECT_DOUBLE_EQ(pairs.each, 1 - (1 - 0.9) / 4);
  ASSERT_EQ(pairs.made().size(), 4U);
  for (const PairEffect* e : pairs.made()) EXPECT_DOUBLE_EQ(e->contrast->effect.level, pairs.each);
}

TEST_F(PairsTest, WhatDecidesNothingSharesNoError) {
  runs("1", "a", 100), runs("1", "b", 80);
  const StudyView view(study.build());
  const PairStudy pairs =
      compare_pairs(view, {"test", label_pairs(view, "mode", "a"), {{"time"}, {"bytes", "direction=h2d", false}}});
  EXPECT_EQ(pairs.tests, 1U);
  EXPECT_EQ(pairs.made().size(), 2U);
}

TEST_F(PairsTest, FindsWhatLiesBeyondTheSpreadAndWhatIsEqual) {
  runs("1", "a", 100), runs("1", "b", 80), runs("2", "a", 100), runs("2", "b", 100.1);
  const PairStudy pairs = compared(0.05);
  ASSERT_EQ(pairs.effects.size(), 2U);
  EXPECT_EQ(pairs.effects[0].outcome, PairOutcome::kDiffers);
  EXPECT_EQ(pairs.effects[1].outcome, PairOutcome::kEquivalent);
  EXPECT_EQ(pairs.effects[1].contrast->effect.level, 0.95) << "equality is shown at the level of the question";
  EXPECT_EQ(pairs.effects[0].base.runs.size(), 3U);
  EXPECT_DOUBLE_EQ(pairs.effects[0].treated.least, 80 * 0.998);
  const PairTally tally = pairs.tally(0);
  EXPECT_EQ(tally.made, 2U);
  EXPECT_EQ(tally.open(), 0U);
  EXPECT_EQ(tally.word(), "mixed");
  EXPECT_THAT(tally_text(pairs, 0),
              HasSubstr("beyond the noise floor in 1 of 2 pairs and equal within 5 % in 1 of 2 pairs"));
}

TEST_F(PairsTest, OneRunASideDecidesNothing) {
  runs("1", "a", 100, 1), runs("1", "b", 50, 1);
  const PairStudy pairs = compared(0.05);
  ASSERT_EQ(pairs.effects.size(), 1U);
  EXPECT_EQ(pairs.effects[0].outcome, PairOutcome::kInconclusive);
  EXPECT_THAT(tally_text(pairs, 0), HasSubstr("no two runs of one program"));
}

TEST_F(PairsTest, ARunIsLeftOutOnceAndOnlyWhereItJoinsNoPair) {
  runs("1", "a", 100, 1), runs("1", "b", 90, 1), runs("3", "a", 100, 1);
  study.report("lied", {{"dim", "1"}, {"mode", "c"}}).fact("time", 1).doubted("its label mode is contradicted");
  const PairStudy pairs = compared();
  ASSERT_EQ(pairs.left_out.size(), 1U) << "1a has a partner in b; nobody believed has c";
  EXPECT_EQ(pairs.left_out[0].report, study.row("3a0"));

  runs("1", "c", 90, 1);
  const PairStudy both = compared();
  ASSERT_EQ(both.left_out.size(), 2U);
  EXPECT_EQ(both.left_out[1].reason, "its label mode is contradicted");
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
  runs("1", "a", 100), runs("1", "b", 80), runs("2", "a", 100), runs("2", "b", 100);
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
  EXPECT_THAT(pairs.effects[0].lengths.refused, HasSubstr("it grows with the length of a run"));
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
  runs("1", "c", 1, 1), runs("1", "a", 1, 1), runs("1", "b", 1, 1);
  const StudyView view(study.build());
  const auto names = [&](std::string_view base, std::vector<std::string> treated) {
    std::vector<std::string> out;
    for (const LabelPair& pair : label_pairs(view, "mode", base, std::move(treated))) out.push_back(pair.over());
    return out;
  };
  EXPECT_THAT(names("", {}), ElementsAre("mode b / a", "mode c / a"));
  EXPECT_THAT(names("b", {}), ElementsAre("mode a / b", "mode c / b"));
  EXPECT_THAT(names("b", {"c", "b"}), ElementsAre("mode c / b"));
  EXPECT_THAT(view.values_of("mode"), ElementsAre("a", "b", "c"));
  EXPECT_TRUE(view.values_of("undeclared").empty());
}

TEST_F(PairsTest, ReplicatesHaveTheirRanksInTheTable) {
  runs("1", "a", 100, 4), runs("1", "b", 80, 4), runs("2", "a", 100, 1), runs("2", "b", 90, 1);
  const Table table = pair_table(compared(), "pairs", "Pairs", "mode");
  table.with_view([](const TableView& view) {
    ASSERT_EQ(view.columns.size, 11U);
    EXPECT_EQ(view.columns[8].name, "Cliff's delta");
    EXPECT_EQ(view.columns[8].numbers[0], -1);
    EXPECT_TRUE(std::isnan(view.columns[8].numbers[1])) << "one run a side has no rank";
    EXPECT_DOUBLE_EQ(view.columns[9].numbers[0], 2.0 / 70) << "2 / C(8, 4): the sides do not overlap";
    EXPECT_DOUBLE_EQ(view.columns[10].numbers[0], 2.0 / 70);
  });
}

TEST_F(PairsTest, FactsAndEvidenceNameThePair) {
  study.metric("ratio", "ratio");
  runs("1", "a", 100), runs("1", "b", 80), runs("2", "a", 100), runs("2", "b", 100);
  const PairStudy pairs = compared();
  const Finding finding = pair_evidence(pairs, *pairs.made().front());
  EXPECT_EQ(finding.title, "dim=1: mode b / a on time");
  EXPECT_EQ(finding.text, "ratio 0.800, beyond the noise floor.");
  EXPECT_THAT(finding.labels, ElementsAre(std::pair<std::string, std::string>("dim", "1"),
                                          std::pair<std::string, std::string>("mode", "b")));
  EXPECT_THAT(level_sentence(pairs), HasSubstr("0.9750, 0.05 shared by 2 comparisons"));
  ASSERT_TRUE(pair_plot(pairs, {"pairs", "Pairs", "b / a", "Below 1 b is faster."}));
}

}  // namespace
}  // namespace assay
