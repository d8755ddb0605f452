// Which operator owns which kernels, and what follows from its model: on made traces.
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::roofline::operator_roofline_test {

using under_test::operator_roofline::analyzed;

using namespace testing;

constexpr const char* kTypes = R"(["c10::BFloat16", "c10::BFloat16"])";
/// 1024 x 1024 x 1024: 2.147 GFLOP, 6.3 MB.
constexpr const char* kSquare = "[[1024, 1024], [1024, 1024]]";
constexpr double kFlops = 2.0 * 1024 * 1024 * 1024;
constexpr const char* kMm = "operator=aten::mm;shapes=1024x1024, 1024x1024 bf16";

/// A device of 100 TFLOP/s in bf16 and 1 TB/s, whose rates follow from its units and clock.
void add_device(ReportBuilder& b) {
  b.device(0, {.name = "made",
               .sm_count = 100,
               .compute_major = 9,
               .compute_minor = 0,
               .memory_bandwidth = 1000000000000,
               .clock_rate = 244140625});  // x 100 x 4096 = 1e14
}

/// An operator from `start` on, and a launch inside it at `start + 1` whose kernel takes `time`.
void add_op(ReportBuilder& b, const char* name, std::int64_t start, std::int64_t time, const char* dims = kSquare,
            const char* types = kTypes, const char* kernel = "gemm") {
  b.op(OpKind::kOperator, name, start, start + 10, {.input_dims = dims, .input_types = types});
  const Row call = b.call(CallKind::kKernelLaunch, start + 1, start + 2);
  b.kernel(kernel, 1000 * start, 1000 * start + time, {.call = call});
}

TEST(OperatorRoofline, ComparesAnOperatorWithItsRoof) {
  ReportBuilder b("a.pt.trace.json");
  add_device(b);
  b.op(OpKind::kAnnotation, "ProfilerStep#1", 0, 200);
  add_op(b, "aten::mm", 10, 42949);
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(r.value("operator.time_ns", kMm), 42949);
  EXPECT_EQ(r.value("operator.count", kMm), 1);
  EXPECT_EQ(r.value("operator.flops", kMm), kFlops);
  EXPECT_EQ(r.value("operator.least_bytes", kMm), 3 * 2 * 1024 * 1024);
  EXPECT_NEAR(*r.value("operator.flops_per_s", kMm), 5e13, 1e9);
  EXPECT_NEAR(*r.value("operator.roof_ratio", kMm), 0.5, 1e-4) << "1e14 FLOP/s are possible";
  EXPECT_NEAR(*r.value("operator.above_roof_ns", kMm), 42949 - kFlops / 1e5, 1e-6);
  EXPECT_TRUE(has_values(
      r, {{"operator.unmodelled_time_ratio", 0}, {"peak.flops_per_s{type=fp16}", 1e14}, {"peak.bytes_per_s", 1e12}}));
  const auto* table = r.table_of("operator_rooflines");
  ASSERT_NE(table, nullptr);
}

/// Layers with a sliding window run another kernel; without the range nothing says how long the caches are.
TEST(OperatorRoofline, AttentionOverCachesTakesItsLengthsFromTheStepAroundIt) {
  const char* dims = "[[2, 4, 16], [2, 2, 16], [2, 2, 16]]";
  const char* types = R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16"])";
  for (const bool named : {true, false}) {
    ReportBuilder b("a.pt.trace.json");
    add_device(b);
    if (named) b.range("execute_2_context_0(sq0sk0sqsq0sqsk0)_generation_2(sq2sk19sqsq2sqsk19)", 0, 100);
    add_op(b, "vllm::unified_attention", 10, 500, dims, types, "void attn_3d<16>(int)");
    add_op(b, "vllm::unified_attention", 30, 400, dims, types, "attn_2d");
    const Recorder r = analyzed(b.build());
    for (const char* kernel : {"attn_3d", "attn_2d"}) {
      const std::string row =
          "operator=vllm::unified_attention;shapes=2x4x16, 2x2x16, 2x2x16 bf16, " + std::string(kernel);
      EXPECT_EQ(r.value("operator.flops", row), named ? std::optional(4.0 * 4 * 16 * 19) : std::nullopt) << kernel;
    }
    EXPECT_EQ(r.value("operator.unmodelled_time_ratio"), named ? 0 : 1);
  }
}

/// aten::linear has a formula, so that what it calls is its own, and counts once.
TEST(OperatorRoofline, TheOutermostOperatorWithAFormulaOwnsItsKernels) {
  ReportBuilder b("a.pt.trace.json");
  add_device(b);
  b.op(OpKind::kOperator, "aten::linear", 0, 100, {.input_dims = kSquare, .input_types = kTypes});
  add_op(b, "aten::mm", 10, 20000);
  const Row second = b.call(CallKind::kKernelLaunch, 50, 51);
  b.kernel("split_k", 20000, 35000, {.stream = 8, .call = second});  // beside the first for 10 us
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(r.value("operator.time_ns", "operator=aten::linear;shapes=1024x1024, 1024x1024 bf16"), 25000)
      << "the union of its kernels, not their sum of 35 us";
  EXPECT_FALSE(r.value("operator.time_ns", kMm));
  EXPECT_EQ(r.value("operator.time_ns"), 25000);
}

TEST(OperatorRoofline, ReportsOperatorsWithoutModelWithAReason) {
  ReportBuilder b("a.pt.trace.json");
  add_device(b);
  add_op(b, "aten::mm", 0, 50000);
  add_op(b, "my::secret", 100, 30000);
  add_op(b, "aten::mm", 200, 15000, "[[1024, 1024], [7, 1024]]");
  add_op(b, "aten::add", 300, 4000, "", "");
  b.kernel("graph_kernel", 400000, 401000);
  const Recorder r = analyzed(b.build());
  EXPECT_DOUBLE_EQ(*r.value("operator.unmodelled_time_ratio"), 0.5);
  EXPECT_DOUBLE_EQ(*r.value("operator.unmodelled_time_ratio", "reason=no_formula"), 0.3);
  EXPECT_DOUBLE_EQ(*r.value("operator.unmodelled_time_ratio", "reason=operands"), 0.15);
  EXPECT_DOUBLE_EQ(*r.value("operator.unmodelled_time_ratio", "reason=no_shapes"), 0.04);
  EXPECT_DOUBLE_EQ(*r.value("operator.unmodelled_time_ratio", "reason=no_operator"), 0.01);
}

/// An operator that states its own work, with a kernel of 100 us.
void add_stated(ReportBuilder& b, std::int64_t start, const OpOptions& work, const char* name = "dot_general") {
  b.op(OpKind::kOperator, name, start, start + 10, work);
  const Row call = b.call(CallKind::kKernelLaunch, start + 1, start + 2);
  b.kernel("fusion", 1000 * start, 1000 * start + 100000, {.call = call});
}

TEST(OperatorRoofline, TakesTheWorkThatAProfileStates) {
  ReportBuilder b("a.xplane.pb");
  add_device(b);
  const OpOptions product{.input_dims = "[[8, 16], [16, 4]]",
                          .input_types = R"(["f32", "f32"])",
                          .flops = 1e9,
                          .least_bytes = 1e6,
                          .work_kind = "matrix product",
                          .arithmetic = "tf32"};
  add_stated(b, 100, product);
  add_stated(b, 400, product);
  add_stated(b, 700, {.flops = 5, .least_bytes = 5e7, .work_kind = "elementwise"}, "add");
  add_stated(b, 1000, {.flops = -1, .least_bytes = 1}, "negative");
  add_stated(b, 1300, {.flops = 1, .least_bytes = 1e300}, "endless");
  const Recorder r = analyzed(b.build());
  const char* const dims = "operator=dot_general;shapes=8x16, 16x4 fp32";
  EXPECT_EQ(r.value("operator.count", dims), 2);
  EXPECT_EQ(r.value("operator.flops", dims), 1e9);
  EXPECT_NEAR(*r.value("operator.roof_ratio", dims), 0.2, 1e-6) << "20 us at half of 1e14 FLOP/s";
  EXPECT_NEAR(*r.value("operator.roof_ratio", "operator=add;shapes="), 0.5, 1e-6) << "50 us at 1 TB/s";
  EXPECT_EQ(r.value("operator_kind.count", "kind=matrix product"), 2);
  EXPECT_DOUBLE_EQ(*r.value("operator.unmodelled_time_ratio"), 0.4) << "what no device holds is no work";
}

TEST(OperatorRoofline, OwnFormulasComeBeforeTheWorkThatAProfileStates) {
  ReportBuilder b("a.xplane.pb");
  add_device(b);
  add_stated(b, 100, {.input_dims = "[[8]]", .input_types = R"(["f32"])", .flops = 7, .least_bytes = 7});
  const Recorder r = analyzed(b.build(), {{"own_formulas", std::vector<std::string>{"dot_general | 3 * n0 | b0"}}});
  EXPECT_EQ(r.value("operator.flops", "operator=dot_general;shapes=8 fp32"), 24);
}

TEST(OperatorRoofline, TypesOfListsComeFromTheKernel) {
  ReportBuilder b("a.pt.trace.json");
  add_device(b);
  add_op(b, "aten::cat", 0, 1000, "[[[64, 64], [64, 64]], []]", R"(["TensorList", "Scalar"])",
         "CatArrayBatchedCopy<OpaqueType<2u> >");
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(r.value("operator.least_bytes", "operator=aten::cat;shapes=2 of 64x64 bf16"), 2 * 2 * 2 * 64 * 64);
}

TEST(OperatorRoofline, Fp32ProductsRunOnTf32WhereTheKernelSaysSo) {
  const auto ratio = [](const char* kernel) {
    ReportBuilder b("a.pt.trace.json");
    add_device(b);
    add_op(b, "aten::mm", 0, 1000000, kSquare, R"(["float", "float"])", kernel);
    return *analyzed(b.build()).value("operator.roof_ratio", "operator=aten::mm;shapes=1024x1024, 1024x1024 fp32");
  };
  const double simt = ratio("cutlass_80_simt_sgemm"), tf32 = ratio("sm90_xmma_gemm_f32f32_tf32f32");
  EXPECT_NEAR(simt, kFlops / (1e14 / 16) * 1e3, 1e-6) << "256 FLOPs a clock, not 4,096";
  EXPECT_NEAR(tf32, kFlops / (1e14 / 2) * 1e3, 1e-6);
}

TEST(OperatorRoofline, MfuIsOfTheStepAndHfuWithWhatIsRecomputed) {
  ReportBuilder b("a.pt.trace.json");
  add_device(b);
  for (const std::int64_t step : {0, 100}) {
    b.range("ProfilerStep#" + std::to_string(step / 100), step, step + 100);
    b.op(OpKind::kOperator, "aten::mm", step + 1, step + 10, {.input_dims = kSquare, .input_types = kTypes});
    b.kernel("gemm", step + 5, step + 35, {.call = b.call(CallKind::kKernelLaunch, step + 2, step + 3)});
    if (step == 0) continue;
    b.op(OpKind::kOperator, "CheckpointFunctionBackward", 140, 160);
    b.op(OpKind::kOperator, "aten::mm", 141, 150, {.input_dims = kSquare, .input_types = kTypes});
    b.kernel("gemm", 145, 175, {.call = b.call(CallKind::kKernelLaunch, 143, 144)});
  }
  const Recorder r = analyzed(b.build());
  const auto* mfu = r.fact_of("step.mfu_ratio");
  const auto* hfu = r.fact_of("step.hfu_ratio");
  ASSERT_NE(mfu, nullptr);
  ASSERT_NE(hfu, nullptr);
  ASSERT_EQ(mfu->samples.size(), 2U);
  EXPECT_DOUBLE_EQ(hfu->samples[0], mfu->samples[0]);
  EXPECT_DOUBLE_EQ(hfu->samples[1], 2 * mfu->samples[1]) << "the second step computes its product twice";
}

/// A step of 1 ms with a product in that type.
Recorder product_of(const char* types, const char* kernel, const char* name = "aten::mm", const char* dims = kSquare) {
  ReportBuilder b("a.pt.trace.json");
  add_device(b);
  b.range("ProfilerStep#1", 0, 1000000);
  b.op(OpKind::kOperator, name, 1, 10, {.input_dims = dims, .input_types = types});
  b.kernel(kernel, 5, 999000, {.call = b.call(CallKind::kKernelLaunch, 2, 3)});
  return analyzed(b.build());
}

TEST(OperatorRoofline, MfuIsOfTheBf16PeakWhateverTypeTheProductsRanIn) {
  constexpr double kMfu = kFlops / 1e14 * 1e3;  // of 1 ms
  const auto expect = [&](const char* types, const char* kernel, double of_roof) {
    const Recorder r = product_of(types, kernel);
    EXPECT_NEAR(*r.value("step.mfu_ratio"), kMfu, 1e-9) << kernel;
    EXPECT_NEAR(*r.value("step.hfu_ratio"), kMfu, 1e-9) << kernel;
    EXPECT_NEAR(*r.value("step.compute_roof_ratio"), of_roof, 1e-9) << kernel;
    EXPECT_EQ(r.attribute_of("step.mfu_peak"), "dense bf16/fp16 peak, 100 TFLOP/s");
  };
  expect(kTypes, "gemm", kMfu);
  expect(R"(["float", "float"])", "sm90_xmma_gemm_f32f32_tf32f32", 2 * kMfu);
  expect(R"(["float", "float"])", "cutlass_80_simt_sgemm", 16 * kMfu);
  const Recorder fp8 =
      product_of(R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn", "float", "float", "", "", "Scalar", "Scalar"])",
                 "gemm", "aten::_scaled_mm", "[[1024, 1024], [1024, 1024], [], [], [], [], [], []]");
  EXPECT_NEAR(*fp8.value("step.mfu_ratio"), kMfu / 2, 1e-9);
  EXPECT_EQ(fp8.attribute_of("step.mfu_peak"), "dense fp8 peak, 200 TFLOP/s");
}

TEST(OperatorRoofline, RunsOfAQuestionHaveOneDenominator) {
  const auto titles = [](bool fp8) {
    StudyBuilder study;
    for (const bool in_fp8 : {false, true}) {
      study.report(in_fp8 ? "fast" : "slow", {})
          .attribute("step.mfu_peak", in_fp8 && fp8 ? "dense fp8 peak, 2 PFLOP/s" : "dense bf16/fp16 peak, 1 PFLOP/s")
          .fact("operator.time_ns", 100)
          .fact("operator_kind.time_ns", 50, "kind=matrix product")
          .fact("operator.unmodelled_time_ratio", 0)
          .fact("peak.flops_per_s", 1e15, "type=fp16")
          .fact("peak.flops_per_s", 2e15, "type=fp8")
          .fact("step.mfu_ratio", 0.4);
    }
    std::string all;
    for (const auto& finding : under_test::operator_roofline::concluded(study.build()).findings)
      all += finding.title + "\n";
    return all;
  };
  EXPECT_TRUE(contains_all(titles(false), {"slow: 50 % of the operators' GPU time is matrix product, MFU 40.0 %",
                                           "fast: 50 % of the operators' GPU time is matrix product, MFU 40.0 %"}));
  EXPECT_TRUE(contains_all(titles(true), {"slow: 50 % of the operators' GPU time is matrix product, MFU 20.0 %",
                                          "fast: 50 % of the operators' GPU time is matrix product, MFU 40.0 %"}))
      << titles(true);
}

TEST(OperatorRoofline, ForwardOperatorsInABackwardAreRecomputed) {
  ReportBuilder b("a.pt.trace.json");
  add_device(b);
  b.range("ProfilerStep#1", 0, 1000);
  const auto product = [&](const char* name, std::int64_t start) {
    b.op(OpKind::kOperator, name, start, start + 10, {.input_dims = kSquare, .input_types = kTypes});
    b.kernel("gemm", start + 5, start + 35, {.call = b.call(CallKind::kKernelLaunch, start + 2, start + 3)});
  };
  product("aten::linear", 10);
  b.op(OpKind::kOperator, "autograd::engine::evaluate_function: AddmmBackward0", 100, 400);
  b.op(OpKind::kOperator, "AddmmBackward0", 101, 399);
  product("aten::linear", 110);  // a checkpoint that is not reentrant fills the saved tensors
  product("aten::mm", 200);      // the backward itself
  product("aten::mm", 300);
  b.op(OpKind::kOperator, "OwnLinearBackward", 500, 600);
  product("aten::matmul", 510);  // the backward of a function of one's own
  const Recorder r = analyzed(b.build());
  EXPECT_NEAR(*r.value("step.hfu_ratio") / *r.value("step.mfu_ratio"), 5.0 / 4, 1e-9);
}

TEST(OperatorRoofline, ReportsThatThereIsNoMfuWithoutAPeak) {
  ReportBuilder b("a.pt.trace.json");
  b.device(0, {.name = "a device that nobody knows"});
  b.op(OpKind::kAnnotation, "ProfilerStep#1", 0, 200);
  add_op(b, "aten::mm", 10, 1000);
  const Recorder r = analyzed(b.build());
  EXPECT_FALSE(r.value("step.mfu_ratio"));
  EXPECT_TRUE(contains(*r.skip_of("step.mfu_ratio, step.hfu_ratio"), "fp16 peak of a device that nobody knows"));
  EXPECT_FALSE(r.value("operator.roof_ratio"));
  EXPECT_TRUE(r.value("operator.flops_per_s", kMm)) << "the rate itself needs no peak";
  const Recorder told = analyzed(b.build(), {{"device", "NVIDIA H100 80GB HBM3"}});
  EXPECT_TRUE(told.value("step.mfu_ratio"));
  const Recorder measured = analyzed(b.build(), {{"measured", std::vector<std::string>{"memory: 1e12", "bf16: 1e14"}}});
  EXPECT_NEAR(*measured.value("operator.roof_ratio"), kFlops / 1e5 / 1000, 1e-6);
}

TEST(OperatorRoofline, CountersStandBesideTheModel) {
  ReportBuilder b("a.pt.trace.json");
  add_device(b);
  const Row counted = b.profiled("gemm");
  b.counter(counted, "sm__ops_path_tensor_src_bf16_dst_fp32.sum", 2 * kFlops, {.unit = "inst"});
  b.counter(counted, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed", 0,
            {.unit = "inst/cycle"});
  b.counter(counted, "smsp__cycles_elapsed.avg.per_second", 1e9, {.unit = "hz"});
  b.counter(counted, "gpu__time_duration.sum", 1000, {.unit = "ns"});
  b.counter(counted, "dram__bytes_read.sum", 4e6, {.unit = "byte"});
  b.counter(counted, "dram__bytes_write.sum", 2e6, {.unit = "byte"});
  b.op(OpKind::kOperator, "aten::mm", 0, 10, {.input_dims = kSquare, .input_types = kTypes});
  b.kernel("gemm", 5, 1005, {.call = b.call(CallKind::kKernelLaunch, 1, 2), .profiled = counted});
  const Recorder r = analyzed(b.build());
  EXPECT_DOUBLE_EQ(*r.value("operator.counted_flops_ratio", kMm), 2);
  EXPECT_DOUBLE_EQ(*r.value("operator.counted_bytes_ratio", kMm), 6e6 / (6.0 * 1024 * 1024));
}

TEST(OperatorRoofline, FormulasOfOnesOwnAreOptions) {
  ReportBuilder b("a.pt.trace.json");
  add_device(b);
  add_op(b, "my::mlp", 0, 1000);
  const Recorder r =
      analyzed(b.build(), {{"own_formulas", std::vector<std::string>{"my::mlp | 2 * n0 * d1_1 | b0 + b1 | matrix"}}});
  EXPECT_EQ(r.value("operator.flops", "operator=my::mlp;shapes=1024x1024, 1024x1024 bf16"), kFlops);
  EXPECT_THROW(analyzed(b.build(), {{"own_formulas", std::vector<std::string>{"my::mlp"}}}), std::runtime_error);
  EXPECT_THROW(analyzed(b.build(), {{"measured", std::vector<std::string>{"fast"}}}), std::runtime_error);
}

TEST(OperatorRoofline, SaysWhatAProfileLacks) {
  ReportBuilder no_ops("a.sqlite");
  no_ops.kernel("k", 0, 10);
  EXPECT_TRUE(
      contains(*analyzed(no_ops.build()).skip_of("operator.*, step.mfu_ratio, step.hfu_ratio"), "no operators"));
}

}  // namespace assay::roofline::operator_roofline_test
