#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::compilation_delta_test {

using under_test::compilation_delta::concluded;

using testing::StudyBuilder;

struct Run {
  std::string name, dim, mode, fingerprint;
  double busy, period, opaque;
};

void add(StudyBuilder& study, const Run& run) {
  study.report(run.name, {{"dim", run.dim}, {"compile", run.mode}})
      .attribute("fingerprint", run.fingerprint)
      .fact("iteration.gpu_busy_ns", run.busy)
      .fact("iteration.period_ns", run.period)
      .fact("window.duration_ns", 12 * run.period)
      .fact("graph.opaque_ratio", run.opaque);
}

/// Two models, default and graph mode, and noise runs of the uncompiled programs: busy repeats within 1 %, the period
/// within 2x.
void compile_study(StudyBuilder& study) {
  study.label("dim", StudyBuilder::kNumeric);
  study.label("compile", {"none", "default", "reduce-overhead"}, kChangesKernels);
  for (const char* metric : {"iteration.gpu_busy_ns", "iteration.period_ns"})
    study.metric(metric, "ns", Polarity::kLowerIsBetter);
  add(study, {"a0", "384", "none", "A", 1000, 5000, 0});
  add(study, {"a1", "384", "default", "A-compiled", 900, 4500, 0});
  add(study, {"a2", "384", "reduce-overhead", "", 1010, 900, 0.98});
  add(study, {"b0", "768", "none", "B", 2000, 6000, 0});
  add(study, {"b1", "768", "default", "B-compiled", 1860, 4000, 0});
  // Other programs, which tell how unlike programs are in their spread.
  for (int i = 0; i < 15; ++i) {
    const std::string program = "other" + std::to_string(i / 3);
    study.noise_report(program + std::to_string(i % 3), {{"dim", "384"}, {"compile", "none"}})
        .attribute("fingerprint", program)
        .fact("iteration.gpu_busy_ns", 1000 * (1 + 0.004 * (i % 3 - 1)))
        .fact("iteration.period_ns", 5000 * (1 + 0.3 * (i % 3 - 1)));
  }
  for (int i = 0; i < 6; ++i) {
    const double busy = 1 + 0.002 * (i - 2.5);
    const double period = 1 + 0.15 * (i - 2.5);
    study.noise_report("n" + std::to_string(i), {{"dim", "384"}, {"compile", "none"}})
        .attribute("fingerprint", i % 2 == 0 ? "A" : "B")
        .fact("iteration.gpu_busy_ns", (i % 2 == 0 ? 1000 : 2000) * busy)
        .fact("iteration.period_ns", (i % 2 == 0 ? 5000 : 6000) * period);
  }
}

TEST(CompilationDelta, DeviceTimeIsBeyondItsFloorAndThePeriodIsNot) {
  StudyBuilder study;
  compile_study(study);
  const auto recorder = concluded(study.build());
  EXPECT_DOUBLE_EQ(*recorder.value("compile.ratio", "dim=384;metric=iteration.gpu_busy_ns;mode=default"), 0.9);
  EXPECT_DOUBLE_EQ(*recorder.value("compile.ratio", "dim=768;metric=iteration.gpu_busy_ns;mode=default"), 0.93);
  EXPECT_EQ(recorder.value("compile.pairs_beyond_noise", "metric=iteration.gpu_busy_ns;mode=default"), 2);
  EXPECT_EQ(recorder.value("compile.pairs_beyond_noise", "metric=iteration.period_ns;mode=default"), 0);
  const auto& answer = finding(recorder, "default vs none: iteration.gpu_busy_ns");
  EXPECT_EQ(answer.role, FindingRole::kAnswer);
  EXPECT_TRUE(contains(answer.title, "7.5 % to 1.11x faster (2 of 2 pairs), each pair confirmed by itself"));
  ASSERT_TRUE(answer.effect.has_value());
  EXPECT_NEAR(answer.effect->effect.value, std::sqrt(0.9 * 0.93), 1e-12);
  EXPECT_TRUE(contains(finding(recorder, "default vs none: iteration.period_ns").title,
                       "1.11x to 1.50x faster (2 of 2 pairs); not confirmed: 6 "
                       "independent pairs are needed"));
}

TEST(CompilationDelta, AllComparisonsShareTheErrorAndShowTheIntervalThatDecided) {
  StudyBuilder study;
  compile_study(study);
  const auto recorder = concluded(study.build());
  // Two pairs of default mode in three metrics, and one of graph mode in two, since its kernels are hidden.
  const auto& shown = finding(recorder, "dim=384: compile default / none on iteration.gpu_busy_ns");
  EXPECT_DOUBLE_EQ(shown.effect->effect.level, 1 - (1 - 0.95) / 8);
  EXPECT_TRUE(contains(finding(recorder, "default vs none").text, "Corrected for 8 comparisons"));
}

TEST(CompilationDelta, GraphModeIsNeverJudgedOnDeviceTime) {
  StudyBuilder study;
  compile_study(study);
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.value("compile.ratio", "dim=384;metric=iteration.gpu_busy_ns;mode=reduce-overhead"), std::nullopt);
  EXPECT_DOUBLE_EQ(*recorder.value("compile.ratio", "dim=384;metric=iteration.period_ns;mode=reduce-overhead"), 0.18);
  const auto& answer = finding(recorder, "reduce-overhead vs none");
  EXPECT_TRUE(contains(answer.text, "graph.opaque_ratio is up to 0.980"));
}

// 40 iterations beside 12 made window.duration_ns "lower, x 0.257" of programs that take equally long.
TEST(CompilationDelta, ShorterRunsAreNotFasterOnes) {
  StudyBuilder study;
  study.label("compile", {"none", "default"}, kChangesKernels);
  study.metric("window.duration_ns", "ns", Polarity::kLowerIsBetter, true);
  study.metric("iteration.count", "1", Polarity::kNeutral, true);
  study.report("a0", {{"compile", "none"}}).fact("window.duration_ns", 40 * 5000.0).fact("iteration.count", 40);
  study.report("a1", {{"compile", "default"}}).fact("window.duration_ns", 12 * 5000.0).fact("iteration.count", 12);
  const auto recorder = concluded(study.build(), {{"wall_metrics", std::vector<std::string>{"window.duration_ns"}}});
  EXPECT_DOUBLE_EQ(*recorder.value("compile.ratio", "metric=window.duration_ns;mode=default"), 1);
  EXPECT_TRUE(contains(finding(recorder, "default vs none").text, "window.duration_ns per iteration"));
}

TEST(CompilationDelta, WithoutReplicatesNothingIsConcluded) {
  StudyBuilder study;
  study.label("compile", {"none", "default"}, kChangesKernels);
  add(study, {"a0", "", "none", "A", 1000, 5000, 0});
  add(study, {"a1", "", "default", "B", 500, 2500, 0});
  EXPECT_THROW(study.build(), std::invalid_argument) << "the label dim is not declared";

  StudyBuilder declared;
  declared.label("dim").label("compile", {"none", "default"}, kChangesKernels);
  add(declared, {"a0", "1", "none", "A", 1000, 5000, 0});
  add(declared, {"a1", "1", "default", "B", 500, 2500, 0});
  const auto recorder = concluded(declared.build());
  EXPECT_EQ(recorder.value("compile.pairs_beyond_noise", "metric=iteration.gpu_busy_ns;mode=default"), 0);
}

TEST(CompilationDelta, RunsWithoutPartnerAreListedOnce) {
  StudyBuilder study;
  compile_study(study);
  add(study, {"alone", "1280", "default", "C", 1, 1, 0});
  const auto recorder = concluded(study.build());
  // b0 has no partner in reduce-overhead but one in default: it is not left out.
  ASSERT_EQ(recorder.skips.size(), 1U);
  EXPECT_EQ(recorder.skips.front().report, 3) << "sorted by path: a0, a1, a2, alone";
}

TEST(CompilationDelta, NothingCompiledIsSaid) {
  StudyBuilder study;
  study.label("dim").label("compile", {"none", "default"}, kChangesKernels);
  add(study, {"a0", "1", "none", "A", 1000, 5000, 0});
  const auto recorder = concluded(study.build());
  EXPECT_TRUE(recorder.findings.empty());
  ASSERT_EQ(recorder.skips.size(), 1U);
}

}  // namespace assay::compilation_delta_test
