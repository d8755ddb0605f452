// One kernel under the names that Nsight Systems and PyTorch write.
#include "plugins/step_difference/portable_name.hpp"

#include "algo/short_name.hpp"
#include "support/test.hpp"

namespace assay::difference::test::portable_name_test {

TEST(PortableName, IsOneForBothDemanglers) {
  struct Pair {
    const char *nsys, *torch;
  };
  const Pair pairs[] = {
      {"void <unnamed>::softmax_warp_forward<float, float, float, (int)10, (bool)0, (bool)1>(T2 *, const T1 *, int)",
       "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false, true>(float*, float const*, "
       "int)"},
      {"void at::native::<unnamed>::CatArrayBatchedCopy<at::native::<unnamed>::OpaqueType<(unsigned int)2>, unsigned "
       "int, (int)4>(T1 *, unsigned int)",
       "void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::(anonymous namespace)::OpaqueType<2u>, "
       "unsigned int, 4>(at::native::(anonymous namespace)::OpaqueType<2u>*, unsigned int)"},
      {"void at::native::elementwise_kernel<(int)128, (int)2, void at::native::gpu_kernel_impl_nocast<"
       "at::native::CUDAFunctor_add<float>>(at::TensorIteratorBase &, const T1 &)::[lambda(int) (instance 1)]>(int, "
       "T3)",
       "void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<"
       "at::native::CUDAFunctor_add<float> >(at::TensorIteratorBase&, at::native::CUDAFunctor_add<float> const&)::"
       "{lambda(int)#1}>(int, at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_add<float> >)"},
      {"nvjet_sm90_tst_128x64_64x8_1x2_h_bz_NTT", "nvjet_sm90_tst_128x64_64x8_1x2_h_bz_NTT"},
  };
  for (const Pair& pair : pairs) EXPECT_EQ(portable_name(pair.nsys), portable_name(pair.torch));
}

TEST(PortableName, KeepsWhatTellsKernelsApart) {
  const char* different[] = {
      "void k<4, float>(float*)",          "void k<8, float>(float*)",          "void k<4, double>(double*)",
      "void k<4, f()::{lambda()#1}>(int)", "void k<4, f()::{lambda()#2}>(int)", "void l<4, float>(float*)",
  };
  for (const char* one : different) {
    for (const char* other : different) EXPECT_EQ(portable_name(one) == portable_name(other), one == other) << one;
  }
}

TEST(ShortName, CutsNamesAndNothingElseOfASentence) {
  std::string plain = "The runs' times aren't 'a b c.' equal (see 'x')";
  while (plain.size() < 1000) plain += " and more words that don't matter";
  EXPECT_EQ(with_short_names(plain), plain);
  const std::string name(5000, 'a');
  EXPECT_EQ(with_short_names("kernel '" + name + " b' is " + name + " done"),
            "kernel '" + name.substr(0, 300) + "...' is " + name.substr(0, 299) + "... done");
  EXPECT_EQ(short_name("ab\u00e4", 3), "ab...") << "no half of a character";
}

TEST(RunningNumber, IsLeftOutOfNamesThatInductorMakes) {
  EXPECT_EQ(without_running_number("triton_poi_fused_add_3"), "triton_poi_fused_add");
  EXPECT_EQ(without_running_number("triton_red_fused__softmax_12"), "triton_red_fused__softmax");
  for (const char* name : {"triton_mm", "gemm_3", "triton_7b", ""}) EXPECT_EQ(without_running_number(name), name);
}

}  // namespace assay::difference::test::portable_name_test
