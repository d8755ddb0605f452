#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::resolution_scaling_test {

using under_test::resolution_scaling::concluded;

constexpr const char* kNoExponent = "no one exponent";

using namespace testing;

struct Run {
  std::string px;
  double busy, kernels, attention, copies;
};

void add(StudyBuilder& s, const std::string& dim, const Run& run, const std::string& fingerprint = "") {
  auto& report = s.report(dim + "_" + run.px + "_" + fingerprint, {{"dim", dim}, {"px", run.px}});
  report.fact("iteration.gpu_busy_ns", run.busy)
      .fact("iteration.period_ns", 2 * run.busy)
      .fact("iteration.count", 10)
      .fact("gpu.kernel_busy_ratio", 0.5)
      .fact("gpu.busy_ratio", 0.6)
      .fact("kernel.time_sum_ns", 10 * run.kernels)
      .fact("kernel_class.time_sum_ns", 10 * run.attention, "class=attention")
      .fact("copy.time_sum_ns", 10 * run.copies, "direction=h2d");
  if (!fingerprint.empty()) report.attribute("fingerprint", dim + run.px);
}

TEST(ResolutionScaling, FindsTheExponentOfAPowerLaw) {
  StudyBuilder s;
  s.label("dim", StudyBuilder::kNumeric).label("px", StudyBuilder::kNumeric);
  for (const double px : {256.0, 512.0, 1024.0}) {
    const std::string text = std::to_string(static_cast<int>(px));
    for (const char* replicate : {"a", "b"}) {
      const double noise = *replicate == 'a' ? 1.001 : 0.999;
      add(s, "384", {text, noise * 1e3 * std::pow(px / 256, 2), 800, 100, 50}, replicate);
    }
  }
  const Recorder recorder = concluded(s.build());
  EXPECT_NEAR(*recorder.value("scaling.exponent", "dim=384;metric=iteration.gpu_busy_ns"), 2, 1e-9);
  EXPECT_NEAR(*recorder.value("scaling.local_exponent", "dim=384;from=512;metric=iteration.gpu_busy_ns;to=1024"), 2,
              1e-9);
  const auto& f = finding(recorder, "iteration.gpu_busy_ns at px 256, 512, 1024");
  ASSERT_TRUE(f.effect);
  // Spread of logs 0.001 * sqrt(2) with three degrees, two runs a level: variance of the slope from the outer levels.
  const double sd = std::log(1.001 / 0.999) / std::sqrt(2.0), x = std::log(2.0);
  const double half = 3.1824463052837 * std::sqrt(2 * std::pow(x / (2 * x * x), 2) * sd * sd * 0.5);
  EXPECT_NEAR(f.effect->effect.lo, 2 - half, 1e-6);
  EXPECT_NEAR(f.effect->effect.hi, 2 + half, 1e-6);
  EXPECT_EQ(f.effect->effect.scope, Scope::kBetweenRun);
  EXPECT_FALSE(contains(f.text, kNoExponent));
}

TEST(ResolutionScaling, TheRanksOfAJobAreOneRun) {
  StudyBuilder s;
  s.label("px", StudyBuilder::kNumeric).rank_label("rank");
  for (const char* px : {"256", "512"}) {
    for (const char* rank : {"0", "1"}) {
      s.report(std::string(px) + "/" + rank, {{"px", px}, {"rank", rank}})
          .fact("iteration.gpu_busy_ns", *px == '2' ? 1000 : 4000);
    }
  }
  const Recorder recorder = concluded(s.build());
  const auto& f = finding(recorder, "iteration.gpu_busy_ns at px 256, 512");
  ASSERT_TRUE(f.effect);
  EXPECT_EQ(f.effect->effect.n, 2) << "two jobs, not four reports";
  EXPECT_EQ(f.evidence.size(), 4U);
}

TEST(ResolutionScaling, ACurveThatIsFlatAndThenSteepHasNoOneExponent) {
  StudyBuilder s;
  s.label("dim", StudyBuilder::kNumeric).label("px", StudyBuilder::kNumeric);
  const std::pair<const char*, double> points[] = {{"256", 1000}, {"512", 1010}, {"1024", 4000}};
  for (const auto& [px, busy] : points) {
    add(s, "384", {px, busy, 800, 100, 50}, "a");
    add(s, "384", {px, busy * 1.002, 800, 100, 50}, "b");
  }
  const Recorder recorder = concluded(s.build());
  EXPECT_TRUE(contains(finding(recorder, "iteration.gpu_busy_ns at").text, kNoExponent));
  EXPECT_TRUE(contains(recorder.findings.front().text, "no single power of px fits 1 of 1 model"));
  // The interval of the line holds 0, and still four times the time is growth by what repeat runs differ.
  const auto& f = finding(recorder, "iteration.gpu_busy_ns at");
  EXPECT_LT(f.effect->effect.lo, 0);
  EXPECT_TRUE(contains_all(f.text, {"it grows faster at larger values", "It grows on the whole"}));
  EXPECT_TRUE(contains(recorder.findings.front().title, "iteration.gpu_busy_ns grows as px^"));
  // The table that opens the answer: from the first level to the last.
  const auto* effects = recorder.table_of("effects");
  ASSERT_NE(effects, nullptr);
  EXPECT_EQ(effects->column("what")->texts[0], "iteration.gpu_busy_ns");
  EXPECT_EQ(effects->column("px")->texts[0], "256 -> 1024");
  EXPECT_EQ(effects->column("ratio")->texts[0], "× 4.000");
  EXPECT_EQ(effects->column("models")->integers[0], 1);
  EXPECT_EQ(effects->column("verdict")->texts[0], "1 higher");
}

TEST(ResolutionScaling, GrowthInsideTheNoiseFloorIsInconclusive) {
  StudyBuilder s;
  s.label("dim", StudyBuilder::kNumeric).label("px", StudyBuilder::kNumeric);
  for (const auto& [px, busy] : {std::pair("256", 1000.0), std::pair("512", 1400.0)}) {
    add(s, "384", {px, busy, 800, 100, 50}, "a");
    add(s, "384", {px, busy * 1.6, 800, 100, 50}, "b");
  }
  const Recorder recorder = concluded(s.build());
  EXPECT_NEAR(*recorder.value("scaling.exponent", "dim=384;metric=iteration.gpu_busy_ns"), std::log2(1.4), 1e-9);
  EXPECT_TRUE(
      contains(finding(recorder, "iteration.gpu_busy_ns at").text, "does not exceed the spread between repeat runs"));
  EXPECT_TRUE(contains(recorder.findings.front().title, "iteration.gpu_busy_ns: growth unclear"));
}

TEST(ResolutionScaling, WithoutEqualRunsNoGrowthIsClaimed) {
  StudyBuilder s;
  s.label("dim", StudyBuilder::kNumeric).label("px", StudyBuilder::kNumeric);
  add(s, "384", {"256", 1000, 800, 100, 50});
  add(s, "384", {"512", 4000, 800, 100, 50});
  add(s, "384", {"1024", 16000, 800, 100, 50});
  const Recorder recorder = concluded(s.build());
  EXPECT_TRUE(contains(finding(recorder, "iteration.gpu_busy_ns at").text, "no repeat runs"));
  const auto* lines = recorder.table_of("exponents")->column("straight line");
  EXPECT_EQ(lines->texts.front(), "not known");
}

TEST(ResolutionScaling, TellsWhichPartGrowsAndWhereCopiesDominate) {
  StudyBuilder s;
  s.label("dim", StudyBuilder::kNumeric).label("px", StudyBuilder::kNumeric);
  add(s, "384", {"256", 1000, 800, 100, 100});
  add(s, "384", {"512", 2000, 1000, 300, 400});
  add(s, "384", {"1024", 4000, 1500, 500, 1600});
  add(s, "768", {"256", 3000, 2800, 200, 100});
  const Recorder recorder = concluded(s.build());
  const auto& parts = finding(recorder, "dim=384: what grows");
  EXPECT_TRUE(contains_all(parts.text, {"from between 512 and 1024 up", "Growing fastest: copies, 16.0 times"}));
  // Sums of the window are taken per iteration; powers of 4 from level to level are an exponent of 2.
  EXPECT_NEAR(*recorder.value("scaling.exponent", "dim=384;direction=h2d;metric=copy.time_sum_ns"), 2, 1e-12);
  EXPECT_NEAR(*recorder.value("scaling.exponent", "class=attention;dim=384;metric=kernel_class.time_sum_ns"),
              std::log2(5.0) / 2, 1e-12);
  const auto* kernel_time = recorder.table_of("levels")->column("kernel.time_sum_ns per iteration");
  ASSERT_NE(kernel_time, nullptr);
  EXPECT_TRUE(equals(kernel_time->numbers, {800, 1000, 1500, 2800}));
  EXPECT_NEAR(*recorder.value("scaling.part_ratio", "dim=384;level=1024;part=copies"), 1600.0 / 3100, 1e-12);
  EXPECT_NEAR(*recorder.value("scaling.part_ratio", "dim=384;level=1024;part=attention"), 500.0 / 3100, 1e-12);
  EXPECT_TRUE(contains(finding(recorder, "dim=768: what grows").text, "at no level up to 256"));
  EXPECT_TRUE(contains(recorder.findings.front().text, "in 1 of 2 models"));
  // One run a level and no repeat runs: an exponent without an interval that could decide.
  EXPECT_EQ(finding(recorder, "dim=384: iteration.gpu_busy_ns").effect->effect.scope, Scope::kWithinRun);
}

TEST(ResolutionScaling, WithoutKernelClassesAttentionIsNotClaimed) {
  StudyBuilder s;
  s.label("px", StudyBuilder::kNumeric);
  for (const char* px : {"256", "512"}) {
    s.report(px, {{"px", px}})
        .fact("kernel.time_sum_ns", 1000)
        .fact("copy.time_sum_ns", 10, "direction=h2d")
        .fact("iteration.count", 1);
  }
  const Recorder recorder = concluded(s.build());
  EXPECT_FALSE(recorder.value("scaling.part_ratio", "level=256;part=attention"));
  EXPECT_FALSE(contains(finding(recorder, "what grows").text, "attention"));
}

}  // namespace assay::resolution_scaling_test
