#include "assay/algo/block_fit.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/architecture_cliff/rival.hpp"
#include "plugins/architecture_cliff/shape.hpp"
#include "support/test.hpp"

namespace assay::cliff::architecture_cliff_test {

using under_test::architecture_cliff::concluded;

constexpr const char* kLeaving = "the jump is where they leave that state";

using testing::StudyBuilder;

struct Run {
  int patch, depth, dim;
  double busy, kernel_ns;
};

void add(StudyBuilder& study, const Run& run) {
  const std::string name = std::to_string(run.patch) + "x" + std::to_string(run.depth) + "x" + std::to_string(run.dim);
  study
      .report(name, {{"patch", std::to_string(run.patch)},
                     {"depth", std::to_string(run.depth)},
                     {"dim", std::to_string(run.dim)}})
      .fact("gpu.kernel_busy_ratio", run.busy)
      .fact("kernel.time_mean_ns", run.kernel_ns)
      .fact("launch.interval_median_ns", 1000);
}

void declare(StudyBuilder& study) {
  for (const char* name : {"patch", "depth", "dim"}) study.label(name, StudyBuilder::kNumeric);
}

/// Patch 8 has a cliff with plateau between 384 and 768, patch 16 rises step by step, patch 32 only scatters.
void three_strata(StudyBuilder& study) {
  declare(study);
  for (const int depth : {6, 12, 18}) {
    const double shift = 0.002 * (depth - 12);
    add(study, {8, depth, 384, 0.45 + shift, 500});
    add(study, {8, depth, 768, 0.88 + shift, 1100});
    add(study, {8, depth, 1024, 0.91 - shift, 1600});
    add(study, {16, depth, 384, 0.15 + shift, 200});
    add(study, {16, depth, 768, 0.27 - shift, 340});
    add(study, {16, depth, 1024, 0.38 + shift, 450});
    add(study, {16, depth, 1280, 0.47 - shift, 560});
    add(study, {32, depth, 384, depth == 12 ? 0.35 : 0.15, 250});
    add(study, {32, depth, 768, depth == 12 ? 0.14 : 0.28, 300});
    add(study, {32, depth, 1024, depth == 18 ? 0.36 : 0.17, 340});
  }
}

TEST(ArchitectureCliff, TellsCliffGradualAndNoneApart) {
  StudyBuilder study;
  three_strata(study);
  const auto recorder = concluded(study.build());
  EXPECT_TRUE(
      has_values(recorder, {{"cliff.found{patch=8}", 1}, {"cliff.found{patch=16}", 0}, {"cliff.found{patch=32}", 0}}));
  ASSERT_FALSE(recorder.findings.empty());
  const auto& answer = recorder.findings.front();
  EXPECT_EQ(answer.role, FindingRole::kAnswer);
  EXPECT_TRUE(contains_all(
      answer.text, {"Patch 8: a cliff between dim 384 and 768", "a plateau", "Patch 16: a gradual rise",
                    "Patch 32: no usable step (0.14 to 0.36)", "All but patch 8 from dim 768 up are launch-bound"}));
}

TEST(ArchitectureCliff, LaunchBoundStateSeparatesBetterThanTheAxis) {
  StudyBuilder study;
  three_strata(study);
  const auto recorder = concluded(study.build());
  // dim >= 768 calls 13 - 1 lower runs of patches 16 and 32 higher: more errors than calling none so (6).
  EXPECT_TRUE(has_values(recorder, {{"cliff.split_errors{by=axis}", 6},
                                    {"cliff.split_errors{by=score}", 0},
                                    {"cliff.split_errors{by=launch_bound}", 0}}));
  EXPECT_TRUE(contains(recorder.findings.front().text, kLeaving));
  const auto& rival = recorder.findings.back();
  EXPECT_EQ(rival.title,
            "Being launch-bound tells busy runs from idle ones better than dim (0 against 6 of 30 runs wrong)");
  EXPECT_TRUE(contains(rival.text, "No threshold on dim does better than predicting none: 6 errors"));
  for (const auto& finding : recorder.findings) {
    EXPECT_FALSE(contains(finding.title + finding.text, "inf")) << "no ratio of a division by zero";
  }
}

// Runs that differ by the host alone: a fitted threshold of 0.65 divides them well and has nothing to do with 1.
TEST(ArchitectureCliff, AFittedThresholdIsNotTheLaunchBoundStateAndWithoutACliffNothingJumps) {
  StudyBuilder study;
  declare(study);
  for (const int depth : {6, 12, 18}) {
    const double shift = 0.01 * (depth - 12) / 6;
    for (const int patch : {16, 32}) {
      const bool busier = patch == 16;
      add(study, {patch, depth, 384, (busier ? 0.54 : 0.30) - shift, busier ? 650.0 : 300.0});
      add(study, {patch, depth, 768, (busier ? 0.55 : 0.32) + shift, busier ? 700.0 : 350.0});
      add(study, {patch, depth, 1024, (busier ? 0.54 : 0.31) - 2 * shift, busier ? 750.0 : 400.0});
    }
  }
  const auto recorder = concluded(study.build());
  const auto& answer = recorder.findings.front();
  EXPECT_TRUE(contains(answer.title, "No jump of gpu.kernel_busy_ratio along dim"));
  EXPECT_FALSE(contains(answer.text, kLeaving));
  EXPECT_EQ(recorder.value("cliff.split_errors", "by=score"), 0);
  EXPECT_EQ(recorder.value("cliff.split_errors", "by=launch_bound"), 9);
  const auto& rival = recorder.findings.back();
  EXPECT_TRUE(contains(rival.title, "at another threshold than where runs stop being launch-bound"));
  EXPECT_TRUE(contains(rival.text, "9 of 18 runs lie above the widest gap of gpu.kernel_busy_ratio (at least 0.5"));
  EXPECT_TRUE(contains(rival.text, "at least 0.65: 0 errors, the best threshold for these runs"));
  EXPECT_TRUE(contains(rival.text, "(kernel.time_mean_ns / launch.interval_median_ns at least 1): 9 errors"));
}

TEST(ArchitectureCliff, ThresholdsAreOptionsAndArePrinted) {
  StudyBuilder study;
  three_strata(study);
  const auto recorder = concluded(study.build(), {{"min_share", 0.99}});
  EXPECT_EQ(recorder.value("cliff.found", "patch=8"), 0);
  const auto stratum = std::find_if(recorder.findings.begin(), recorder.findings.end(),
                                    [](const auto& f) { return f.title.starts_with("patch 8"); });
  ASSERT_NE(stratum, recorder.findings.end());
  EXPECT_TRUE(contains(stratum->text, "(a cliff: 99 to 120 %)"));
}

TEST(ArchitectureCliff, LeavesOutRunsWhoseLabelsTheTraceContradicts) {
  StudyBuilder study;
  three_strata(study);
  study.report("liar", {{"patch", "8"}, {"depth", "6"}, {"dim", "1024"}})
      .fact("gpu.kernel_busy_ratio", 0.01)
      .fact("label.verdict", 1, "label=dim;verdict=contradicted");
  const auto recorder = concluded(study.build());
  EXPECT_EQ(recorder.value("cliff.found", "patch=8"), 1);
  ASSERT_EQ(recorder.skips.size(), 1U);
  EXPECT_TRUE(contains(recorder.skips.front().reason, "dim is contradicted"));
}

TEST(ArchitectureCliff, TooFewSettingsStillGiveTheLevels) {
  StudyBuilder study;
  declare(study);
  add(study, {8, 6, 384, 0.45, 500});
  add(study, {8, 6, 768, 0.88, 1100});
  add(study, {16, 6, 384, 0.15, 200});
  add(study, {16, 6, 768, 0.27, 340});
  const auto recorder = concluded(study.build());
  EXPECT_TRUE(recorder.findings.front().title.starts_with(
      "gpu.kernel_busy_ratio 0.15-0.45 at dim 384 and 0.27-0.88 at dim 768; too few settings to tell a jump along dim "
      "from a slope at patch 8 and 16"));
}

TEST(ArchitectureCliff, OneRunAndNoRunAreSaidAndNotFitted) {
  StudyBuilder one;
  declare(one);
  add(one, {8, 6, 384, 0.5, 500});
  const auto recorder = concluded(one.build());
  EXPECT_TRUE(recorder.facts.empty());
  EXPECT_TRUE(contains(recorder.findings.front().text, "too few settings to fit"));

  StudyBuilder none;
  declare(none);
  const auto empty = concluded(none.build());
  EXPECT_TRUE(empty.findings.empty());
  ASSERT_EQ(empty.skips.size(), 1U);
}

TEST(BlockFit, RecoversPlantedLevelsAndBlocksExactly) {
  const double levels[] = {0, 2, 2.5};
  const double blocks[] = {-1, 0.5, 3};
  std::vector<BlockObservation> observations;
  for (std::size_t l = 0; l < 3; ++l) {
    for (std::size_t b = 0; b < 3; ++b) observations.push_back({l, b, levels[l] + blocks[b]});
  }
  observations.erase(observations.begin() + 4);  // unbalanced: the middle cell is missing
  const BlockFit fit = fit_blocks(observations);
  ASSERT_EQ(fit.effect.size(), 3U);
  EXPECT_NEAR(fit.effect[1], 2, 1e-12);
  EXPECT_NEAR(fit.effect[2], 2.5, 1e-12);
  EXPECT_NEAR(fit.residual_sd, 0, 1e-9);
  EXPECT_EQ(fit.degrees, 3);
}

TEST(BlockFit, EqualsTheTwoSampleTTestForTwoGroups) {
  // One block: the step is the difference of means, its error sqrt(s^2 (1/n + 1/m)) with the pooled s.
  const std::vector<double> a = {1, 2, 4}, b = {5, 7, 9, 9};
  std::vector<BlockObservation> observations;
  for (const double y : a) observations.push_back({0, 0, y});
  for (const double y : b) observations.push_back({1, 0, y});
  const BlockFit fit = fit_blocks(observations);
  const double pooled = std::sqrt((14.0 / 3 + 11.0) / 5);  // squared deviations: 14/3 around 7/3, 11 around 7.5
  EXPECT_NEAR(fit.step(0), 7.5 - 7.0 / 3, 1e-12);
  EXPECT_NEAR(fit.residual_sd, pooled, 1e-12);
  EXPECT_NEAR(fit.error({0, 1}), pooled * std::sqrt(1.0 / 3 + 1.0 / 4), 1e-12);
}

TEST(BlockFit, ALevelOfOneBlockOnlyAddsNoEvidence) {
  std::vector<BlockObservation> observations = {{0, 0, 0}, {1, 0, 1}, {0, 1, 0.1}, {1, 1, 1.2}, {2, 0, 50}};
  const BlockFit fit = fit_blocks(observations);
  EXPECT_EQ(fit.levels, (std::vector<std::size_t>{0, 1}));
  EXPECT_NEAR(fit.rise(), 1.05, 1e-12);
}

TEST(BlockFit, BlocksThatShareNoLevelCannotBeFitted) {
  EXPECT_TRUE(fit_blocks(std::vector<BlockObservation>{{0, 0, 1}, {1, 1, 2}}).levels.empty());
  EXPECT_TRUE(fit_blocks({}).levels.empty());
}

TEST(Separate, FindsTheThresholdWithFewestErrorsAsBruteForceDoes) {
  const std::vector<double> scores = {3, 1, 2, 2, 5, 4, 1};
  const std::vector<char> above = {1, 0, 1, 0, 1, 0, 0};
  std::size_t best = scores.size();
  for (const double threshold : {0.5, 1.5, 2.5, 3.5, 4.5, 5.5}) {
    std::size_t errors = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) errors += (scores[i] > threshold) != (above[i] != 0) ? 1U : 0U;
    best = std::min(best, errors);
  }
  const Separation found = separate(scores, above);
  EXPECT_EQ(found.errors, best);
  EXPECT_EQ(separate({}, {}).errors, 0U);
}

TEST(WidestGap, IsTheLeastValueOfTheUpperGroup) {
  EXPECT_EQ(widest_gap({0.9, 0.1, 0.2, 0.88}), 0.88);
  EXPECT_EQ(widest_gap({0.5, 0.5, 0.5}), std::nullopt);
  EXPECT_EQ(widest_gap({0.1, 0.9}), std::nullopt);
}

}  // namespace assay::cliff::architecture_cliff_test
