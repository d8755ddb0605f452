// Data types and attention by the names of kernels, and what compiled kernels say of depth and width.
#include "label_check_fixture.hpp"
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::label_check_kinds_test {

using namespace under_test::label_check;
using namespace testing;

const OptionInputs kKinds = {{"dtype_label", "dtype"}, {"attention_label", "attention"}};

TEST(LabelCheckKinds, TypesAndBackendsByNames) {
  ReportBuilder b;
  for (const char* name :
       {"nvjet_sm90_tst_64x40_64x16_4x2_h_bz_bias_TNT", "cutlass_80_tensorop_bf16_s16816gemm_bf16_128x128",
        "void implicit_convolve_sgemm<__nv_bfloat16, __nv_bfloat16, (int)128>", "ampere_sgemm_128x64_tn",
        "sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x256x32", "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n",
        "fmha_cutlassF_f32_aligned_64x64_rf_sm80", "ampere_fp16_s1688gemm_fp16_128x128",
        "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7",
        "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, cutlass::bfloat16_t>>",
        "softmax_warp_forward<float, float, float>", "cunn_SoftMaxForward<LogSoftMaxForwardEpilogue>",
        "vectorized_elementwise_kernel<float>"}) {
    b.kernel(name, 0, 10, {.grid = {1, 1, 1}});
  }
  const Recorder r = analyzed(b.build(), kKinds);
  EXPECT_EQ(r.attribute_of("label.dtypes"), "?*1,bf16*4,fp16*1,fp32*3,tf32*1");
  EXPECT_EQ(r.attribute_of("label.attention"), "cudnn*1,efficient*1,flash*1,math*1");
}

struct Kinds {
  std::string dtype, attention;
};

Kinds judged(const std::string& dtype, const std::string& dtypes, const std::string& attention,
             const std::string& backends, double compiled = 0) {
  StudyBuilder s;
  s.label("dtype").label("attention");
  auto& report = s.report("a", {{"dtype", dtype}, {"attention", attention}});
  report.attribute("label.dtypes", dtypes).attribute("label.attention", backends);
  report.fact("label.compiled_kernels", compiled).fact("graph.opaque_ratio", 0);
  const Recorder r = concluded(s.build(), kKinds);
  return {verdict(r, s, "a", "dtype"), verdict(r, s, "a", "attention")};
}

TEST(LabelCheckKinds, TheNameOfAType) {
  const auto dtype = [](const std::string& stated, const std::string& seen) {
    return judged(stated, seen, "flash", "flash*12").dtype;
  };
  EXPECT_EQ(dtype("bf16", "bf16*100"), "borne_out");
  EXPECT_EQ(dtype("BFloat16", "bf16*95,fp32*5"), "borne_out");
  EXPECT_EQ(dtype("fp16", "bf16*100"), "contradicted");
  EXPECT_EQ(dtype("fp32", "bf16*100"), "contradicted");
  EXPECT_EQ(dtype("bf16", "fp32*100"), "contradicted");
  EXPECT_EQ(dtype("fp32", "tf32*100"), "unverifiable") << "TF32 kernels multiply numbers of fp32";
  EXPECT_EQ(dtype("bf16", "bf16*50,fp32*50"), "unverifiable");
  EXPECT_EQ(dtype("fp16", "bf16*50,fp32*50"), "contradicted") << "mixed, and no kernel is of the type";
  EXPECT_EQ(dtype("bf16", "?*20,bf16*80"), "borne_out");
  EXPECT_EQ(dtype("fp16", "?*100"), "unverifiable");
  EXPECT_EQ(dtype("fp16", "?*60,bf16*40"), "unverifiable") << "most names hold no type";
  EXPECT_EQ(dtype("amp", "bf16*100"), "unverifiable");
}

TEST(LabelCheckKinds, TheNameOfABackend) {
  const auto attention = [](const std::string& stated, const std::string& seen, double compiled = 0) {
    return judged("bf16", "bf16*1", stated, seen, compiled).attention;
  };
  EXPECT_EQ(attention("flash", "flash*24"), "borne_out");
  EXPECT_EQ(attention("flash", "flash*24,math*1"), "borne_out") << "the softmax of a loss";
  EXPECT_EQ(attention("math", "math*24"), "borne_out");
  EXPECT_EQ(attention("flash", "math*24"), "contradicted");
  EXPECT_EQ(attention("flash", "math*24", 100), "unverifiable") << "compiled kernels may hold the attention";
  EXPECT_EQ(attention("math", "flash*24"), "contradicted");
  EXPECT_EQ(attention("efficient", "flash*24"), "contradicted");
  EXPECT_EQ(attention("flash", "cudnn*24"), "unverifiable") << "cuDNN has a flash attention too";
  EXPECT_EQ(attention("sdpa", "flash*24"), "unverifiable");
}

// --- compiled runs

/// Compiled runs of a model with 788 blocks of two rows, 2 * depth + 3 norms, and gelu blocks of 512 values.
struct CompiledRuns {
  StudyBuilder s;

  CompiledRuns() {
    for (const char* label : {"px", "batch"}) s.label(label, StudyBuilder::kNumeric, kChangesKernels | kChangesCopies);
    for (const char* label : {"patch", "depth", "dim"}) s.label(label, StudyBuilder::kNumeric, kChangesKernels);
  }

  void run(const std::string& path, int named_depth, int named_dim, int depth, int dim, const char* patch = "16") {
    auto& report = s.report(path, {{"px", "224"},
                                   {"batch", "8"},
                                   {"patch", patch},
                                   {"depth", std::to_string(named_depth)},
                                   {"dim", std::to_string(named_dim)}});
    report.fact("label.h2d_bytes", 12.0 * 8 * 224 * 224).fact("iteration.count", 10).fact("graph.opaque_ratio", 0);
    report.fact("iteration.kernel_count", 10 * depth + 10).fact("label.compiled_kernels", 100.0 * depth);
    report.attribute("label.compiled_row_grids", "50*10,788*" + std::to_string((2 * depth + 2) * 10));
    report.attribute("label.compiled_width_grids",
                     std::to_string(1576 * 4 * dim / 512) + "*" + std::to_string(depth * 10));
    report.attribute("fingerprint", "kernels=" + std::to_string(depth) + "x" + std::to_string(dim));
  }

  Recorder judged() {
    return concluded(s.build(), {{"input_bytes", "4 * 3 * batch * px * px"},
                                 {"grid_rows", "batch * ((px / patch) * (px / patch) + 1)"},
                                 {"grid_widths", "(rows * 4 * dim + 1023) / 1024"},
                                 {"row_launches", "2 * depth + 1"}});
  }
};

TEST(LabelCheckCompiled, ARunUnderTheNameOfAnother) {  // 250 kernels per iteration against 130
  CompiledRuns c;
  c.run("a", 6, 384, 6, 384);
  c.run("b", 12, 1280, 12, 1280);
  c.run("c", 18, 768, 18, 768);
  c.run("d", 12, 768, 24, 1024);
  const Recorder r = c.judged();
  EXPECT_EQ(verdict(r, c.s, "d", "depth"), "contradicted");
  EXPECT_EQ(shown(r, c.s, "d", "depth"), 24);
  EXPECT_EQ(r.value("label.conflict", "label=dim", static_cast<Row>(c.s.row("d"))), 1)
      << "of blocks of two rows the width is known but for the rows";
  for (const char* honest : {"a", "b", "c"}) {
    EXPECT_EQ(verdict(r, c.s, honest, "depth"), "borne_out") << honest;
    EXPECT_NE(verdict(r, c.s, honest, "dim"), "contradicted") << honest;
  }
}

TEST(LabelCheckCompiled, RowsButForAPowerOfTwo) {
  CompiledRuns c;
  c.run("a", 6, 384, 6, 384);
  c.run("b", 12, 768, 12, 768);
  c.run("c", 18, 768, 18, 768, "32");  // 400 rows would be 400, 200, 100 ... blocks
  const Recorder r = c.judged();
  for (const char* label : {"patch", "px", "batch"}) {
    const std::string dims = std::string("label=") + label;
    EXPECT_EQ(r.value("label.conflict", dims, static_cast<Row>(c.s.row("c"))), 1) << "they may fit 16 by chance";
    EXPECT_FALSE(r.value("label.conflict", dims, static_cast<Row>(c.s.row("a"))).has_value());
  }
}

TEST(LabelCheckCompiled, JudgesNoRunWithoutThreeAgreeing) {
  CompiledRuns c;
  c.run("a", 6, 384, 6, 384);
  c.run("b", 12, 768, 24, 768);
  const Recorder r = c.judged();
  EXPECT_EQ(verdict(r, c.s, "a", "depth"), "unverifiable");
  EXPECT_EQ(verdict(r, c.s, "b", "depth"), "unverifiable");
}

}  // namespace assay::label_check_kinds_test
