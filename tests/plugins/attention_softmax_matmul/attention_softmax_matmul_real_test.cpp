// attention_softmax_matmul on real reports. Expected numbers: SQL over the same files (launches nested in the ranges on
// one thread).
#include "plugins/analyzers.hpp"
#include "plugins/real_report.hpp"
#include "plugins/with_kernel_rules.hpp"
#include "support/test.hpp"

namespace assay::attention_softmax_matmul_real_test {

testing::Recorder analyzed(const Report& report, const testing::OptionInputs& options = {}) {
  return under_test::attention_softmax_matmul::analyzed(report, testing::with_rules(options));
}
using under_test::attention_softmax_matmul::descriptor;

using namespace testing;

struct ExpectedPart {
  const char* part;
  double ranges, kernels, gpu, host;
};

void expect_parts(const Recorder& r, std::initializer_list<ExpectedPart> parts) {
  for (const ExpectedPart& e : parts) {
    const std::string dims = std::string("part=") + e.part;
    EXPECT_EQ(r.value("attention.range_count", dims), e.ranges) << e.part;
    EXPECT_EQ(r.value("attention.kernel_count", dims), e.kernels) << e.part;
    EXPECT_EQ(r.value("attention.time_ns", dims), e.gpu) << e.part;
    EXPECT_EQ(r.value("attention.host_time_ns", dims), e.host) << e.part;
  }
}

TEST(AttentionReal, VisionTransformerInItsWindow) {
  ASSAY_REAL_FILE(file, "examples", "attention/gpu0_numa0_vit16x12x768_attn_224px.sqlite");
  const RealReport real(descriptor, *file, "test_double_buffer", "test_vit_forward_{i}");
  const Recorder r = analyzed(real.report());
  expect_parts(r, {{"scores", 120, 480, 3533217, 14205891},
                   {"softmax", 120, 120, 620128, 2663046},
                   {"values", 120, 240, 2000417, 7380529},
                   {"whole", 120, 840, 6153762, 25839416}});
  EXPECT_EQ(r.value("attention.batched_products"), 48);
  EXPECT_EQ(r.fact_of("attention.time_ratio_softmax_to_matmul")->samples.size(), 10U);
  EXPECT_NEAR(*r.value("attention.time_ratio_softmax_to_matmul"), 620128.0 / (3533217 + 2000417), 0.002);
}

TEST(AttentionReal, TransformerForwardWithWarmUp) {
  ASSAY_REAL_FILE(file, "examples", "transformer/small_forward_ctx512.sqlite");
  const RealReport real(descriptor, *file, "", "");
  const Recorder r = analyzed(real.report());
  expect_parts(r, {{"scores", 156, 1092, 21772491, 120187589},
                   {"softmax", 156, 780, 22768554, 95245433},
                   {"values", 156, 312, 7984003, 8414257}});
  EXPECT_DOUBLE_EQ(*r.value("attention.time_ratio_softmax_to_matmul"), 22768554.0 / (21772491 + 7984003));
  EXPECT_EQ(r.value("attention.product_time_ns", "part=scores"), 8142659);
  EXPECT_EQ(r.value("attention.product_time_ns", "part=values"), 6827299);
}

TEST(AttentionReal, NamesWithSpaces) {
  ASSAY_REAL_FILE(file, "public", "nsys/cs336_zx_a100_2.7B_nvtx_2024.6.sqlite");
  const RealReport real(descriptor, *file, "", "");
  const Recorder r = analyzed(real.report());
  expect_parts(r, {{"scores", 128, 512, 85447185, 110346698},
                   {"softmax", 128, 640, 94015966, 350581609},
                   {"values", 128, 256, 67702095, 18391754},
                   {"whole", 128, 1408, 247165246, 482703462}});
  EXPECT_EQ(r.value("attention.batched_products"), 128);
}

void expect_fused(const Recorder& r, double calls, double gpu, double host) {
  EXPECT_EQ(r.value("attention.range_count", "part=whole"), calls);
  EXPECT_EQ(r.value("attention.host_time_ns", "part=whole"), host);
  for (const char* part : {"part=whole", "part=fused"}) {
    EXPECT_EQ(r.value("attention.kernel_count", part), calls) << part;
    EXPECT_EQ(r.value("attention.time_ns", part), gpu) << part;
  }
  EXPECT_EQ(r.value("attention.time_ratio_softmax_to_matmul"), std::nullopt);
  ASSERT_EQ(r.skips.size(), 1U);
  EXPECT_NE(r.skips[0].reason.find("attention runs as fused kernels"), std::string::npos) << r.skips[0].reason;
}

// Of PyTorch traces the parts are operators. Expected numbers: Python over the JSON (tests/recomputed/check_torch.py).
TEST(AttentionReal, OperatorsOfPyTorchTracesInTheirSteps) {
  const auto file = data_file("examples", "torch/baseline_bs1_is224.pt.trace.json.gz");
  const auto half = data_file("examples", "torch/vit_eval_fp16.pt.trace.json.gz");
  if (!file) GTEST_SKIP() << "ASSAY_EXAMPLES is not set: the bundled reports are not unpacked";
  const OptionInputs steps = {{"measure", "iterations"}};
  expect_fused(analyzed(RealReport(descriptor, *file, "", "ProfilerStep#{i}").report(), steps), 36, 1037087, 1922593);
  expect_fused(analyzed(RealReport(descriptor, *half, "", "ProfilerStep#{i}").report(), steps), 36, 229827, 3870574);
}

TEST(AttentionReal, OperatorsOfPyTorchTracesOfNvidiaAndAmd) {
  const auto nvidia = data_file("public", "torch/tl_h100_bert_small.json.gz");
  const auto amd = data_file("public", "torch/tl_mi300_bert_small.json.gz");
  if (!nvidia) GTEST_SKIP() << "ASSAY_DATA has no folder public: the public reports are not unpacked";
  expect_fused(analyzed(RealReport(descriptor, *nvidia, "", "").report()), 4, 37408, 226663);
  expect_fused(analyzed(RealReport(descriptor, *amd, "", "").report()), 4, 113656, 259621);
}

}  // namespace assay::attention_softmax_matmul_real_test
