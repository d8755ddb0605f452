// The table of a claim of which configurations are the best.
#include "render/ranking.hpp"

#include "sample_run.hpp"
#include "support/test.hpp"

namespace assay::testing::ranking_test {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

OwnedClaim best_claim() {
  OwnedClaim claim{"best", "text", "", Verdict::kInconclusive, "", {}};
  claim.keys = {{"compare", {"best"}}, {"label", {"mode"}}, {"margin", {"0.01"}}};
  return claim;
}

/// A value of `mode` with runs of these times in ms.
void add(OwnedClaim& claim, const std::string& name, Verdict verdict, double ratio, double lo, double hi,
         const std::vector<double>& runs) {
  OwnedEffect measured = effect(EffectKind::kRatio, "b.ns", "1", ratio, lo, hi);
  measured.n = static_cast<std::int64_t>(runs.size());
  OwnedStratum stratum{{{"mode", name}}, verdict, "", measured, {}};
  for (const double run : runs) stratum.evidence.push_back({name, "b.ns", "", run * 1e6});
  claim.strata.push_back(std::move(stratum));
}

std::vector<OwnedMetric> metrics() { return {{"b.ns", "ns", "", "b", Polarity::kLowerIsBetter}}; }

TEST(Ranking, TiesStandBesideTheBest) {
  OwnedClaim claim = best_claim();
  add(claim, "pinned", Verdict::kInconclusive, 1, 1, 1, {20, 45});
  add(claim, "flash", Verdict::kInconclusive, 1.2, 0.9, 1.6, {36, 36});
  add(claim, "base", Verdict::kRefuted, 2, 1.8, 2.3, {60, 60});
  const std::vector<Ranking> rankings = rankings_of(claim, metrics());
  ASSERT_EQ(rankings.size(), 1U);
  EXPECT_NEAR(rankings.front().rows.front().value, 30e6, 1) << "geometric mean";
  EXPECT_EQ(rankings.front().sentence(" a step"),
            "pinned is fastest at 30.0 ms a step; flash cannot be told from it (3 x 2 runs)");
  const RankingTable table = table_of(rankings.front(), "step");
  EXPECT_TRUE(equals(table.rows[1], {"flash", "36.0", "1.20", "[0.90, 1.60]", "2", "cannot be told from the best"}));
  EXPECT_TRUE(equals(table.rows[2], {"base", "60.0", "2.00", "[1.80, 2.30]", "2", "slower"}));
}

TEST(Ranking, EnergyOfAllRunsStandsBesideTheTimes) {
  OwnedClaim claim = best_claim();
  add(claim, "a", Verdict::kInconclusive, 1, 1, 1, {30, 30});
  add(claim, "b", Verdict::kRefuted, 2, 1.8, 2.3, {60, 60});
  std::vector<OwnedMetric> with_energy = metrics();
  with_energy.push_back({"e.j", "J", "", "b", Polarity::kLowerIsBetter, "energy per iteration"});
  claim.strata[0].evidence.push_back({"a", "e.j", "", 1.5});
  claim.strata[0].evidence.push_back({"a", "e.j", "", 2.5});
  EXPECT_TRUE(rankings_of(claim, with_energy).front().beside.empty()) << "not sampled for b";
  claim.strata[1].evidence.push_back({"b", "e.j", "", 3.25});
  const Ranking ranking = rankings_of(claim, with_energy).front();
  EXPECT_NEAR(ranking.rows.front().value, 30e6, 1) << "energy is no time";
  const RankingTable table = table_of(ranking, "step");
  EXPECT_EQ(table.columns[3].title, "energy per iteration, J");
  EXPECT_TRUE(equals(table.rows[0], {"a", "30.0", "1.00", "2.00", "", "2", "best"}));
  EXPECT_TRUE(equals(table.rows[1], {"b", "60.0", "2.00", "3.25", "[1.80, 2.30]", "2", "slower"}));
}

TEST(Ranking, HasNoVerdictWithOneRunEach) {
  OwnedClaim claim = best_claim();
  add(claim, "a", Verdict::kInconclusive, 1, 1, 1, {30});
  add(claim, "b", Verdict::kInconclusive, 1.2, kNone, kNone, {36});
  const Ranking ranking = rankings_of(claim, metrics()).front();
  EXPECT_TRUE(ranking.has_no_spread());
  EXPECT_EQ(table_of(ranking, "step").columns.size(), 3U);
}

TEST(Ranking, LeavesOutAnIntervalThatTellsNothing) {
  OwnedClaim claim = best_claim();
  add(claim, "a", Verdict::kInconclusive, 1, 1, 1, {30, 30});
  add(claim, "b", Verdict::kInconclusive, 1.2, 0.1, 21, {36, 36});
  const RankingTable table = table_of(rankings_of(claim, metrics()).front(), "step");
  EXPECT_TRUE(equals(table.rows[1], {"b", "36.0", "1.20", "", "2", "cannot be told from the best"}));
}

TEST(Ranking, IsOfClaimsOfTheBestAlone) {
  OwnedClaim claim = best_claim();
  claim.keys.front().second = {"ratio"};
  add(claim, "a", Verdict::kSupported, 1, 1, 1, {30});
  EXPECT_TRUE(rankings_of(claim, metrics()).empty());
}

}  // namespace assay::testing::ranking_test
