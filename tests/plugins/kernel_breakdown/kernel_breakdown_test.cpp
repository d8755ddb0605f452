#include "plugins/analyzers.hpp"
#include "plugins/kernel_rules.hpp"
#include "support/test.hpp"

namespace assay::kernel_breakdown_test {

using namespace under_test::kernel_breakdown;
using namespace testing;

OptionInputs with(OptionInputs more = {}) {
  OptionInputs out = {{"rules", std::vector<std::string>{"matmul: gemm", "elementwise: elementwise"}},
                      {"tensor_core_rules", std::vector<std::string>{"yes: hmma", "no: elementwise"}}};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

/// A launch at `at` by `thread`, and its kernel from 1000 + at.
void launch(ReportBuilder& b, const std::string& name, std::int64_t at, std::int64_t duration,
            std::uint32_t thread = 0) {
  const Row call = b.call(CallKind::kKernelLaunch, at, at + 2, thread);
  b.kernel(name, 1000 + at, 1000 + at + duration, {.call = call});
}

TEST(KernelBreakdown, TableIsThatOfNsysStats) {
  ReportBuilder b;
  for (const int d : {10, 20, 30, 40}) launch(b, "gemm", 100 * d, d);
  for (const int d : {50, 50}) launch(b, "elementwise", 100 * d + d, d);
  launch(b, "gelu", 9000, 100);
  const Recorder r = analyzed(b.build(), with());
  const auto* table = r.table_of("kernel_summary");
  ASSERT_NE(table, nullptr);
  EXPECT_TRUE(
      equals(table->column("Name")->texts, {"gelu", "elementwise", "gemm"}));  // equal times: fewer instances first
  EXPECT_TRUE(equals(table->column("Total Time")->integers, {100, 100, 100}));
  EXPECT_TRUE(equals(table->column("Instances")->integers, {1, 2, 4}));
  EXPECT_TRUE(equals(table->column("Med")->numbers, {100, 50, 25}));  // type 2
  EXPECT_TRUE(equals(table->column("Min")->integers, {100, 50, 10}));
  EXPECT_TRUE(equals(table->column("Max")->integers, {100, 50, 40}));
  EXPECT_TRUE(near(table->column("StdDev")->numbers, {0, 0, std::sqrt(500.0 / 3)}, 1e-12));
  EXPECT_TRUE(equals(table->column("Class")->texts, {"unknown", "elementwise", "matmul"}));
  EXPECT_TRUE(equals(table->column("Tensor cores")->texts, {"unknown", "no", "unknown"}));
}

TEST(KernelBreakdown, SumsSharesToOneAndAlwaysShowsUnknown) {
  ReportBuilder b;
  launch(b, "gemm_hmma", 0, 60);
  launch(b, "elementwise", 100, 40);
  const Recorder r = analyzed(b.build(), with());
  EXPECT_DOUBLE_EQ(*r.value("kernel_class.time_ratio", "class=matmul"), 0.6);
  EXPECT_DOUBLE_EQ(*r.value("kernel_class.time_ratio", "class=elementwise"), 0.4);
  EXPECT_DOUBLE_EQ(*r.value("kernel_class.time_ratio", "class=unknown"), 0);
  EXPECT_DOUBLE_EQ(*r.value("tensor_core.time_ratio", "uses=yes"), 0.6);
  EXPECT_DOUBLE_EQ(*r.value("tensor_core.time_ratio", "uses=no"), 0.4);
  EXPECT_DOUBLE_EQ(*r.value("tensor_core.time_ratio", "uses=unknown"), 0);
  EXPECT_EQ(r.attribute_of("kernel.top_name"), "gemm_hmma");
}

TEST(KernelBreakdown, OnlyTheWindowsOwnKernelsCount) {
  ReportBuilder b;
  launch(b, "gemm", 0, 60);
  b.kernel("gemm", 5000, 9000, {.membership = Membership::kForeign});
  b.kernel("gemm", 5000, 9000, {.membership = Membership::kOutside});
  EXPECT_EQ(analyzed(b.build(), with()).value("top_kernel.count"), 1);
}

TEST(KernelBreakdown, WarmUpIsLeftOutByTheNamedIterationsAndSaid) {
  ReportBuilder b;
  b.range("warmup_0", 0, 90);
  for (int i = 0; i < 5; ++i) launch(b, "gemm", 10 * i, 1000);
  for (int step = 0; step < 3; ++step) {
    b.iteration(step, 1000 * (step + 1), 1000 * (step + 1) + 100);
    for (int i = 0; i <= step; ++i) launch(b, "gemm", 1000 * (step + 1) + 10 * i, 5);
  }
  const Recorder window = analyzed(b.build(), with());
  EXPECT_EQ(window.value("top_kernel.count"), 11);
  EXPECT_TRUE(window.issues.empty());
  EXPECT_TRUE(equals(window.fact_of("top_kernel.count_per_iteration")->samples, {1, 2, 3}));

  const Recorder steps = analyzed(b.build(), with({{"measure", "iterations"}}));
  EXPECT_TRUE(has_values(steps, {{"top_kernel.count", 6},
                                 {"top_kernel.count_per_iteration", 2},
                                 {"kernel_class.time_sum_ns{class=matmul}", 30}}));
  EXPECT_TRUE(equals(steps.fact_of("kernel_class.time_per_iteration_ns", "class=matmul")->samples, {5, 10, 15}));
  EXPECT_TRUE(equals(steps.table_of("kernel_summary")->column("Per iteration")->numbers, {2}));
  ASSERT_EQ(steps.issues.size(), 1U);
  EXPECT_EQ(steps.issues[0].name, "outside_iterations");
  EXPECT_EQ(steps.issues[0].count, 5);
}

TEST(KernelBreakdown, WithoutIterationsTheirKernelsCannotBeMeasured) {
  ReportBuilder b;
  launch(b, "gemm", 0, 60);
  const Recorder r = analyzed(b.build(), with({{"measure", "iterations"}}));
  EXPECT_TRUE(r.facts.empty());
  ASSERT_EQ(r.skips.size(), 2U);
  EXPECT_EQ(r.skips[0].metric, "kernel_class.hidden_ratio") << "a share of nothing";
  EXPECT_TRUE(contains(r.skips[1].reason, "no iterations"));
}

/// A forward pass on thread 0, and its backward pass, of which thread 1 launches all but one kernel.
void training_step(ReportBuilder& b) {
  b.thread(10);
  b.thread(11);
  b.range("forward", 0, 100);
  launch(b, "gemm", 10, 30);
  b.range("backward", 200, 300);
  launch(b, "elementwise", 201, 5);
  launch(b, "gemm", 210, 40, 1);
  launch(b, "gemm", 220, 50, 1);
  launch(b, "gemm", 299, 50, 1);  // its call ends after the range
}

TEST(KernelBreakdown, KernelsOfOtherThreadsBelongToTheRangeThatIsOpenAndThatIsSaid) {
  ReportBuilder b;
  training_step(b);
  const Recorder r =
      analyzed(b.build(), with({{"ranges", std::vector<std::string>{"forward", "backward", "optimizer"}}}));
  EXPECT_TRUE(has_values(r, {{"range.kernel_count{range=forward}", 1},
                             {"range.other_thread_kernel_count{range=forward}", 0},
                             {"range.kernel_count{range=backward}", 3},
                             {"range.kernel_time_sum_ns{range=backward}", 95},
                             {"range.other_thread_kernel_count{range=backward}", 2},
                             {"range.other_thread_kernel_time_ns{range=backward}", 90}}));
  EXPECT_DOUBLE_EQ(*r.value("kernel_class.time_ratio", "class=matmul;range=backward"), 90.0 / 95);
  EXPECT_EQ(r.value("top_kernel.count", "range=backward"), 2);
  EXPECT_TRUE(equals(r.table_of("by_range")->column("By other threads")->integers, {0, 2}));
  EXPECT_TRUE(ends_with(*r.skip_of("range.*"), "'optimizer'; the nearest are 'backward' and 'forward'"));
  ASSERT_EQ(r.issues.size(), 1U);
  EXPECT_EQ(r.issues[0].name, "attributed_by_time");
}

TEST(KernelBreakdown, AnotherProcessIsNeverPartOfARange) {
  ReportBuilder b;
  b.process(1);
  const std::uint32_t other = b.process(2);
  b.thread(10);
  const std::uint32_t thread = b.thread(10, other);
  b.range("backward", 0, 100);
  launch(b, "gemm", 10, 5, thread);
  launch(b, "gemm", 20, 5);
  const Recorder r = analyzed(b.build(), with({{"ranges", std::vector<std::string>{"backward"}}}));
  EXPECT_EQ(r.value("range.kernel_count", "range=backward"), 1);
}

TEST(KernelBreakdown, RangesOfTwoThreadsThatOverlapKeepToTheirOwnThreads) {
  ReportBuilder b;
  for (int t = 0; t < 3; ++t) b.thread(10 + t);
  b.range("backward", 0, 100, {.thread = 0});
  b.range("backward", 50, 150, {.thread = 1});
  launch(b, "gemm", 60, 5, 0);
  launch(b, "gemm", 62, 5, 1);
  launch(b, "gemm", 64, 5, 2);
  launch(b, "gemm", 120, 5, 0);
  const Recorder r = analyzed(b.build(), with({{"ranges", std::vector<std::string>{"backward"}}}));
  EXPECT_EQ(r.value("range.kernel_count", "range=backward"), 2);
  EXPECT_EQ(r.value("range.other_thread_kernel_count", "range=backward"), 0);
  ASSERT_EQ(r.issues.size(), 1U);
  EXPECT_EQ(r.issues[0].name, "overlapping_ranges");
}

/// Facts of a forward run and a training run as `analyze` gives them.
void two_modes(StudyBuilder& study) {
  study.label("mode", std::vector<std::string>{"forward", "training_step"});
  study.report("t/forward.sqlite", {{"mode", "forward"}})
      .attribute("kernel.top_name", "void gemm_a(int)")
      .fact("top_kernel.time_ratio", 0.33)
      .fact("top_kernel.count", 240)
      .fact("top_kernel.count_per_iteration", 24)
      .fact("kernel_class.time_ratio", 0.8, "class=matmul")
      .fact("kernel_class.time_ratio", 0.15, "class=elementwise")
      .fact("kernel_class.time_ratio", 0.05, "class=unknown")
      .fact("tensor_core.time_ratio", 1, "uses=no");
  study.report("t/training.sqlite", {{"mode", "training_step"}})
      .attribute("kernel.top_name", "void gemm_b(int)")
      .fact("top_kernel.time_ratio", 0.13)
      .fact("top_kernel.count", 480)
      .fact("top_kernel.count_per_iteration", 48)
      .fact("kernel_class.time_ratio", 0.7, "class=matmul")
      .fact("kernel_class.time_ratio", 0.9, "class=matmul;range=forward")
      .fact("kernel_class.time_ratio", 0.3, "class=unknown")
      .fact("tensor_core.time_ratio", 1, "uses=no")
      .fact("range.kernel_count", 7306, "range=backward")
      .fact("range.kernel_time_sum_ns", 449.2e6, "range=backward")
      .fact("range.other_thread_kernel_count", 7293, "range=backward")
      .fact("range.other_thread_kernel_time_ns", 449.1e6, "range=backward");
}

TEST(KernelBreakdown, GraphsTracedAsAWholeAreSaidAndThoseTracedByNodeHideNothing) {
  ReportBuilder b;
  launch(b, "gemm", 0, 60);
  b.graph(1, 2000, 2140, {.call = b.call(CallKind::kGraphLaunch, 50, 51)});
  const Row by_node = b.call(CallKind::kGraphLaunch, 60, 61);
  b.graph(2, 3000, 3100, {.call = by_node});
  b.kernel("gemm", 3000, 3100, {.call = by_node});
  b.graph(3, 5000, 9000, {.membership = Membership::kForeign});
  const Recorder r = analyzed(b.build(), with());
  ASSERT_EQ(r.issues.size(), 1U);
  EXPECT_EQ(r.issues[0].name, "kernels_in_graphs");
  EXPECT_EQ(r.issues[0].count, 1);
  EXPECT_DOUBLE_EQ(*r.value("kernel_class.hidden_ratio"), 140.0 / 300);
}

TEST(KernelBreakdown, ReportsWhoseTimeIsHiddenInGraphsAreNotComparedWithOthers) {
  StudyBuilder study;
  two_modes(study);
  study.report("t/graph.sqlite", {{"mode", "forward"}})
      .attribute("kernel.top_name", "fill")
      .fact("kernel_class.hidden_ratio", 0.99)
      .fact("kernel_class.time_ratio", 1, "class=unknown");
  const Recorder r = concluded(study.build(), with());
  EXPECT_EQ(finding(r, "Matrix products take").title, "Matrix products take 70.0 to 80.0 % of kernel time");
  ASSERT_EQ(r.skips.size(), 1U);
  EXPECT_TRUE(contains(r.skips[0].reason, "CUDA graph launches"));
}

TEST(KernelBreakdown, RefusesRulesThatCannotWork) {
  const auto sentence = [](const OptionInputs& options) -> std::string {
    ReportBuilder b;
    try {
      analyzed(b.build(), options);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "nothing";
  };
  EXPECT_TRUE(contains(sentence({}), "'rules' is empty"));
  EXPECT_TRUE(contains(sentence(with({{"matmul", "gemm"}})), "'matmul' names 'gemm', a class that no rule has"));
  EXPECT_TRUE(contains(sentence({{"rules", std::vector<std::string>{"matmul gemm"}}}), "has no ':'"));
  EXPECT_TRUE(contains(sentence({{"rules", std::vector<std::string>{"matmul: gemm"}},
                                 {"tensor_core_rules", std::vector<std::string>{"maybe: gemm"}}}),
                       "'maybe'"));
}

TEST(KernelBreakdown, OwnRulesGoFirst) {
  ReportBuilder b;
  launch(b, "my_gemm", 0, 60);
  const Recorder r = analyzed(b.build(), with({{"own_rules", std::vector<std::string>{"mine: my_"}}}));
  EXPECT_EQ(r.value("kernel_class.time_ratio", "class=mine"), 1);
}

TEST(KernelBreakdown, StudySaysTopKernelSharesUnknownAndWhatWasAttributedByTime) {
  StudyBuilder study;
  two_modes(study);
  const Recorder r = concluded(study.build(), with());
  EXPECT_TRUE(contains(finding(r, "top kernel is not the same").text,
                       "forward: gemm_a(int) with 33.0 % of kernel time, 240 launches, 24 per iteration."));
  EXPECT_TRUE(contains(finding(r, "Matrix products take").title, " 70.0 to 80.0 %"));
  EXPECT_TRUE(contains(finding(r, "Matrix products take").text, "forward: products 80.0 %, unknown 5.0 %"));
  EXPECT_TRUE(contains(finding(r, "forward: beside").text, "elementwise 15.0 %, unknown 5.0 %"));
  const auto& note = finding(r, "'backward' runs on another thread");
  EXPECT_EQ(note.role, FindingRole::kNote);
  EXPECT_TRUE(contains(note.text, "7293 of the 7306 kernels counted in 'backward' (449.1 of 449.2 ms)"));
  EXPECT_EQ(r.table_of("class_shares")->column("report")->texts.size(), 2U);
}

TEST(KernelBreakdown, OneRunOfEachModeDecidesNothingAboutTheShareOfProducts) {
  StudyBuilder study;
  two_modes(study);
  const Recorder r = concluded(study.build(), with({{"compare", "mode"}}));
  const auto& f = finding(r, "with mode=forward");
  ASSERT_TRUE(f.effect.has_value());
  EXPECT_EQ(f.effect->effect.kind, EffectKind::kRatio);
  EXPECT_EQ(f.effect->effect.scope, Scope::kWithinRun);
  EXPECT_NEAR(f.effect->effect.value, 0.7 / 0.8, 1e-12);
  EXPECT_TRUE(contains(f.text, "no repeat runs"));
  EXPECT_TRUE(std::isnan(f.effect->effect.lo));
  EXPECT_EQ(f.evidence.size(), 2U);
}

TEST(KernelBreakdown, SaysOfEachPairWhetherTheTopKernelIsTheSame) {
  for (const bool same : {true, false}) {
    StudyBuilder study;
    study.label("mode");
    for (const char* mode : {"forward", "training"}) {
      const bool training = std::string(mode) == "training";
      study.report(mode, {{"mode", mode}})
          .attribute("kernel.top_name", training && !same ? "ampere_sgemm_nt" : "ampere_sgemm_tn")
          .fact("kernel_class.time_ratio", training ? 0.4 : 0.5, "class=matmul")
          .fact("top_kernel.time_ratio", 0.3);
    }
    const Recorder r = concluded(study.build(), with({{"compare", "mode"}}));
    EXPECT_EQ(r.value("top_kernel.same", "mode=training"), same ? 1 : 0);
    EXPECT_TRUE(contains(finding(r, "with mode=forward").text,
                         same ? "most time is the same in both" : "most time is different"));
  }
}

}  // namespace assay::kernel_breakdown_test
