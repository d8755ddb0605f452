// compare = "best": the set of values that cannot be told from the best, over runs as they are and over blocks.
#include "assay/detail/random.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/claim_verdicts/race.hpp"
#include "support/test.hpp"

namespace assay::best_test {

using namespace under_test::claim_verdicts;
using namespace testing;

const std::vector<std::string> kNames = {"flash", "cudnn", "efficient", "math"};

/// Runs of four configurations, three equal within half a percent and one 30 % slower, or as said.
struct BestDesign {
  std::size_t runs = 20;
  bool blocks = false;
  double noise = 0.002;
  std::vector<double> times = {1.0, 1.004, 1.15, 1.3};
  double twin = 1;
  double leader_mhz = 0;  ///< SM clock of the first, others have 1980; 0: not sampled
};

Recorder judged(const BestDesign& made, const char* metric = "time_ns") {
  StudyBuilder s;
  s.label("config", kNames, kChangesKernels);
  s.descriptive_label("block");
  s.descriptive_label("twin");
  s.metric(metric, std::string_view(metric).ends_with("ns") ? "ns" : "1/s",
           std::string_view(metric).ends_with("ns") ? Polarity::kLowerIsBetter : Polarity::kHigherIsBetter);
  Random random("best");
  for (std::size_t n = 1; n <= made.runs; ++n) {
    const std::string block = std::to_string(n);
    const double machine = made.blocks ? std::exp(0.2 * random.normal()) : 1;
    const auto add = [&](std::size_t i, const char* twin, double factor) {
      StudyBuilder::LabelValues labels = {{"config", kNames[i]}};
      if (made.blocks) labels = {{"config", kNames[i]}, {"block", block}, {"twin", twin}};
      const double time = 1e6 * made.times[i] * machine * factor * std::exp(made.noise * random.normal());
      auto& report = s.report(block + "_" + kNames[i] + twin, labels);
      report.fact(metric, std::string_view(metric).ends_with("ns") ? time : 1e12 / time);
      if (made.leader_mhz > 0)
        report.fact("clock.sm_mhz", i == 0 ? made.leader_mhz : 1980).fact("clock.memory_mhz", 2619);
    };
    for (std::size_t i = 0; i < kNames.size(); ++i) add(i, "no", 1);
    if (made.blocks) add(0, "yes", made.twin);
  }
  s.claim("which", "which is best", descriptor.claim_keys.view(),
          {{"metric", metric}, {"compare", "best"}, {"label", "config"}, {"margin", 0.01}});
  return concluded(s.build());
}

/// Names of the set, by the facts.
std::vector<std::string> set_of(const Recorder& r) {
  std::vector<std::string> out;
  for (const std::string& name : kNames) {
    if (r.value("best.in_set", "claim=which;config=" + name) == 1) out.push_back(name);
  }
  return out;
}

TEST(Best, SetHoldsWhatTheMarginMakesEqual) {
  for (const bool blocks : {false, true}) {
    const Recorder r = judged({.blocks = blocks});
    EXPECT_EQ(r.verdicts.at(0).verdict, Verdict::kSupported) << r.verdicts.at(0).reason;
    EXPECT_EQ(set_of(r), (std::vector<std::string>{"flash", "cudnn"})) << blocks;
    EXPECT_EQ(r.verdicts.at(0).strata.size(), 4U);
    EXPECT_NEAR(r.value("best.ratio", "claim=which;config=math").value_or(0), 1.3, 0.01);
    EXPECT_EQ(r.plots.size(), blocks ? 2U : 1U) << "the set, and blocks as they came";
  }
  EXPECT_EQ(judged({}).verdicts.at(0).reason,
            "flash, cudnn (within 1 %); efficient 1.15x slower, math 1.30x slower, judged on time_ns");
}

TEST(Best, MoreIsBetterWhereTheMetricSaysSo) {
  const Recorder r = judged({}, "rate_per_s");
  EXPECT_EQ(set_of(r), (std::vector<std::string>{"flash", "cudnn"})) << r.verdicts.at(0).reason;
}

TEST(Best, NoiseLeavesTheSetOpenAndSaysWithinWhat) {
  const Recorder r = judged({.blocks = true, .noise = 0.05});
  EXPECT_EQ(r.verdicts.at(0).verdict, Verdict::kInconclusive);
  EXPECT_EQ(set_of(r).front(), "flash");
  EXPECT_TRUE(contains(r.verdicts.at(0).reason, "the margin is 1 %")) << r.verdicts.at(0).reason;
}

TEST(Best, SingleRunsAreToldApartByNothing) {
  const Recorder r = judged({.runs = 1});
  EXPECT_EQ(r.verdicts.at(0).verdict, Verdict::kInconclusive);
  EXPECT_EQ(set_of(r).size(), 4U);
  EXPECT_TRUE(r.verdicts.at(0).reason.starts_with("flash leads: ")) << r.verdicts.at(0).reason;
}

TEST(Best, NothingIsDecidedWhereTheSameProgramDiffersFromItself) {
  const Recorder r = judged({.blocks = true, .twin = 1.2});
  EXPECT_EQ(r.verdicts.at(0).verdict, Verdict::kInconclusive);
  EXPECT_TRUE(contains(r.verdicts.at(0).reason, "A/A pair"));
}

/// Four blocks of four configurations with a lead of 8.3 %, and a noise of 0.19 % between equal runs.
TEST(Best, SampledClocksReplaceTheBoundOnClockStates) {
  const auto verdict = [](double leader_mhz) {
    const Recorder r =
        judged({.runs = 4, .blocks = true, .noise = 0.0019, .times = {1, 1.083, 1.15, 6}, .leader_mhz = leader_mhz});
    return r.verdicts.at(0).verdict;
  };
  EXPECT_EQ(verdict(0), Verdict::kInconclusive) << "a clock state of 25 % may not have shown itself";
  EXPECT_EQ(verdict(1980), Verdict::kSupported);
  EXPECT_EQ(verdict(1995), Verdict::kSupported);
  EXPECT_EQ(verdict(2145), Verdict::kInconclusive) << "a clock 8 % higher may be why";
}

/// As race_table prints it for all rows: ten equal configurations under noise that lasts.
TEST(Race, TenEqualConfigurationsStayTogether) {
  std::size_t lost = 0;
  constexpr std::size_t kStudies = 60;
  for (std::size_t study = 0; study < kStudies; ++study) {
    Random random("equal " + std::to_string(study));
    std::vector<claims::Racer> racers(10);
    for (claims::Racer& racer : racers) {
      double lasting = 0.033 * random.normal();
      for (int block = 1; block <= 20; ++block) {
        lasting = 0.8 * lasting + 0.02 * random.normal();
        racer.block.push_back(block);
        racer.value.push_back(lasting);
      }
    }
    const claims::Race race = race_of(racers, 0, 0.05);
    lost += std::ranges::all_of(race.standings, &claims::Standing::in_set) ? 0U : 1U;
  }
  EXPECT_LE(lost, 6U) << "5 % of 60 are 3; more than 6 have a chance of 3 %";
}

/// Four racers over as many blocks, the last behind by that log.
claims::Race four(int blocks, double noise, double behind) {
  Random random("early");
  std::vector<claims::Racer> racers(4);
  for (int block = 1; block <= blocks; ++block) {
    for (std::size_t i = 0; i < racers.size(); ++i) {
      racers[i].block.push_back(block);
      racers[i].value.push_back((i == 3 ? behind : 0.0) + noise * random.normal());
    }
  }
  return race_of(racers, 0.01, 0.05);
}

TEST(Race, FarWorseOnesDropOutEarly) {
  const claims::Race race = four(4, 0.005, 1);
  EXPECT_FALSE(race.standings[3].in_set);
  EXPECT_EQ(race.standings[3].out_at, 3);
  EXPECT_TRUE(race.standings[0].in_set && race.standings[1].in_set && race.standings[2].in_set);
  EXPECT_FALSE(race.ended);
  EXPECT_LE(four(7, 0.1, std::log(4)).standings[3].out_at, 6) << "20 spreads are a factor of 17";
  EXPECT_FALSE(four(7, 0.1, std::log(4)).standings[3].in_set);
}

}  // namespace assay::best_test
