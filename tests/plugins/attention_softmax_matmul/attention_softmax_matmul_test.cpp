#include "plugins/analyzers.hpp"
#include "plugins/attention_softmax_matmul/shape.hpp"
#include "plugins/with_kernel_rules.hpp"
#include "support/test.hpp"

namespace assay::attention_softmax_matmul_test {

testing::Recorder analyzed(const Report& report, const testing::OptionInputs& options = {}) {
  return under_test::attention_softmax_matmul::analyzed(report, testing::with_rules(options));
}
testing::Recorder concluded(const Study& study, const testing::OptionInputs& options = {}) {
  return under_test::attention_softmax_matmul::concluded(study, testing::with_rules(options));
}

using attention::flops;
using attention::Part;
using attention::Shape;
using namespace testing;

TEST(AttentionFlops, AreThoseOfTheTextbook) {
  const Shape shape{4, 12, 512, 64};
  EXPECT_EQ(flops(shape, Part::kScores), 1'610'612'736.0);
  EXPECT_EQ(flops(shape, Part::kValues), 1'610'612'736.0);
  EXPECT_EQ(flops(shape, Part::kSoftmax), 62'914'560.0);
  EXPECT_EQ(flops(shape, Part::kWhole), 2 * 1'610'612'736.0 + 62'914'560.0);
  EXPECT_DOUBLE_EQ((flops(shape, Part::kScores) + flops(shape, Part::kValues)) / flops(shape, Part::kSoftmax), 51.2);
  EXPECT_DOUBLE_EQ(flops(shape, Part::kScores) / flops(shape, Part::kSoftmax), 25.6);
}

/// Attention calls from `at` on: host 10, 20 and 5 ns of ranges, kernels 30+10, 40 and 50 ns one after the other.
void attention_call(ReportBuilder& b, std::int64_t at, bool with_space, std::int64_t softmax = 40) {
  const auto kernel = [&](const std::string& name, std::int64_t call_at, std::int64_t start, std::int64_t length,
                          int z) {
    const Row call = b.call(CallKind::kKernelLaunch, at + call_at, at + call_at + 1);
    b.kernel(name, at + start, at + start + length, {.call = call, .grid = {2, 1, z}});
  };
  b.range(with_space ? "scaled dot product attention" : "scaled_dot_product_attention", at, at + 40);
  b.range(with_space ? "computing attention scores" : "computing_attention_scores", at, at + 10);
  kernel("ampere_sgemm_128x128_tn", 1, 100, 30, 48);
  kernel("elementwise_div", 3, 130, 10, 1);
  b.range(with_space ? "computing softmax" : "computing_softmax", at + 11, at + 31);
  kernel("softmax_warp_forward", 12, 140, softmax, 1);
  b.range(with_space ? "final matmul" : "final_matmul", at + 32, at + 37);
  kernel("ampere_sgemm_128x128_nn", 33, 300, 50, 48);
  kernel("copy", 38, 400, 7, 1);  // in the whole, in no part
}

TEST(Attention, PartsOnTheDeviceAndOnTheHost) {
  for (const bool with_space : {false, true}) {
    ReportBuilder b;
    attention_call(b, 0, with_space);
    attention_call(b, 1000, with_space);
    const Recorder r = analyzed(b.build());
    EXPECT_TRUE(has_values(r, {{"attention.time_ns{part=scores}", 80},
                               {"attention.time_ns{part=softmax}", 80},
                               {"attention.time_ns{part=values}", 100},
                               {"attention.time_ns{part=whole}", 274},
                               {"attention.product_time_ns{part=scores}", 60},
                               {"attention.host_time_ns{part=scores}", 20},
                               {"attention.host_time_ns{part=softmax}", 40},
                               {"attention.host_time_ns{part=values}", 10},
                               {"attention.range_count{part=softmax}", 2},
                               {"attention.kernel_count{part=scores}", 4},
                               {"attention.batched_products", 48}}));
    EXPECT_DOUBLE_EQ(*r.value("attention.time_ratio_softmax_to_matmul"), 80.0 / 180);
    EXPECT_DOUBLE_EQ(*r.value("attention.time_ratio_softmax_to_products"), 80.0 / 160);
    EXPECT_DOUBLE_EQ(*r.value("attention.host_time_ratio_softmax_to_matmul"), 40.0 / 30);
    EXPECT_TRUE(r.skips.empty());
  }
}

TEST(Attention, OverlappingKernelsCountOnce) {
  ReportBuilder b;
  attention_call(b, 0, false);
  const Row call = b.call(CallKind::kKernelLaunch, 20, 21);
  b.kernel("softmax_copy", 150, 200, {.stream = 8, .call = call});
  EXPECT_EQ(analyzed(b.build()).value("attention.time_ns", "part=softmax"), 60);  // 140..180 and 150..200
}

TEST(Attention, IterationsLeaveWarmUpOutAndGiveTheMedianOfTheRatio) {
  ReportBuilder b;
  attention_call(b, 0, false, 900);  // warm-up
  for (int i = 0; i < 3; ++i) {
    const std::int64_t at = 2000 * (i + 1);
    b.iteration(i, at - 10, at + 100);
    attention_call(b, at, false, 40 + 10 * i);
  }
  const Recorder r = analyzed(b.build(), {{"measure", "iterations"}});
  EXPECT_EQ(r.value("attention.range_count", "part=softmax"), 3);
  EXPECT_EQ(r.value("attention.time_ns", "part=softmax"), 150);
  EXPECT_DOUBLE_EQ(*r.value("attention.time_ratio_softmax_to_matmul"), 50.0 / 90);
  EXPECT_TRUE(equals(r.fact_of("attention.time_ratio_softmax_to_matmul")->samples, {40.0 / 90, 50.0 / 90, 60.0 / 90}));
  EXPECT_EQ(analyzed(b.build()).value("attention.range_count", "part=softmax"), 4);
}

TEST(Attention, FusedKernelsCannotBeSeparatedAndThatIsSaid) {
  ReportBuilder b;
  const Row call = b.call(CallKind::kKernelLaunch, 5, 6);
  b.kernel("void flash::flash_fwd_kernel<traits>", 100, 160, {.call = call});
  const Recorder r = analyzed(b.build());
  EXPECT_TRUE(contains(*r.skip_of("attention.time_ratio_softmax_to_matmul"), "cannot be separated"));
  EXPECT_EQ(r.value("attention.time_ns", "part=fused"), 60);
  EXPECT_EQ(r.attribute_of("attention.fused_kernel"), "flash::flash_fwd_kernel");
}

// FBGEMM's embeddings hold "gemm" in their name, paged attention is a fused kernel: the shared rules know both.
TEST(Attention, ProductsAndFusedKernelsAreClassesOfTheSharedRules) {
  ReportBuilder b;
  attention_call(b, 0, false);
  const double products = *analyzed(b.build()).value("attention.product_time_ns", "part=scores");
  const Row inside = b.call(CallKind::kKernelLaunch, 2, 3);
  b.kernel("fbgemm_gpu::split_embedding_forward", 300, 390, {.call = inside});
  EXPECT_EQ(analyzed(b.build()).value("attention.product_time_ns", "part=scores"), products);
  b.kernel("vllm::paged_attention_v2_kernel<float>", 400, 490, {.call = inside});
  const Recorder fused = analyzed(b.build());
  EXPECT_TRUE(fused.skip_of("attention.time_ratio_softmax_to_matmul"));
  EXPECT_EQ(fused.value("attention.time_ns", "part=fused"), 90);
}

TEST(Attention, AFusedKernelInsideAPartSpoilsTheSeparation) {
  ReportBuilder b;
  attention_call(b, 0, false);
  const Row call = b.call(CallKind::kKernelLaunch, 5, 6);
  b.kernel("fmha_cutlassF", 500, 560, {.call = call});
  const Recorder r = analyzed(b.build());
  EXPECT_TRUE(r.skip_of("attention.time_ratio_softmax_to_matmul"));
  EXPECT_EQ(r.value("attention.time_ns", "part=fused"), 60);
}

TEST(Attention, WithoutRangesOrTheirKernelsNothingIsGuessed) {
  ReportBuilder none;
  none.call(CallKind::kKernelLaunch, 0, 1);
  none.kernel("gemm", 10, 20, {.call = 0});
  EXPECT_TRUE(contains(*analyzed(none.build()).skip_of("attention.time_ratio_softmax_to_matmul"),
                       "measured ranges of: scores, softmax, values"));

  ReportBuilder graphs;
  graphs.range("computing_softmax", 0, 10);
  graphs.call(CallKind::kGraphLaunch, 2, 3);
  graphs.captured(col::kernels);
  graphs.graph(1, 10, 100, {.call = 0});
  const Recorder r = analyzed(graphs.build());
  EXPECT_TRUE(r.facts.empty());
  EXPECT_TRUE(contains(*r.skip_of("attention.time_ratio_softmax_to_matmul"), "CUDA graphs"));
}

void add_run(StudyBuilder& study, const std::string& path, StudyBuilder::LabelValues labels, double batched) {
  auto& run = study.report(path, std::move(labels));
  const std::pair<const char*, double> parts[] = {{"scores", 2e9}, {"softmax", 1e9}, {"values", 1e9}};
  for (const auto& [part, gpu] : parts) {
    const std::string dims = std::string("part=") + part;
    run.fact("attention.time_ns", gpu, dims).fact("attention.host_time_ns", gpu / 2, dims);
    run.fact("attention.range_count", 10, dims).fact("attention.kernel_count", 10, dims);
  }
  run.fact("attention.time_ratio_softmax_to_matmul", 1.0 / 3, {},
           {0.3, 0.31, 0.32, 0.33, 0.34, 0.35, 0.36, 0.37, 0.38, 0.39});
  if (batched > 0) run.fact("attention.batched_products", batched);
}

TEST(AttentionStudy, OperationsFromOptions) {
  StudyBuilder study;
  add_run(study, "a.sqlite", {}, 48);
  const Recorder r = concluded(study.build(), {{"batch", 4}, {"heads", 12}, {"tokens", 512}, {"head_dim", 64}});
  EXPECT_EQ(r.value("attention.flops", "part=scores", 0), 1610612736.0);
  EXPECT_EQ(r.value("attention.flops", "part=softmax", 0), 62914560.0);
  EXPECT_DOUBLE_EQ(*r.value("attention.flop_ratio_matmul_to_softmax", "", 0), 51.2);
  EXPECT_DOUBLE_EQ(*r.value("attention.flops_per_s", "part=scores", 0), 1610612736.0 * 10 / 2);
  ASSERT_EQ(r.findings.size(), 1U);
  EXPECT_EQ(r.findings[0].title,
            "Softmax takes 0.33 times the GPU time of both products with 1/51.2 of their operations");
  const Effect& effect = r.findings[0].effect->effect;
  EXPECT_EQ(effect.scope, Scope::kWithinRun);
  // Sign test, n = 10: P(X <= 1) = 11/1024 an end, so the 2nd and 9th of ten hold at 97.9 %, the 3rd and 8th only at 89
  // %.
  EXPECT_EQ(effect.lo, 0.31);
  EXPECT_EQ(effect.hi, 0.38);
}

TEST(AttentionStudy, ShapeFromLabelsAndBatchFromTheTrace) {
  StudyBuilder study;
  for (const char* label : {"patch", "dim", "px", "heads"}) study.label(label, StudyBuilder::kNumeric);
  add_run(study, "vit.sqlite", {{"patch", "16"}, {"dim", "768"}, {"px", "224"}, {"heads", "12"}}, 48);
  const Recorder r = concluded(study.build());
  const double pairs = 4.0 * 12 * 197 * 197;
  EXPECT_EQ(r.value("attention.flops", "part=values", 0), 2 * pairs * 64);
  EXPECT_EQ(r.value("attention.flops", "part=softmax", 0), 5 * pairs);
  EXPECT_TRUE(contains(r.findings[0].text, "heads, head_dim, tokens from the labels; batch from the trace"));
}

TEST(AttentionStudy, NamesWhatIsMissingAndAssumesNothing) {
  StudyBuilder study;
  study.label("dim", StudyBuilder::kNumeric);
  add_run(study, "a.sqlite", {{"dim", "768"}}, 48);
  const Recorder r = concluded(study.build());
  EXPECT_TRUE(r.facts.empty());
  ASSERT_EQ(r.skips.size(), 1U);
  EXPECT_TRUE(contains(r.skips[0].reason, "batch, heads, tokens, head_dim missing"));
  EXPECT_TRUE(contains(r.findings[0].text, "The shape is unknown"));
}

TEST(AttentionStudy, AShapeThatTheTraceDoesNotBearOutIsSaid) {
  StudyBuilder study;
  add_run(study, "a.sqlite", {}, 48);
  const Recorder r = concluded(study.build(), {{"batch", 8}, {"heads", 12}, {"tokens", 512}, {"head_dim", 64}});
  ASSERT_EQ(r.findings.size(), 2U);
  EXPECT_EQ(r.findings[1].role, FindingRole::kNote);
  EXPECT_TRUE(contains(r.findings[1].text, "Batch times heads is 96 by the shape"));
}

TEST(AttentionStudy, FusedAttentionIsAnAnswer) {
  StudyBuilder study;
  study.report("a.sqlite")
      .attribute("attention.fused_kernel", "flash_fwd")
      .fact("attention.time_ns", 5e6, "part=fused")
      .fact("attention.kernel_count", 12, "part=fused");
  const Recorder r = concluded(study.build());
  ASSERT_EQ(r.findings.size(), 1U);
  EXPECT_TRUE(contains(r.findings[0].title, "its parts cannot be separated"));
  EXPECT_TRUE(contains(r.findings[0].text, "12 launches"));
}

/// One attention call; with counters, softmax and one of the product's two kernels are measured.
void call_with_counters(ReportBuilder& b, bool counters) {
  const auto measured = [&](const char* name, double sm, double memory) {
    if (!counters) return kNone;
    const Row row = b.profiled(name);
    b.counter(row, "sm__throughput.avg.pct_of_peak_sustained_elapsed", sm, {.unit = "%"});
    b.counter(row, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", memory, {.unit = "%"});
    return row;
  };
  const auto kernel = [&](const char* range, const char* name, std::int64_t at, std::int64_t length, Row profiled) {
    b.range(range, at, at + 10);
    b.kernel(name, at + 100, at + 100 + length,
             {.call = b.call(CallKind::kKernelLaunch, at + 1, at + 2), .profiled = profiled});
  };
  kernel("computing_attention_scores", "sgemm_tn", 0, 30, measured("sgemm_tn", 85, 40));
  kernel("computing_softmax", "softmax_warp_forward", 200, 40, measured("softmax_warp_forward", 12, 88));
  kernel("final_matmul", "sgemm_nn", 400, 50, kNone);
}

TEST(AttentionCounters, SayWhatBoundsEachPart) {
  ReportBuilder b;
  call_with_counters(b, true);
  const Recorder r = analyzed(b.build());
  EXPECT_TRUE(has_values(r, {{"attention.bound_time_ratio{bound=compute;part=scores}", 1},
                             {"attention.bound_time_ratio{bound=memory;part=softmax}", 1},
                             {"attention.bound_time_ratio{bound=latency;part=softmax}", 0},
                             {"attention.bound_time_ratio{bound=unknown;part=values}", 1}}));
  ReportBuilder without;
  call_with_counters(without, false);
  EXPECT_FALSE(analyzed(without.build()).value("attention.bound_time_ratio", "bound=memory;part=softmax"));
}

TEST(AttentionCounters, AreEvidenceOfTheirOwn) {
  StudyBuilder study;
  auto& run = study.report("folder/a.sqlite").fact("attention.time_ratio_softmax_to_matmul", 0.5);
  for (const char* part : {"scores", "softmax", "values"}) {
    run.fact("attention.time_ns", 100, std::string("part=") + part);
    const bool softmax = part == std::string("softmax");
    run.fact("attention.bound_time_ratio", softmax ? 0 : 0.9, std::string("bound=compute;part=") + part);
    run.fact("attention.bound_time_ratio", softmax ? 1 : 0.1, std::string("bound=memory;part=") + part);
  }
  const Recorder r = concluded(study.build());
  ASSERT_EQ(r.findings.size(), 2U);
  EXPECT_EQ(r.findings[1].role, FindingRole::kEvidence);
  EXPECT_EQ(r.findings[1].title, "a: softmax is bound by memory 100.0 %");
  EXPECT_TRUE(contains(r.findings[1].text, "scores by compute 90.0 %, memory 10.0 %; softmax by memory 100.0 %"));
  EXPECT_EQ(r.findings[1].evidence.size(), 6U);
}

/// Operators of one attention call from `at` on: 10, 20 and 5 ns on the host, kernels of 30, 40 and 50 ns; between
/// scores and softmax a mask, around it all matmul and softmax, which are no names of parts or nest in them.
void attention_operators(ReportBuilder& b, std::int64_t at, std::uint32_t thread = 0) {
  const auto op = [&](const std::string& name, std::int64_t begin, std::int64_t end) {
    b.op(OpKind::kOperator, name, at + begin, at + end, {.thread = thread});
  };
  const auto kernel = [&](const std::string& name, std::int64_t call_at, std::int64_t start, std::int64_t length) {
    const Row call = b.call(CallKind::kKernelLaunch, at + call_at, at + call_at + 1, thread);
    b.kernel(name, at + start, at + start + length, {.call = call, .grid = {2, 1, 48}});
  };
  op("aten::matmul", 0, 11);
  op("aten::bmm", 0, 10);
  kernel("ampere_sgemm_128x128_tn", 1, 100, 30);
  op("aten::add", 11, 12);
  kernel("mask", 11, 130, 10);
  op("aten::softmax", 12, 32);
  op("aten::_softmax", 13, 31);
  kernel("softmax_warp_forward", 14, 140, 40);
  op("aten::bmm", 33, 38);
  kernel("ampere_sgemm_128x128_nn", 34, 300, 50);
}

TEST(AttentionByOperators, ProductsAroundASoftmaxAreItsScoresAndValues) {
  ReportBuilder b;
  attention_operators(b, 0);
  attention_operators(b, 1000);
  const Recorder r = analyzed(b.build());
  EXPECT_TRUE(has_values(r, {{"attention.range_count{part=scores}", 2},
                             {"attention.time_ns{part=scores}", 60},
                             {"attention.time_ns{part=softmax}", 80},
                             {"attention.time_ns{part=values}", 100}}));
  EXPECT_EQ(r.value("attention.host_time_ns", "part=softmax"), 40) << "the outer of nested ones";
  EXPECT_EQ(r.value("attention.batched_products"), 48);
  EXPECT_DOUBLE_EQ(*r.value("attention.time_ratio_softmax_to_matmul"), 80.0 / 160);
}

TEST(AttentionByOperators, ASoftmaxWithoutBothProductsIsNotAttention) {
  ReportBuilder b;
  b.op(OpKind::kOperator, "aten::_softmax", 0, 10);  // a router, before any product
  b.op(OpKind::kOperator, "aten::bmm", 20, 30);      // a product on its own
  attention_operators(b, 1000);
  b.op(OpKind::kOperator, "aten::_softmax", 2000, 2010);  // of a loss: the last product is values already
  const Row call = b.call(CallKind::kKernelLaunch, 2001, 2002);
  b.kernel("loss", 2100, 2200, {.call = call});
  b.op(OpKind::kOperator, "aten::bmm", 2020, 2030);
  const Recorder r = analyzed(b.build());
  for (const char* part : {"part=scores", "part=softmax", "part=values"})
    EXPECT_EQ(r.value("attention.range_count", part), 1) << part;
  EXPECT_EQ(r.value("attention.time_ns", "part=softmax"), 40);
}

TEST(AttentionByOperators, ThreadsAreApartAndRangesCountBeforeOperators) {
  ReportBuilder b;
  b.thread(1);
  b.thread(2);
  attention_operators(b, 0, 0);
  attention_operators(b, 5, 1);
  EXPECT_EQ(analyzed(b.build()).value("attention.range_count", "part=softmax"), 2);
  b.range("computing_softmax", 12, 32);
  const Recorder ranged = analyzed(b.build());
  EXPECT_EQ(ranged.value("attention.range_count", "part=softmax"), 1);
  EXPECT_EQ(ranged.value("attention.range_count", "part=scores"), std::nullopt);
}

}  // namespace assay::attention_softmax_matmul_test
