// What token_reduction_overhead counts in one report, by hand and against SQL over the bundled reports.
#include "plugins/analyzers.hpp"
#include "plugins/real_report.hpp"
#include "plugins/token_reduction_overhead/forwards.hpp"
#include "plugins/with_kernel_rules.hpp"
#include "support/test.hpp"

namespace assay::token_reduction_forwards_test {

testing::Recorder analyzed(const Report& report, const testing::OptionInputs& options = {}) {
  return under_test::token_reduction_overhead::analyzed(report, testing::with_rules(options));
}
using under_test::token_reduction_overhead::descriptor;

using namespace testing;

TEST(TokenReductionForwards, ShortNamesLoseReturnTypeScopeTemplateAndParameters) {
  using tokens::base_name;
  EXPECT_EQ(base_name("void at::native::sbtopk::gatherTopK<float, unsigned int, 1>(at::TensorInfo<const T1, T2>)"),
            "gatherTopK");
  EXPECT_EQ(base_name("void (anonymous namespace)::index_of<at::f(int)::{lambda()#1}>(int)"), "index_of");
  EXPECT_EQ(base_name("std::enable_if<!T7, void>::type internal::gemvx::kernel<int, (bool)0>(int)"), "kernel");
  EXPECT_EQ(base_name("sm80_xmma_gemm_f32"), "sm80_xmma_gemm_f32");
  EXPECT_EQ(base_name(""), "");
}

/// Two forwards of 100 ns; in each a product and twice a top-k, in the first a copy too; a sort outside of both.
void two_forwards(ReportBuilder& b) {
  for (const std::int64_t start : {0, 1000}) {
    b.iteration(start / 1000, start, start + 100);
    const Row gemm = b.call(CallKind::kKernelLaunch, start + 1, start + 2);
    b.kernel("gemm<float>(int)", start + 10, start + 40, {.call = gemm});
    for (const std::int64_t late : {50, 200}) {  // the second runs on after the forward's host range
      const Row topk = b.call(CallKind::kKernelLaunch, start + 3, start + 4);
      b.kernel("void ns::gatherTopK<float>(int)", start + late, start + late + 5,
               {.call = topk, .short_name = "gatherTopK"});
    }
  }
  const Row outside = b.call(CallKind::kKernelLaunch, 500, 510);
  b.kernel("radixSort(int)", 520, 900, {.call = outside});
  const Row copy = b.call(CallKind::kCopy, 5, 6);
  b.copy(CopyDirection::kDeviceToDevice, 64, 60, 70, {.call = copy});
}

TEST(TokenReductionForwards, CountsWhatForwardsLaunchAndNothingElse) {
  ReportBuilder b;
  two_forwards(b);
  const Recorder r = analyzed(b.build());
  EXPECT_TRUE(has_values(r, {{"token.kernel_time_ns{class=other;kernel=gemm}", 30},
                             {"token.kernel_count{class=other;kernel=gemm}", 1},
                             {"token.kernel_time_ns{class=dynamic;kernel=gatherTopK}", 10},
                             {"token.kernel_count{class=dynamic;kernel=gatherTopK}", 2}}));
  EXPECT_EQ(r.value("token.kernel_count", "class=dynamic;kernel=radixSort"), std::nullopt);
  EXPECT_TRUE(has_values(r, {{"token.memory_time_ns{kind=copy}", 5}, {"token.memory_bytes{kind=copy}", 32}}));
  EXPECT_EQ(r.value("token.memory_time_ns", "kind=set"), std::nullopt) << "not captured is not 0";
}

TEST(TokenReductionForwards, CountersSayWhatBoundsAKernel) {
  ReportBuilder b;
  const Row topk = b.profiled("gatherTopK");
  b.counter(topk, "Compute (SM) Throughput", 10, {.unit = "%"}).counter(topk, "Memory Throughput", 20, {.unit = "%"});
  b.iteration(0, 0, 100);
  const Row call = b.call(CallKind::kKernelLaunch, 1, 2);
  b.kernel("gatherTopK", 10, 40, {.call = call, .profiled = topk});
  b.kernel("gatherTopK", 40, 45, {.call = call});
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(r.value("token.bound_time_ns", "bound=latency;class=dynamic;kernel=gatherTopK"), 30);
  EXPECT_EQ(r.value("token.bound_time_ns", "bound=unknown;class=dynamic;kernel=gatherTopK"), 5);
  EXPECT_EQ(r.value("token.bound_time_ns", "bound=memory;class=dynamic;kernel=gatherTopK"), std::nullopt);
  ReportBuilder plain;
  two_forwards(plain);
  for (const auto& fact : analyzed(plain.build()).facts) EXPECT_NE(fact.metric, "token.bound_time_ns");
}

TEST(TokenReductionForwards, TheRestKeepsTheTotalsExact) {
  ReportBuilder b;
  two_forwards(b);
  const Recorder r = analyzed(b.build(), {{"kernels", std::int64_t{1}}});
  EXPECT_TRUE(has_values(r, {{"token.kernel_time_ns{class=other;kernel=gemm}", 30},
                             {"token.kernel_time_ns{class=dynamic;kernel=(rest)}", 10},
                             {"token.kernel_count{class=dynamic;kernel=(rest)}", 2}}));
}

TEST(TokenReductionForwards, WithoutIterationsNothingIsSaidPerForward) {
  ReportBuilder b;
  const Row launch = b.call(CallKind::kKernelLaunch, 1, 2);
  b.kernel("gemm", 10, 20, {.call = launch});
  const Recorder r = analyzed(b.build());
  EXPECT_TRUE(r.facts.empty());
  ASSERT_EQ(r.skips.size(), 1U);
}

TEST(TokenReductionForwards, ClassesThatNoRuleGivesAreRefused) {
  ReportBuilder b;
  b.kernel("gemm", 10, 20);
  const auto sentence = [&](const testing::OptionInputs& options) -> std::string {
    try {
      under_test::token_reduction_overhead::analyzed(b.build(), options);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "accepted";
  };
  const std::vector<std::string> rules = {"sort: sort", "indexing: gather"};
  EXPECT_TRUE(contains_all(sentence({{"rules", rules}}), {"'memory_classes'", "'copy'"}));
  EXPECT_TRUE(contains(sentence({}), "'rules'"));
}

// One rule set: what communicates or computes embeddings is what it is in every analyzer.
TEST(TokenReductionForwards, ClassesAreThoseOfTheSharedRules) {
  ReportBuilder b;
  b.iteration(0, 0, 100);
  std::int64_t at = 10;
  for (const char* name : {"split_embedding_forward<fbgemm_gpu::Cache>", "ncclDevKernel_ReduceScatter",
                           "chunk_cat_kernel", "gatherTopK", "elementwise_kernel_with_index<arange>"}) {
    b.kernel(name, at, at + 5, {.call = b.call(CallKind::kKernelLaunch, at - 9, at - 8)});
    at += 10;
  }
  const Recorder r = analyzed(b.build(), {{"rules_version", "7"}});
  EXPECT_TRUE(has_values(r, {{"token.kernel_count{class=dynamic;kernel=split_embedding_forward}", 1},
                             {"token.kernel_count{class=other;kernel=ncclDevKernel_ReduceScatter}", 1},
                             {"token.kernel_count{class=memory;kernel=chunk_cat_kernel}", 1},
                             {"token.kernel_count{class=dynamic;kernel=gatherTopK}", 1},
                             {"token.kernel_count{class=other;kernel=elementwise_kernel_with_index}", 1}}));
  EXPECT_EQ(r.attribute_of("token.rules"), "7");
}

/// Sums over the kernel facts of a class, or of all when it is empty.
double sum_of(const Recorder& r, std::string_view metric, std::string_view kernel_class) {
  double sum = 0;
  for (const auto& fact : r.facts) {
    if (fact.metric == metric && fact.dims.find("class=" + std::string(kernel_class)) != std::string::npos)
      sum += fact.value;
  }
  return sum;
}

// SQL: CUPTI_ACTIVITY_KIND_{KERNEL,MEMCPY,MEMSET} joined by correlationId to the calls inside test_compute_batch_{i}.
TEST(TokenReductionForwards, BundledReducedRunAsSqlHasIt) {
  ASSAY_REAL_FILE(file, "examples", "token_reduction/with_tr_bs1_is224.sqlite");
  const RealReport real(descriptor, *file, "test_double_buffer", "test_compute_batch_{i}");
  const Recorder r = analyzed(real.report());
  EXPECT_DOUBLE_EQ(sum_of(r, "token.kernel_count", ""), 192);
  EXPECT_NEAR(sum_of(r, "token.kernel_time_ns", ""), 2098322.3, 0.05);
  EXPECT_DOUBLE_EQ(sum_of(r, "token.kernel_count", "dynamic"), 12)
      << "arange fills, 3 times a forward: no index kernel";
  EXPECT_NEAR(sum_of(r, "token.kernel_time_ns", "dynamic"), (1194752 - 42368) / 20.0, 1e-6);
  EXPECT_DOUBLE_EQ(*r.value("token.kernel_time_ns", "class=dynamic;kernel=gatherTopK"), 372256 / 20.0);
  EXPECT_NEAR(sum_of(r, "token.kernel_time_ns", "memory"), (63136 + 82272) / 20.0, 1e-6);
  EXPECT_DOUBLE_EQ(*r.value("token.memory_time_ns", "kind=copy"), 173248 / 20.0);
  EXPECT_DOUBLE_EQ(*r.value("token.memory_bytes", "kind=copy"), 12114240 / 20.0);
  EXPECT_DOUBLE_EQ(*r.value("token.memory_time_ns", "kind=set"), 446433 / 20.0);
}

TEST(TokenReductionForwards, BundledBaseHasNoDynamicKernel) {
  ASSAY_REAL_FILE(file, "examples", "token_reduction/baseline_bs1_is224.sqlite");
  const RealReport real(descriptor, *file, "test_double_buffer", "test_compute_batch_{i}");
  const Recorder r = analyzed(real.report());
  EXPECT_DOUBLE_EQ(sum_of(r, "token.kernel_count", ""), 150);
  EXPECT_EQ(sum_of(r, "token.kernel_count", "dynamic"), 0) << "the convolution's 'indexed' is no index kernel";
}

// Python over the trace's JSON: kernels whose runtime call (same correlation) lies in one of three ProfilerStep ranges.
TEST(TokenReductionForwards, StepsOfAPyTorchTraceAreForwards) {
  const auto reduced = data_file("examples", "torch/with_tr_bs1_is224.pt.trace.json.gz");
  const auto base = data_file("examples", "torch/baseline_bs1_is224.pt.trace.json.gz");
  if (!reduced) GTEST_SKIP() << "ASSAY_EXAMPLES is not set: the bundled reports are not unpacked";
  const Recorder with = analyzed(RealReport(descriptor, *reduced, "", "ProfilerStep#{i}").report());
  EXPECT_NEAR(sum_of(with, "token.kernel_count", ""), 193, 1e-9);
  EXPECT_NEAR(sum_of(with, "token.kernel_time_ns", ""), 6326477 / 3.0, 1e-6);
  EXPECT_DOUBLE_EQ(*with.value("token.kernel_count", "class=dynamic;kernel=gatherTopK"), 3);
  EXPECT_DOUBLE_EQ(*with.value("token.kernel_count", "class=dynamic;kernel=vectorized_gather_kernel"), 3);
  const Recorder without = analyzed(RealReport(descriptor, *base, "", "ProfilerStep#{i}").report());
  EXPECT_NEAR(sum_of(without, "token.kernel_count", ""), 151, 1e-9);
  EXPECT_NEAR(sum_of(without, "token.kernel_time_ns", ""), 3036526, 1e-6);
  EXPECT_EQ(sum_of(without, "token.kernel_count", "dynamic"), 0);
}

}  // namespace assay::token_reduction_forwards_test
