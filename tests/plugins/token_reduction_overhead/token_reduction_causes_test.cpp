// token_reduction_overhead on pairs of profiles: what the reduced run adds, the four causes, and the joined finding.
#include "plugins/analyzers.hpp"
#include "plugins/with_kernel_rules.hpp"
#include "support/test.hpp"
#include "token_reduction_study.hpp"

namespace assay::token_reduction_causes_test {

testing::Recorder concluded(const Study& study, const testing::OptionInputs& options = {}) {
  return under_test::token_reduction_overhead::concluded(study, testing::with_rules(options));
}

using namespace testing;

const RecordedFinding& finding_that_begins(const Recorder& recorder, std::string_view start) {
  for (const auto& f : recorder.findings) {
    if (f.title.starts_with(start)) return f;
  }
  throw std::runtime_error("no finding begins with " + std::string(start));
}

// Base and reduced of the bundled pairs launch 150 and 192, the second pair differs likewise.
TEST(TokenReductionCauses, LaunchesThatTheReductionAddsAreAFactOfThePair) {
  StudyBuilder study;
  declare_labels(study);
  add_profiles(study);
  const Recorder r = concluded(study.build());
  EXPECT_EQ(r.value("token.launch_delta", "batch=1;px=224"), 42);
}

TEST(TokenReductionCauses, ProfileAndSweepJoinInOneFinding) {
  StudyBuilder study;
  declare_labels(study);
  add_sweeps(study);
  add_profiles(study);
  const Recorder r = concluded(study.build());
  const auto& slow =
      finding_that_begins(r, "batch 1, px=224: 17.5 % slower, more launches and low utilization confirmed");
  EXPECT_TRUE(contains_all(slow.text, {"The sweep: 17.5 % slower although FLOPs fall 55.7 %.",
                                       "The profile: 21.0 % slower", "150 kernels per forward become 192 (x 1.28)",
                                       "60.8 % of the reduced run's kernels waited for the host, 10.5 % without",
                                       "45.5 us in 7 launches to top-k, sort, gather and index kernels",
                                       "Remedy: fuse top-k and gather into one kernel.",
                                       "Remedy: do not reduce tokens below the crossover batch."}));
  const std::size_t first = slow.text.find("Remedy: ");
  EXPECT_EQ(slow.text.find("Remedy: ", slow.text.find("Remedy: ", first + 1) + 1), std::string::npos) << "no third one";
  ASSERT_TRUE(slow.effect);
  EXPECT_EQ(slow.effect->effect.scope, Scope::kBetweenRun);
  EXPECT_EQ(slow.effect->effect.n, 4);
  EXPECT_NEAR(slow.effect->effect.lo, 0.719418, 1e-6);
  EXPECT_NEAR(slow.effect->effect.hi, 0.906303, 1e-6);
  EXPECT_FALSE(slow.evidence.empty());
  const auto& fast = finding_that_begins(r, "batch 8, px=448: 2.10x faster, none of the four causes is confirmed");
  EXPECT_TRUE(contains(fast.text, "Cause 'more launches' not confirmed: 126 kernels per forward become 150"));
  EXPECT_TRUE(contains(fast.text, "Cause 'memory' not testable"));
  EXPECT_TRUE(has_values(r, {{"token.cause{batch=1;cause=launches;px=224}", 1},
                             {"token.cause{batch=1;cause=dynamic_operations;px=224}", 0},
                             {"token.cause{batch=8;cause=launches;px=448}", 0}}));
  EXPECT_EQ(r.value("token.cause", "batch=8;cause=memory;px=448"), std::nullopt);
}

TEST(TokenReductionCauses, OnlyKernelsThatTheBaseHasNotAreAdded) {
  StudyBuilder study;
  declare_labels(study);
  add_profiles(study);
  const Recorder r = concluded(study.build());
  EXPECT_DOUBLE_EQ(*r.value("token.added_kernel_time_ns", "batch=1;class=dynamic;px=224"), 26872 + 18612.8);
  EXPECT_EQ(r.value("token.added_kernel_count", "batch=1;class=dynamic;px=224"), 7);
  EXPECT_EQ(r.value("token.added_kernel_time_ns", "batch=1;class=other;px=224"), std::nullopt);
  EXPECT_EQ(r.value("token.added_kernel_time_ns", "batch=1;class=memory;px=224"), std::nullopt);
}

TEST(TokenReductionCauses, ThresholdsDecideAndRemediesAreOptions) {
  StudyBuilder study;
  declare_labels(study);
  add_profiles(study);
  const OptionInputs options = {{"launch_bound", 0.7},
                                {"low_utilization", 0.4},
                                {"dynamic_share", 0.02},
                                {"memory_share", 0.005},
                                {"dynamic_remedy", "do it once"}};
  const Recorder r = concluded(study.build(), options);
  EXPECT_TRUE(has_values(r, {{"token.cause{batch=1;cause=launches;px=224}", 0},
                             {"token.cause{batch=1;cause=utilization;px=224}", 0},
                             {"token.cause{batch=1;cause=dynamic_operations;px=224}", 1},
                             {"token.cause{batch=1;cause=memory;px=224}", 1}}));
  const auto& found = finding_that_begins(r, "batch 1, px=224");
  EXPECT_TRUE(contains_all(found.text, {"Remedy: do it once.", "Remedy: reorder tokens once or cache their indices."}));
}

TEST(TokenReductionCauses, KernelsHiddenInGraphsMakeACauseNotTestable) {
  StudyBuilder study;
  declare_labels(study);
  add_profile(study, {"baseline", "1", "224", 150, 3e6, 4e6, 0.1});
  study.report("token/graphs", {{"reduction", "with_tr"}, {"batch", "1"}, {"px", "224"}})
      .fact("graph.opaque_ratio", 0.9)
      .fact("iteration.kernel_count", 2)
      .fact("iteration.gpu_busy_ns", 1e6)
      .fact("iteration.period_ns", 3e6);
  const Recorder r = concluded(study.build());
  EXPECT_EQ(r.value("token.cause", "batch=1;cause=launches;px=224"), std::nullopt);
  EXPECT_EQ(r.value("token.cause", "batch=1;cause=utilization;px=224"), 1);
  EXPECT_TRUE(
      contains(finding_that_begins(r, "batch 1, px=224").text, "most GPU time is in CUDA graphs traced as a whole"));
}

TEST(TokenReductionCauses, AReportWhoseLabelIsNotBorneOutJoinsNoPair) {
  StudyBuilder study;
  declare_labels(study);
  add_profile(study, {"baseline", "1", "224", 150, 3e6, 4e6, 0.1});
  add_profile(study, {"with_tr", "1", "224", 150, 3e6, 4e6, 0.1})
      .fact("label.verdict", 1, "label=reduction;verdict=not_borne_out");
  const Recorder r = concluded(study.build());
  EXPECT_EQ(r.value("token.profile_speedup", "batch=1;px=224"), std::nullopt);
  EXPECT_TRUE(contains(r.skips.front().reason, "no run with reduction=with_tr"));
}

TEST(TokenReductionCauses, CountersOfAddedKernelsAreEvidence) {
  StudyBuilder study;
  declare_labels(study);
  add_profile(study, {"baseline", "1", "224", 150, 3e6, 3.6e6, 0.1})
      .fact("token.kernel_time_ns", 1e6, "class=other;kernel=gemm")
      .fact("token.kernel_count", 12, "class=other;kernel=gemm");
  add_profile(study, {"with_tr", "1", "224", 192, 2e6, 4.6e6, 0.6})
      .fact("token.kernel_time_ns", 8e5, "class=other;kernel=gemm")
      .fact("token.kernel_count", 12, "class=other;kernel=gemm")
      .fact("token.kernel_time_ns", 4e4, "class=dynamic;kernel=gatherTopK")
      .fact("token.kernel_count", 3, "class=dynamic;kernel=gatherTopK")
      .fact("token.bound_time_ns", 8e5, "bound=compute;class=other;kernel=gemm")
      .fact("token.bound_time_ns", 3e4, "bound=latency;class=dynamic;kernel=gatherTopK")
      .fact("token.bound_time_ns", 1e4, "bound=unknown;class=dynamic;kernel=gatherTopK");
  const Recorder r = concluded(study.build());
  const auto found = std::find_if(r.findings.begin(), r.findings.end(), [](const auto& finding) {
    return finding.title.starts_with("The added kernels are bound by");
  });
  ASSERT_NE(found, r.findings.end());
  EXPECT_EQ(found->title, "The added kernels are bound by latency 75.0 %, not known 25.0 %");
  EXPECT_EQ(found->role, FindingRole::kEvidence);
  EXPECT_TRUE(contains(found->text, "(40 us per forward)"));
  EXPECT_EQ(found->evidence.size(), 2U);
}

}  // namespace assay::token_reduction_causes_test
