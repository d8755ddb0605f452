// What open claims still need: spreads and effects taken from the evidence of a result, by hand the second time.
#include "app/power.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "assay/algo/sequence.hpp"

namespace assay {
namespace {

using ::testing::HasSubstr;

constexpr double kSecond = 1e9;
constexpr const char* kMetric = "iteration.period_ns";

RawOption key(const char* name, decltype(RawValue::value) value) {
  RawOption option;
  option.name = name;
  option.value.value = std::move(value);
  return option;
}

/// One claim on mode b against a, and runs of both in blocks; empty `block`: without blocks.
class Power : public ::testing::Test {
 protected:
  Power() {
    question_.id = result_.id = "q";
    claim({0.9, 1.1});
    OwnedStratum stratum;
    stratum.labels = {{"mode", "b"}};
    stratum.verdict = Verdict::kInconclusive;
    stratum.effect = OwnedEffect{EffectKind::kRatio, Scope::kBetweenRun, kMetric, "1", 1, 0.5, 2, 0.95, 6, ""};
    result_.result.claims.push_back({"c", "text", "", Verdict::kInconclusive, "", {stratum}});
  }

  void claim(std::vector<double> between) {
    question_.claims.clear();
    ClaimConfig claim;
    claim.id = "c";
    claim.keys = {key("compare", std::string("ratio")), key("label", std::string("mode")),
                  key("base", std::string("a")), key("between", std::move(between))};
    question_.claims.push_back(std::move(claim));
  }
  void run(const std::string& mode, const std::string& block, double value, const std::string& twin = "no",
           double seconds = 10) {
    StoredReport report;
    report.name = mode + block + twin + std::to_string(result_.reports.size());
    report.labels = {{"mode", mode}, {"twin", twin}};
    if (!block.empty()) report.labels.emplace_back("block", block);
    report.attributes.push_back({"fingerprint", mode});
    report.facts = {{kMetric, "", value, {}}};
    if (seconds > 0) report.facts.push_back({"runner.process_time_ns", "", seconds * kSecond, {}});
    result_.result.claims[0].strata[0].evidence.push_back({report.name, kMetric, "", value});
    result_.reports.push_back(std::move(report));
  }
  void blocks() {
    const double base[] = {100, 120, 90}, treated[] = {104, 119, 95};
    for (int b = 0; b < 3; ++b) {
      run("a", std::to_string(b + 1), base[b]);
      run("a", std::to_string(b + 1), 3 * base[b], "yes");
      run("b", std::to_string(b + 1), treated[b], "no", 20);
    }
  }
  [[nodiscard]] OpenStratum open(std::optional<double> effect = {}) const {
    const auto strata = open_strata(question_, result_, effect);
    EXPECT_EQ(strata.size(), 1U);
    return strata.empty() ? OpenStratum{} : strata.front();
  }

  Question question_;
  StoredQuestion result_;
};

TEST_F(Power, SpreadAndEffectAreThoseOfTheDifferencesWithinBlocks) {
  blocks();
  const double d[] = {std::log(1.04), std::log(119.0 / 120), std::log(95.0 / 90)};
  const double centre = (d[0] + d[1] + d[2]) / 3;
  double squares = 0;
  for (const double x : d) squares += (x - centre) * (x - centre);
  const OpenStratum o = open();
  EXPECT_EQ(o.in_vain, "");
  EXPECT_TRUE(o.recorded);
  EXPECT_EQ(o.blocks, 3U) << "the twin is none of them";
  EXPECT_NEAR(o.effect, std::exp(centre), 1e-12);
  EXPECT_NEAR(o.sd, std::sqrt(squares / 2), 1e-12);
  EXPECT_NEAR(o.most_sd, o.sd * std::sqrt(2 / 0.4463), 0.02 * o.most_sd) << "0.4463: 20 % of chi squared, 2 degrees";
  ASSERT_TRUE(o.seconds);
  EXPECT_NEAR(*o.seconds, 30, 1e-9) << "of one block: 10 and 20 s";
  EXPECT_EQ(o.as_seen, sequence_blocks_needed(centre, o.sd, std::log(0.9), std::log(1.1), 0.95, 10000));
}

TEST_F(Power, PlansForTheCentreOfTheRangeOrWhatIsAskedAndNeverForWhatWasSeen) {
  blocks();
  const OpenStratum centre = open(), asked = open(1.08);
  const double middle = (std::log(0.9) + std::log(1.1)) / 2;
  EXPECT_EQ(*centre.planned,
            sequence_blocks_for_power(middle, centre.most_sd, std::log(0.9), std::log(1.1), 0.95, 0.9, 10000));
  EXPECT_GT(*asked.planned, *centre.planned) << "nearer to a bound";
  claim({1, std::numeric_limits<double>::infinity()});
  EXPECT_FALSE(open().planned) << "an open range has no centre";
  EXPECT_TRUE(open(1.08).planned);
}

TEST_F(Power, WithoutBlocksTheSpreadIsThatOfEqualRunsAndNoRunCounts) {
  for (const double value : {100.0, 110.0}) run("a", "", value, "no", 0);
  run("b", "", 104, "no", 0);
  const OpenStratum o = open();
  EXPECT_FALSE(o.recorded);
  const double sd = std::abs(std::log(1.1)) / std::sqrt(2.0);
  EXPECT_NEAR(o.sd, sd * std::sqrt(2.0), 1e-12) << "a block's difference is that of two runs";
  EXPECT_FALSE(o.seconds) << "not known";
}

TEST_F(Power, WhatRunsDoNotDecideIsSaid) {
  run("a", "", 100);
  run("b", "", 104);
  EXPECT_THAT(open().in_vain, HasSubstr("no two of them were made"));
  question_.claims[0].keys.push_back(key("exact", true));
  EXPECT_THAT(open().in_vain, HasSubstr("a fact of the whole study"));
  result_.result.claims[0].verdict = Verdict::kSupported;
  EXPECT_TRUE(open_strata(question_, result_, {}).empty());
}

}  // namespace
}  // namespace assay
