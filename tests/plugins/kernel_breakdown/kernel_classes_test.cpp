#include "assay/algo/kernel_classes.hpp"

#include "plugins/kernel_rules.hpp"
#include "support/test.hpp"

namespace assay::kernel_classes_test {

NameRules rules(const std::vector<std::string>& texts) {
  const std::vector<Str> views(texts.begin(), texts.end());
  return NameRules(views);
}

TEST(NameRules, FirstRuleThatHoldsGivesTheClass) {
  const NameRules r = rules({"softmax: softmax", "matmul: gemm | nvjet", "other: gemm"});
  EXPECT_EQ(r.class_of("ampere_sgemm_128x64_tn"), "matmul");
  EXPECT_EQ(r.class_of("fused_gemm_softmax"), "softmax");
  EXPECT_EQ(r.class_of("saxpy"), "unknown");
  EXPECT_TRUE(equals(r.classes(), {"softmax", "matmul", "other"}));
}

TEST(NameRules, AndNotAndCase) {
  const NameRules r = rules({"a: GEMM & !tf32 & sm80", "b: at::native:: | x"});
  EXPECT_EQ(r.class_of("SM80_Gemm"), "a");
  EXPECT_EQ(r.class_of("sm80_gemm_TF32"), "unknown");
  EXPECT_EQ(r.class_of("gemm"), "unknown");
  EXPECT_EQ(r.class_of("void at::native::reduce"), "b");  // only the first ':' ends the class
}

TEST(NameRules, RulesForACapabilityDoNotFitUnknownOnes) {
  const NameRules r = rules({"yes @9.0: fmha", "old: fmha"});
  EXPECT_EQ(r.class_of("fmha", {9, 0}), "yes");
  EXPECT_EQ(r.class_of("fmha", {10, 0}), "yes");
  EXPECT_EQ(r.class_of("fmha", {8, 9}), "old");
  EXPECT_EQ(r.class_of("fmha"), "old");
}

TEST(NameRules, MistakesAreOneSentenceThatNamesTheRule) {
  const auto sentence = [](const std::string& text) -> std::string {
    try {
      rules({text});
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "nothing";
  };
  EXPECT_TRUE(contains(sentence("gemm"), "'gemm' has no ':'"));
  EXPECT_TRUE(contains(sentence(": gemm"), "names no class"));
  EXPECT_TRUE(contains(sentence("a: gemm |"), "empty word"));
  EXPECT_TRUE(contains(sentence("a: gemm & !"), "empty word"));
  EXPECT_TRUE(contains(sentence("a @9: gemm"), "capability like 9.0"));
  EXPECT_TRUE(contains(sentence("a @9.x: gemm"), "capability like 9.0"));
  EXPECT_TRUE(contains(sentence("unknown: gemm"), "'unknown'"));
}

TEST(KernelClassesFile, GivesRealKernelsTheirClass) {
  const NameRules classes = rules(testing::kernel_rules("rules"));
  const std::pair<const char*, const char*> expected[] = {
      {"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x64x8_stage3_ffma_execute_kernel__5x_cublas", "matmul"},
      {"void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>(T1::Params)", "matmul"},
      {"nvjet_sm90_tst_128x72_64x8_1x2_h_bz_bias_TNT", "matmul"},
      {"void cublasLt::splitKreduce_kernel<(int)32, (int)16, int, float>(cublasLt::cublasSplitKParams<T6>)", "matmul"},
      {"Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT16x16x128", "matmul"},
      {"std::enable_if<!T7, void>::type internal::gemvx::kernel<int, int, float>(T13)", "matmul"},
      {"triton_tem_fused_addmm_3", "matmul"},
      {"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<(int)128>>(flash::Flash_fwd_params)", "attention"},
      {"fmha_cutlassF_f32_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<float>::Params)", "attention"},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x64", "attention"},
      {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<(unsigned long)4096>)", "communication"},
      {"triton_poi_fused_add_cat_convolution_expand_native_layer_norm_transpose_view_2", "fused"},
      {"sm80_xmma_fprop_implicit_gemm_indexed_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tensor16x8x16_cudnn", "convolution"},
      {"void implicit_convolve_sgemm<float, float, 1024, 6, 7>(int)", "convolution"},
      {"volta_scudnn_128x64_relu_interior_nn_v1", "convolution"},
      {"void at::native::<unnamed>::vectorized_layer_norm_kernel<float, float, (bool)0>(int, T2)", "norm"},
      {"void at::native::<unnamed>::GammaBetaBackwardCUDAKernelTemplate<float, float>(long)", "norm"},
      {"void cudnn::bn_fw_tr_1C11_singleread<float, 512>(cudnnTensorStruct)", "norm"},
      {"void <unnamed>::softmax_warp_forward<float, float, float, (int)8>(T2 *)", "softmax"},
      {"void at::native::<unnamed>::cunn_SoftMaxBackwardSmem<(int)4, float, LogSoftMaxBackwardEpilogue>(T2 *)",
       "softmax"},
      {"void at::native::<unnamed>::multi_tensor_apply_kernel<TensorListMetadata<(int)3>>(T1)", "foreach"},
      {"void at::native::radixSortKVInPlace<(int)2, (int)-1, (int)32>(at::cuda::detail::TensorInfo<T5, T7>)", "sort"},
      {"void at::native::sbtopk::gatherTopK<float, unsigned int, (int)2>(T2)", "sort"},
      {"void at::native::vectorized_gather_kernel<(int)16, long>(char *)", "indexing"},
      {"void at::native::vectorized_elementwise_kernel<(int)4, at::native::FillFunctor<float>>(int)", "fill"},
      {"void at::native::elementwise_kernel<(int)128, gpu_kernel_impl_nocast<direct_copy_kernel_cuda>>(int)", "copy"},
      {"void at::native::<unnamed>::CatArrayBatchedCopy<at::native::OpaqueType<4>>(T1 *)", "copy"},
      {"void at::native::reduce_kernel<(int)512, (int)1, at::native::ReduceOp<float, NormTwoOps<float>>>(T3)",
       "reduction"},
      {"void at::native::elementwise_kernel<(int)128, BinaryFunctor<float, float, float, DivFunctor<float>>>(int)",
       "elementwise"},
      {"void scal_kernel<float, float, (int)1>(cublasTransposeParams<T2>, const T1 *)", "elementwise"},
      {"saxpy(double *, double *, double *, double, int)", "elementwise"},
      {"my_summation_kernel(float *)", "unknown"},
  };
  for (const auto& [name, expected_class] : expected) EXPECT_EQ(classes.class_of(name), expected_class) << name;
}

TEST(KernelClassesFile, TensorCoresYesNoAndUnknownNeverGuessedAsNo) {
  const NameRules tensor = rules(testing::kernel_rules("tensor_core_rules"));
  const ComputeCapability ampere{8, 0}, hopper{9, 0}, blackwell{10, 0};
  const std::tuple<const char*, ComputeCapability, const char*> expected[] = {
      {"ampere_sgemm_128x64_tn", ampere, "no"},
      {"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x64x8_stage3_ffma_aligna4_execute_kernel__5x_cublas", hopper,
       "no"},
      {"void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>(T1::Params)", hopper, "no"},
      {"ampere_tf32_s1688gemm_128x64_sgemm", ampere, "yes"},
      {"volta_h884gemm_64x64_ldg8_nn", {7, 0}, "yes"},
      {"turing_s1688gemm_fp16_128x128_ldg8_f2f_tn", {7, 5}, "yes"},
      {"turing_int8_i8816gemm_int8_128x128_ldg16_tn", {7, 5}, "yes"},
      {"ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x3_tn", ampere, "yes"},
      {"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>", ampere, "yes"},
      {"void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_align8>", ampere, "yes"},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_execute__5x_cublas", hopper,
       "yes"},
      {"nvjet_sm90_tst_128x72_64x8_1x2_h_bz_bias_TNT", hopper, "yes"},
      {"nvjet_sm100_tst_256x128_64x4_2x1_2cta_v_bz_TNT", blackwell, "yes"},
      {"cutlass3x_sm100_tensorop_s256x128x16gemm_bf16_2sm", blackwell, "yes"},
      {"cutlass3x_sm90_tensorop_s64x128x16gemm_bf16_bf16_f32_void_bf16_128x128x64", hopper, "yes"},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7", hopper, "yes"},
      {"fmha_cutlassF_f32_aligned_64x64_rf_sm80", hopper, "yes"},
      {"fmha_cutlassF_f32_aligned_64x64_rf_sm80", ampere, "unknown"},
      {"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<(int)128>>", ampere, "yes"},
      {"void at::native::reduce_kernel<(int)512>", hopper, "no"},
      {"triton_poi_fused_gelu_view_4", hopper, "no"},
      {"triton_tem_fused_mm_1", hopper, "unknown"},
      {"attn_fwd", hopper, "unknown"},
      {"my_summation_kernel", hopper, "unknown"},
      {"saxpy(double *)", hopper, "unknown"},
  };
  for (const auto& [name, device, uses] : expected) EXPECT_EQ(tensor.class_of(name, device), uses) << name;
}

}  // namespace assay::kernel_classes_test
