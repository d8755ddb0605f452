// The rule at the top of contrast.hpp, number by number.
#include "assay/algo/contrast.hpp"

#include "assay/testing/study_builder.hpp"
#include "support/test.hpp"

namespace assay::contrast_test {

using testing::StudyBuilder;

constexpr const char* kPerIteration = "per iteration";

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::vector<double> kBaseSamples = {98, 99, 100, 100, 101, 103}, kTreatedSamples = {107, 108, 109, 111, 112, 114};

/// Some of the runs that are alike but for the labels that vary.
Runs those(const StudyView& view, const std::vector<std::size_t>& rows, const std::vector<std::string>& varies = {}) {
  for (const RunGroup& group : alike_groups(view, {varies}).groups) {
    Runs found = group.runs.where([&](std::size_t r) { return std::find(rows.begin(), rows.end(), r) != rows.end(); });
    if (found.size() == rows.size()) return found;
  }
  throw std::invalid_argument("these runs are not alike");
}

Stratum one_stratum(const StudyView& view) {
  const Matching m = match_pairs(view, "side", "base", "treated");
  EXPECT_EQ(m.strata.size(), 1U);
  return m.strata.at(0);
}

/// Eight groups of two repeat runs whose logs differ by `gap` each: sd = gap / sqrt(2), 8 degrees.
void add_noise(StudyBuilder& s, double gap) {
  for (const char* group : {"g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"}) {
    s.noise_report(std::string(group) + "a").fact("m", 100).attribute("fingerprint", group);
    s.noise_report(std::string(group) + "b").fact("m", 100 * std::exp(gap)).attribute("fingerprint", group);
  }
}

TEST(RatioContrast, WithoutRunSpreadIsWithinRunAndNeverDecides) {
  StudyBuilder s;
  s.label("side");
  s.report("a", {{"side", "base"}}).fact("m", 100, "", kBaseSamples);
  s.report("b", {{"side", "treated"}}).fact("m", 110, "", kTreatedSamples);
  const StudyView view(s.build());
  const auto c = ratio_contrast(view, one_stratum(view), "m", "", noise_floor(view, "m", "", "side"), 0.95, "seed");
  ASSERT_TRUE(c);
  EXPECT_DOUBLE_EQ(c->effect.value, 1.1);
  EXPECT_EQ(c->effect.scope, Scope::kWithinRun);
  EXPECT_EQ(c->effect.n, 2);
  EXPECT_EQ(c->effect.metric, "m");
  EXPECT_FALSE(c->inside_noise_floor);
  EXPECT_TRUE(contains(c->method, "Hodges-Lehmann"));
  EXPECT_TRUE(equals(c->evidence, {0, 1}));

  std::vector<double> base = kBaseSamples, treated = kTreatedSamples;
  for (auto* side : {&base, &treated}) {
    for (double& v : *side) v = std::log(v);
  }
  const Bounds expected = hodges_lehmann_interval(base, treated, 0.95);
  EXPECT_NEAR(c->effect.lo, std::exp(expected.lo), 1e-12);
  EXPECT_NEAR(c->effect.hi, std::exp(expected.hi), 1e-12);
  EXPECT_EQ(judge(c->effect, 1.01, 2), Verdict::kInconclusive);
}

/// Groups of repeat runs whose spreads have nothing in common are worth a fraction of a degree of freedom to a single
/// run. Student's quantile is then so large that the bounds of a ratio are 0 and infinity, which the host refuses.
TEST(RatioContrast, HasNoIntervalBeyondAllNumbers) {
  StudyBuilder s;
  s.label("side");
  s.report("a", {{"side", "base"}}).fact("m", 100);
  s.report("b", {{"side", "treated"}}).fact("m", 110);
  double gap = 1e-9;
  for (const char* group : {"g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"}) {
    s.noise_report(std::string(group) + "a").fact("m", 100).attribute("fingerprint", group);
    s.noise_report(std::string(group) + "b").fact("m", 100 * std::exp(gap)).attribute("fingerprint", group);
    gap *= 20;
  }
  const StudyView view(s.build());
  const auto c = ratio_contrast(view, one_stratum(view), "m", "", noise_floor(view, "m", "", "side"), 0.9999, "seed");
  ASSERT_TRUE(c);
  EXPECT_DOUBLE_EQ(c->effect.value, 1.1);
  EXPECT_TRUE(std::isnan(c->effect.lo)) << c->effect.lo;
  EXPECT_TRUE(std::isnan(c->effect.hi)) << c->effect.hi;
  EXPECT_FALSE(differs(*c));
  EXPECT_EQ(judge(c->effect, 1.01, 2), Verdict::kInconclusive);
  EXPECT_TRUE(contains(c->method, "no interval, because it would exceed the range of numbers"));
}

/// Runs of 10 and 40 iterations that take the same time each.
TEST(Lengths, NormalizeGrowingMetricsPerIteration) {
  StudyBuilder s;
  s.label("side").metric("m", "ns", Polarity::kLowerIsBetter, true);
  s.metric("iteration.count", "1", Polarity::kNeutral, true);
  s.report("a", {{"side", "base"}}).fact("m", 1000).fact("iteration.count", 10);
  s.report("b", {{"side", "treated"}}).fact("m", 4400).fact("iteration.count", 40);
  s.noise_report("n1").fact("m", 100).attribute("fingerprint", "f").fact("iteration.count", 10);
  s.noise_report("n2").fact("m", 101).attribute("fingerprint", "f").fact("iteration.count", 10);
  const StudyView view(s.build());
  const NoiseFloor floor = noise_floor(view, "m", "", "side");
  const auto c = ratio_contrast(view, one_stratum(view), "m", "", floor, 0.95, "seed");
  ASSERT_TRUE(c);
  EXPECT_NEAR(c->effect.value, 1.1, 1e-12);
  EXPECT_TRUE(contains(c->method, kPerIteration));
  const auto counts = ratio_contrast(view, one_stratum(view), "iteration.count", "", {}, 0.95, "seed");
  EXPECT_EQ(counts->effect.value, 4) << "the length itself";
  const Runs both = those(view, {0, 1}, {"side"});
  EXPECT_FALSE(level_contrast(view, both, "m", "", floor, 0.95, "seed")) << "no one level of unequal lengths";
  const Runs one = those(view, {1});
  EXPECT_EQ(level_contrast(view, one, "m", "", floor, 0.95, "seed")->effect.value, 4400);
}

TEST(Lengths, AreRejectedIfKnownForSomeRunsOnly) {
  StudyBuilder s;
  s.label("side").metric("m", "ns", Polarity::kLowerIsBetter, true).metric("rate", "1/s");
  s.report("a", {{"side", "base"}}).fact("m", 1000).fact("rate", 5).fact("iteration.count", 10);
  s.report("b", {{"side", "treated"}}).fact("m", 4400).fact("rate", 5);
  const StudyView view(s.build());
  const Stratum stratum = one_stratum(view);
  EXPECT_FALSE(ratio_contrast(view, stratum, "m", "", {}, 0.95, "seed"));
  EXPECT_TRUE(contains(lengths_of(view, stratum.base, stratum.treated, "m", "").refused, "of 1 of 2 runs"));
  EXPECT_TRUE(ratio_contrast(view, stratum, "rate", "", {}, 0.95, "seed"));
}

TEST(Lengths, EqualOnesAndWholeRunsAreComparedAsTheyAre) {
  for (const bool known : {false, true}) {
    StudyBuilder s;
    s.label("side").metric("m", "ns", Polarity::kLowerIsBetter, true);
    auto& base = s.report("a", {{"side", "base"}}).fact("m", 1000);
    if (known) base.fact("iteration.count", 10);
    auto& treated = s.report("b", {{"side", "treated"}}).fact("m", 1100);
    if (known) treated.fact("iteration.count", 10);
    const StudyView view(s.build());
    const auto c = ratio_contrast(view, one_stratum(view), "m", "", {}, 0.95, "seed");
    ASSERT_TRUE(c) << known;
    EXPECT_NEAR(c->effect.value, 1.1, 1e-12);
    EXPECT_FALSE(contains(c->method, kPerIteration));
  }
}

double logit(double p) { return std::log(p / (1 - p)); }
double share(double logit_value) { return 1 / (1 + std::exp(-logit_value)); }

/// Six groups of repeat runs at two shares: their logits differ by the same everywhere.
void add_share_noise(StudyBuilder& s, double one, double other) {
  for (const char* group : {"g1", "g2", "g3", "g4", "g5", "g6"}) {
    s.noise_report(std::string(group) + "a").fact("m", one).attribute("fingerprint", group);
    s.noise_report(std::string(group) + "b").fact("m", other).attribute("fingerprint", group);
  }
}

/// MOVER by hand: each end of the log ratio is as far as the ends of the two shares, squared and added.
TEST(Shares, RatiosByMoverAndLevelsByLogits) {
  StudyBuilder s;
  s.label("side").metric("m", "ratio");
  s.report("a", {{"side", "base"}}).fact("m", 0.9);
  s.report("b", {{"side", "treated"}}).fact("m", 0.95);
  add_share_noise(s, 0.7, 0.8);
  const StudyView view(s.build());
  const NoiseFloor floor = noise_floor(view, "m", "", "side");
  EXPECT_TRUE(floor.logits);
  const auto c = ratio_contrast(view, one_stratum(view), "m", "", floor, 0.95, "seed");
  ASSERT_TRUE(c);
  EXPECT_NEAR(c->effect.value, 0.95 / 0.9, 1e-12);
  const double half = student_t_quantile(0.975, 6) * (logit(0.8) - logit(0.7)) / std::sqrt(2);
  const auto end = [&](double of, double sign) { return std::log(share(logit(of) + sign * half) / of); };
  EXPECT_NEAR(std::log(c->effect.lo), std::log(0.95 / 0.9) - std::hypot(end(0.95, -1), end(0.9, 1)), 1e-12);
  EXPECT_NEAR(std::log(c->effect.hi), std::log(0.95 / 0.9) + std::hypot(end(0.95, 1), end(0.9, -1)), 1e-12);
  EXPECT_TRUE(c->inside_noise_floor);
  EXPECT_TRUE(contains(c->method, "MOVER"));
  const Runs runs = those(view, {1});
  const auto level = level_contrast(view, runs, "m", "", floor, 0.95, "seed");
  EXPECT_NEAR(logit(level->effect.lo), logit(0.95) - half, 1e-9);
  EXPECT_LT(level->effect.hi, 1);
  EXPECT_EQ(judge(level->effect, 0, 1), Verdict::kSupported) << "a share is one";
}

/// One run at 1 must not change the scale of all others: it counts as half as far from 1 as the nearest other.
TEST(Shares, ARunAtOneKeepsTheScaleOfTheClaim) {
  StudyBuilder s;
  s.label("side").metric("m", "ratio");
  s.report("a", {{"side", "base"}}).fact("m", 0.9);
  s.report("b", {{"side", "treated"}}).fact("m", 1);
  add_share_noise(s, 0.998, 0.999);
  const StudyView view(s.build());
  const NoiseFloor floor = noise_floor(view, "m", "", "side");
  EXPECT_TRUE(floor.logits);
  EXPECT_NEAR(floor.scaled(1), logit(0.9995), 1e-9);
  EXPECT_NEAR(floor.scaled(0.9), logit(0.9), 1e-12);
  const auto c = ratio_contrast(view, one_stratum(view), "m", "", floor, 0.95, "seed");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->effect.value, 1 / 0.9);
  EXPECT_GT(c->effect.lo, 1);
}

TEST(Shares, AreEmptyForRatiosBeyondOne) {
  StudyBuilder s;
  s.label("side").metric("m", "ratio").metric("n", "ns");
  s.report("a", {{"side", "base"}}).fact("m", 0.9).fact("n", 0.5);
  s.report("b", {{"side", "treated"}}).fact("m", 1.1).fact("n", 0.5);
  const StudyView view(s.build());
  EXPECT_FALSE(noise_floor(view, "m", "", "side").logits);
  EXPECT_FALSE(noise_floor(view, "n", "", "side").logits);
}

TEST(RatioContrast, FloorWidensInQuadrature) {
  StudyBuilder s;
  s.label("side");
  s.report("a", {{"side", "base"}}).fact("m", 100, "", kBaseSamples);
  s.report("b", {{"side", "treated"}}).fact("m", 110, "", kTreatedSamples);
  const StudyView alone(s.build());
  const auto within = ratio_contrast(alone, one_stratum(alone), "m", "", {}, 0.95, "seed");
  add_noise(s, 0.01);
  const StudyView view(s.build());
  const NoiseFloor floor = noise_floor(view, "m", "", "side");
  ASSERT_NEAR(floor.sd_log, 0.01 / std::sqrt(2), 1e-12);
  const auto c = ratio_contrast(view, one_stratum(view), "m", "", floor, 0.95, "seed");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->effect.scope, Scope::kBetweenRun);
  const double half = student_t_quantile(0.975, 8) * floor.sd_log * std::sqrt(2);
  const double centre = std::log(1.1);
  EXPECT_NEAR(std::log(c->effect.lo), centre - std::hypot(centre - std::log(within->effect.lo), half), 1e-12);
  EXPECT_NEAR(std::log(c->effect.hi), centre + std::hypot(std::log(within->effect.hi) - centre, half), 1e-12);
  EXPECT_FALSE(c->inside_noise_floor);
}

TEST(RatioContrast, WithoutSamplesTheFloorAloneMakesTheInterval) {
  StudyBuilder s;
  s.label("side");
  s.report("a", {{"side", "base"}}).fact("m", 100);
  s.report("b", {{"side", "treated"}}).fact("m", 101);
  add_noise(s, 0.02);
  const StudyView view(s.build());
  const NoiseFloor floor = noise_floor(view, "m", "", "side");
  const auto c = ratio_contrast(view, one_stratum(view), "m", "", floor, 0.95, "seed");
  const double half = student_t_quantile(0.975, 8) * floor.sd_log * std::sqrt(2);
  EXPECT_NEAR(std::log(c->effect.lo), std::log(1.01) - half, 1e-12);
  EXPECT_NEAR(std::log(c->effect.hi), std::log(1.01) + half, 1e-12);
  EXPECT_TRUE(c->inside_noise_floor);
  EXPECT_EQ(judge(c->effect, 0.9, 1.1), Verdict::kSupported);           // an equivalence claim may still be decided
  EXPECT_EQ(judge(c->effect, 1.0, kInfinity), Verdict::kInconclusive);  // a claim of a difference may not
}

/// Welch by hand, which of two groups of unlike spread is wider than what is pooled.
TEST(RatioContrast, ReplicatesGiveTheirOwnSpread) {
  StudyBuilder s;
  s.label("side");
  const std::vector<double> base = {98, 99, 100, 101, 102}, treated = {90, 110, 120, 130, 150};
  for (const double v : base) s.report("b" + std::to_string(v), {{"side", "base"}}).fact("m", v);
  for (const double v : treated) s.report("t" + std::to_string(v), {{"side", "treated"}}).fact("m", v);
  const StudyView view(s.build());
  const auto c = ratio_contrast(view, one_stratum(view), "m", "", {}, 0.95, "seed");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->effect.scope, Scope::kBetweenRun);
  EXPECT_EQ(c->effect.n, 10);
  std::vector<double> b, t;
  for (const double v : base) b.push_back(std::log(v));
  for (const double v : treated) t.push_back(std::log(v));
  const double vb = squared_deviations(b) / 4 / 5, vt = squared_deviations(t) / 4 / 5;
  // Satterthwaite's less one, and at least those of the smaller side.
  const double degrees = std::max(4.0, (vb + vt) * (vb + vt) / (vb * vb / 4 + vt * vt / 4) - 1);
  const double centre = mean(t) - mean(b), half = student_t_quantile(0.975, degrees) * std::sqrt(vb + vt);
  EXPECT_NEAR(std::log(c->effect.value), centre, 1e-12) << "a ratio of geometric means";
  EXPECT_NEAR(std::log(c->effect.hi), centre + half, 1e-12);
  EXPECT_NEAR(c->basis.degrees, degrees, 1e-9);
  EXPECT_NEAR(c->basis.sd, std::sqrt((vb + vt) * 5 / 2), 1e-12) << "the spread of a run";
}

TEST(RatioContrast, ReplicatesOfTheFloorAreNotCountedTwice) {
  StudyBuilder s;
  s.label("side");
  for (const double v : {99.0, 100.0, 101.0}) {
    s.report("b" + std::to_string(v), {{"side", "base"}}).fact("m", v).attribute("fingerprint", "x");
    s.report("t" + std::to_string(v), {{"side", "treated"}}).fact("m", 1.2 * v);
  }
  const StudyView view(s.build());
  const NoiseFloor floor = noise_floor(view, "m", "", "side");
  ASSERT_EQ(floor.degrees, 2);
  const auto counted = ratio_contrast(view, one_stratum(view), "m", "", floor, 0.95, "seed");
  const auto afresh = ratio_contrast(view, one_stratum(view), "m", "", {}, 0.95, "seed");
  EXPECT_NEAR(counted->effect.hi, afresh->effect.hi, 1e-12);
  EXPECT_NEAR(counted->basis.degrees, 4, 1e-9);
}

/// A single run needs to be told how unlike programs are: five groups of repeat runs do not.
TEST(RatioContrast, FewGroupsOfEqualRunsLendNoSpreadToASingleRun) {
  for (const bool enough : {false, true}) {
    StudyBuilder s;
    s.label("side");
    s.report("a", {{"side", "base"}}).fact("m", 100);
    s.report("b", {{"side", "treated"}}).fact("m", 120);
    for (int g = 0; g < (enough ? 6 : 5); ++g) {
      const std::string name = "g" + std::to_string(g);
      s.noise_report(name + "a").fact("m", 100).attribute("fingerprint", name);
      s.noise_report(name + "b").fact("m", 101).attribute("fingerprint", name);
    }
    const StudyView view(s.build());
    const auto c = ratio_contrast(view, one_stratum(view), "m", "", noise_floor(view, "m", "", "side"), 0.95, "seed");
    ASSERT_TRUE(c);
    EXPECT_EQ(c->effect.scope, enough ? Scope::kBetweenRun : Scope::kWithinRun);
    EXPECT_EQ(differs(*c), enough);
  }
}

TEST(RatioContrast, ManySamplesAreBootstrappedTheSameWayEveryTime) {
  std::vector<double> base, treated;
  Random random("many");
  for (int i = 0; i < 40; ++i) {
    base.push_back(100 * std::exp(0.02 * random.normal()));
    treated.push_back(110 * std::exp(0.02 * random.normal()));
  }
  StudyBuilder s;
  s.label("side");
  s.report("a", {{"side", "base"}}).fact("m", median(base), "", base);
  s.report("b", {{"side", "treated"}}).fact("m", median(treated), "", treated);
  const StudyView view(s.build());
  const auto first = ratio_contrast(view, one_stratum(view), "m", "", {}, 0.95, "claim");
  const auto again = ratio_contrast(view, one_stratum(view), "m", "", {}, 0.95, "claim");
  const auto other = ratio_contrast(view, one_stratum(view), "m", "", {}, 0.95, "another claim");
  EXPECT_TRUE(contains(first->method, "BCa"));
  EXPECT_EQ(first->effect.lo, again->effect.lo);
  EXPECT_NE(first->effect.lo, other->effect.lo);
  EXPECT_LT(first->effect.lo, 1.1);
  EXPECT_GT(first->effect.hi, 1.1);
  EXPECT_LT(first->effect.hi - first->effect.lo, 0.06);
}

TEST(RatioContrast, TheIntervalFollowsTheSummaryThatMadeTheValue) {
  // Two modes: the mean and the median of a run are far apart, and so must be their intervals.
  std::vector<double> base, treated;
  for (int i = 0; i < 30; ++i) {
    base.push_back(i % 5 == 0 ? 200 : 100);
    treated.push_back(i % 5 == 0 ? 400 : 100);
  }
  StudyBuilder s;
  s.label("side");
  s.report("a", {{"side", "base"}}).fact("mean", mean(base), "", base).fact("median", median(base), "", base);
  s.report("b", {{"side", "treated"}})
      .fact("mean", mean(treated), "", treated)
      .fact("median", median(treated), "", treated);
  const StudyView view(s.build());
  const auto by_mean = ratio_contrast(view, one_stratum(view), "mean", "", {}, 0.95, "seed");
  const auto by_median = ratio_contrast(view, one_stratum(view), "median", "", {}, 0.95, "seed");
  EXPECT_NEAR(by_mean->effect.value, 160.0 / 120, 1e-12);
  EXPECT_GT(by_mean->effect.hi - by_mean->effect.lo, 0.2);
  EXPECT_EQ(by_median->effect.value, 1);
  EXPECT_EQ(by_median->effect.hi, 1);
}

TEST(RatioContrast, NothingWithoutPositiveValuesOnBothSides) {
  StudyBuilder s;
  s.label("side");
  s.report("a", {{"side", "base"}}).fact("zero", 0).fact("m", 1);
  s.report("b", {{"side", "treated"}}).fact("zero", 1);
  const StudyView view(s.build());
  EXPECT_FALSE(ratio_contrast(view, one_stratum(view), "zero", "", {}, 0.95, "seed"));
  EXPECT_FALSE(ratio_contrast(view, one_stratum(view), "m", "", {}, 0.95, "seed"));
  EXPECT_FALSE(ratio_contrast(view, one_stratum(view), "unheard of", "", {}, 0.95, "seed"));
}

TEST(RatioContrast, OneRunASideAndNothingElseHasNoInterval) {
  StudyBuilder s;
  s.label("side");
  s.report("a", {{"side", "base"}}).fact("m", 1);
  s.report("b", {{"side", "treated"}}).fact("m", 2);
  const StudyView view(s.build());
  const auto c = ratio_contrast(view, one_stratum(view), "m", "", {}, 0.95, "seed");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->effect.value, 2);
  EXPECT_TRUE(std::isnan(c->effect.lo));
  EXPECT_EQ(judge(c->effect, 0, 1), Verdict::kInconclusive);
}

TEST(LevelContrast, GeometricMeanOfTheCellWithTheFloor) {
  StudyBuilder s;
  s.label("side");
  for (const double v : {90.0, 100.0, 120.0}) s.report(std::to_string(v)).fact("level", v);
  s.report("zero").fact("level", 0);
  add_noise(s, 0.01);
  const StudyView view(s.build());
  NoiseFloor floor;
  floor.spreads.assign(6, {0.0001, 1});
  const Runs one = those(view, {s.row("100.000000")});
  const auto c = level_contrast(view, one, "level", "", floor, 0.95, "seed");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->effect.kind, EffectKind::kLevel);
  EXPECT_EQ(c->effect.value, 100);
  EXPECT_NEAR(std::log(c->effect.hi / 100), student_t_quantile(0.975, 6) * 0.01, 1e-12);
  EXPECT_EQ(c->effect.scope, Scope::kBetweenRun);

  const Runs three = those(view, {s.row("90.000000"), s.row("100.000000"), s.row("120.000000")});
  EXPECT_EQ(level_contrast(view, three, "level", "", {}, 0.95, "seed")->effect.scope, Scope::kBetweenRun);
  EXPECT_NEAR(level_contrast(view, three, "level", "", {}, 0.95, "seed")->effect.value, std::cbrt(90.0 * 100 * 120),
              1e-9);

  const Runs zero = those(view, {s.row("zero")});
  EXPECT_EQ(level_contrast(view, zero, "level", "", floor, 0.95, "seed")->effect.value, 0);
  EXPECT_EQ(judge(level_contrast(view, zero, "level", "", floor, 0.95, "seed")->effect, -1, 1), Verdict::kInconclusive);
  EXPECT_FALSE(level_contrast(view, zero, "unheard of", "", floor, 0.95, "seed"));
}

TEST(Judge, ByTheIntervalAlone) {
  Effect e;
  e.scope = Scope::kBetweenRun;
  e.lo = 1.31;
  e.hi = 1.39;
  EXPECT_EQ(judge(e, 1.3, 1.4), Verdict::kSupported);
  EXPECT_EQ(judge(e, 1.31, 1.39), Verdict::kSupported);
  EXPECT_EQ(judge(e, 1.35, 1.4), Verdict::kInconclusive);
  EXPECT_EQ(judge(e, 1.4, 2), Verdict::kRefuted);
  EXPECT_EQ(judge(e, 1.39, 2), Verdict::kInconclusive);  // touches
  EXPECT_EQ(judge(e, 1, kInfinity), Verdict::kSupported);
  EXPECT_EQ(judge(e, -kInfinity, 1), Verdict::kRefuted);
  e.scope = Scope::kWithinRun;
  EXPECT_EQ(judge(e, 1.3, 1.4), Verdict::kInconclusive);
}

}  // namespace assay::contrast_test
