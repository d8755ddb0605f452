// What open claims still need, as claim_verdicts says it, and what to plan for.
#include "interim/power.hpp"

#include "algo/noise/sequence.hpp"
#include "assay/detail/spread.hpp"
#include "support/test.hpp"

namespace assay::power_test {

constexpr double kSecond = 1e9, kInf = std::numeric_limits<double>::infinity();
constexpr const char* kMetric = "iteration.period_ns";

/// One open claim on mode b against a, of which three blocks (or runs a side) were recorded in 30 s each.
class Power : public ::testing::Test {
 protected:
  Power() {
    question_.id = result_.id = "q";
    ClaimConfig claim;
    claim.id = "c";
    question_.claims.push_back(std::move(claim));
    OwnedStratum stratum;
    stratum.labels = {{"mode", "b"}};
    stratum.verdict = Verdict::kInconclusive;
    stratum.effect = OwnedEffect{EffectKind::kRatio, Scope::kBetweenRun, kMetric, "1", 1.04, 0.5, 2, 0.95, 6, ""};
    stratum.need = OwnedNeed{NeedUnit::kBlocks,
                             NeedScale::kLogs,
                             std::log(1.04),
                             0.03,
                             2,
                             std::log(0.9),
                             std::log(1.1),
                             kUnseenShift,
                             2,
                             3,
                             17,
                             ""};
    result_.result.claims.push_back({"c", "text", "", Verdict::kInconclusive, "", {stratum}});
    for (const char* mode : {"a", "b"}) {
      for (int i = 0; i < 3; ++i) {
        StoredReport report;
        report.name = mode + std::to_string(i);
        report.facts = {{"runner.process_time_ns", "", mode[0] == 'a' ? 10 * kSecond : 20 * kSecond, {}}};
        result_.result.claims[0].strata[0].evidence.push_back({report.name, kMetric, "", 100});
        result_.reports.push_back(std::move(report));
      }
    }
  }
  OwnedStratum& stratum() { return result_.result.claims[0].strata[0]; }
  [[nodiscard]] OpenStratum open(std::optional<double> effect = {}) const {
    const auto strata = open_strata(question_, result_, effect);
    EXPECT_EQ(strata.size(), 1U);
    return strata.empty() ? OpenStratum{} : strata.front();
  }

  Question question_;
  StoredQuestion result_;
};

TEST_F(Power, AgreesWithTheVerdictOnWhatIsNeeded) {
  const OpenStratum o = open();
  EXPECT_EQ(o.in_vain, "");
  EXPECT_TRUE(o.recorded);
  EXPECT_EQ(o.blocks, 3U);
  EXPECT_EQ(o.as_seen, 17U);
  EXPECT_NEAR(o.effect, 1.04, 1e-12);
  EXPECT_NEAR(o.most_sd, o.sd * std::sqrt(2 / 0.4463), 0.02 * o.most_sd) << "0.4463: 20 % of chi squared, 2 degrees";
  ASSERT_TRUE(o.seconds);
  EXPECT_NEAR(*o.seconds, 30, 1e-9) << "of one block: 10 and 20 s";
  EXPECT_EQ(o.seen.n, 3U);
  EXPECT_NEAR(o.asked.lo, std::log(0.9), 1e-12);
  EXPECT_EQ(o.asked.unseen, kUnseenShift);
}

TEST_F(Power, TellsHowFarItIsAndKeepsTheOrder) {
  const OwnedClaim claim = result_.result.claims[0];
  const ClaimConfig asked = question_.claims.at(0);
  for (int i = 1; i < 5; ++i) {
    result_.result.claims.push_back(claim);
    question_.claims.push_back(asked);
    result_.result.claims.back().id = question_.claims.back().id = "c" + std::to_string(i);
  }
  std::atomic<std::size_t> calls{0}, last{0};
  const auto strata = open_strata(question_, result_, {}, [&](std::size_t done, std::size_t all) {
    ++calls;
    if (done == all) last = all;
  });
  EXPECT_EQ(calls, 5U);
  EXPECT_EQ(last, 5U);
  ASSERT_EQ(strata.size(), 5U);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(strata[i].claim, "c" + std::to_string(i));
}

TEST_F(Power, PlansForTheCentreOfTheRangeOrWhatIsAskedAndNeverForWhatWasSeen) {
  const OpenStratum centre = open(), asked = open(1.08);
  const double middle = (std::log(0.9) + std::log(1.1)) / 2;
  EXPECT_EQ(*centre.planned,
            sequence_blocks_for_power(middle, centre.most_sd, {std::log(0.9), std::log(1.1), 0.95}, 0.9, 10000));
  EXPECT_GT(*asked.planned, *centre.planned) << "nearer to a bound";
  stratum().need->low = 0;
  stratum().need->high = kInf;
  EXPECT_FALSE(open().planned) << "an open range has no centre";
  EXPECT_TRUE(open(1.08).planned);
}

TEST_F(Power, RunsArePlannedByTheRuleThatJudgesRuns) {
  stratum().need->unit = NeedUnit::kRuns;
  const OpenStratum o = open(1.0);
  EXPECT_FALSE(o.recorded);
  EXPECT_EQ(*o.planned, runs_for_power(0, o.most_sd, {std::log(0.9), std::log(1.1), 0.95, 2}, 0.9, 10000));
  EXPECT_LT(*o.planned, *([&] {
    stratum().need->unit = NeedUnit::kBlocks;
    return open(1.0).planned;
  }()))
      << "a sequence that may be looked at at any time takes longer";
  stratum().need->unit = NeedUnit::kRuns;
  EXPECT_NEAR(*open().seconds, 30, 1e-9) << "one run of each side";
}

TEST_F(Power, SharesArePlacedByLogits) {
  stratum().need->scale = NeedScale::kLogits;
  stratum().need->centre = 0;
  EXPECT_NEAR(open().effect, 0.5, 1e-12);
  EXPECT_EQ(open(1.0).planned, open(2.0).planned) << "there is no share beyond 1";
}

TEST_F(Power, ReportsWhatRunsDoNotDecide) {
  stratum().need->in_vain = "the effect changed at block 7; find out what changed, then start over with --fresh";
  EXPECT_TRUE(contains(open().in_vain, "start over with --fresh"));
  stratum().need.reset();
  EXPECT_TRUE(contains(open().in_vain, "run again")) << "of an earlier version";
  result_.result.claims[0].verdict = Verdict::kSupported;
  EXPECT_TRUE(open_strata(question_, result_, {}).empty());
}

}  // namespace assay::power_test
