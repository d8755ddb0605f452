// Numbers, units and names, each by itself.
#include "formats/ncu/number.hpp"
#include "formats/ncu/unit.hpp"
#include "load/kernel_name.hpp"
#include "support/test.hpp"

namespace assay::ncu_cells_test {

using load::kernel_name;
using load::KernelName;
using ncu::base_unit;
using ncu::BaseUnit;
using ncu::printed_number;
using ncu::PrintedNumber;

TEST(NcuNumber, OneReadingWhereTheGroupsTell) {
  EXPECT_EQ(printed_number("4,963,609,951.19").point, 4963609951.19);
  EXPECT_FALSE(printed_number("4,963,609,951.19").comma);
  EXPECT_EQ(printed_number("4.963.609.951,19").comma, 4963609951.19);
  EXPECT_FALSE(printed_number("4.963.609.951,19").point);
  EXPECT_EQ(printed_number("2.33").point, 2.33);
  EXPECT_FALSE(printed_number("2.33").comma);
  EXPECT_EQ(printed_number("0,123").comma, 0.123);
  EXPECT_FALSE(printed_number("0,123").point);
  EXPECT_EQ(printed_number("1'234.5").point, 1234.5);
  EXPECT_EQ(printed_number("1\xE2\x80\xAF"
                           "234,5")
                .comma,
            1234.5);
  EXPECT_EQ(printed_number("-12").point, -12);
  EXPECT_EQ(printed_number("1.5e+06").point, 1.5e6);
}

TEST(NcuNumber, BothReadingsWhereTheyDoNot) {
  const PrintedNumber comma = printed_number("12,319"), point = printed_number("12.319");
  EXPECT_TRUE(comma.ambiguous());
  EXPECT_EQ(comma.point, 12319);
  EXPECT_EQ(comma.comma, 12.319);
  EXPECT_TRUE(point.ambiguous());
  EXPECT_FALSE(printed_number("12319").ambiguous());
}

TEST(NcuNumber, IsEmptyForEverythingElse) {
  for (const char* text : {"", "n/a", "nan", "inf", "-inf", "CachePreferNone", "1,23,456", "12 apples", "0x10", ",",
                           ".", "-", "1,234,56", "1e999", "(1, 2, 3)", "2024-01-01"}) {
    EXPECT_FALSE(printed_number(text).is_number()) << text;
  }
}

TEST(NcuUnit, BecomesItsBase) {
  const auto is = [](const char* unit, const char* name, double factor) {
    const BaseUnit base = base_unit(unit);
    EXPECT_EQ(base.name, name) << unit;
    EXPECT_DOUBLE_EQ(base.factor, factor) << unit;
  };
  is("ns", "ns", 1);
  is("nsecond", "ns", 1);
  is("us", "ns", 1e3);
  is("usecond", "ns", 1e3);
  is("ms", "ns", 1e6);
  is("msecond", "ns", 1e6);
  is("s", "ns", 1e9);
  is("second", "ns", 1e9);
  is("byte", "byte", 1);
  is("Kbyte", "byte", 1e3);
  is("Mbyte", "byte", 1e6);
  is("Gbyte", "byte", 1e9);
  is("Kibyte", "byte", 1024);
  is("byte/second", "byte/s", 1);
  is("Gbyte/s", "byte/s", 1e9);
  is("Tbyte/second", "byte/s", 1e12);
  is("Kbyte/block", "byte/block", 1e3);
  is("byte/block", "byte/block", 1);
  is("hz", "hz", 1);
  is("Ghz", "hz", 1e9);
  is("Mhz", "hz", 1e6);
  is("cycle/second", "hz", 1);
  is("cycle/nsecond", "hz", 1e9);
  is("cycle/usecond", "hz", 1e6);
  is("cycle", "cycle", 1);
  is("inst", "inst", 1);
  is("inst/cycle", "inst/cycle", 1);
  is("%", "%", 1);
  is("", "", 1);
  is("register/thread", "register/thread", 1);
  is("SM", "SM", 1);
  is("sector", "sector", 1);
  is("Kelvin", "Kelvin", 1);
}

TEST(NcuName, BaseOfEveryWayOfPrinting) {
  const auto base = [](const char* name) { return kernel_name(name).base; };
  EXPECT_EQ(base("add_kernel"), "add_kernel");
  EXPECT_EQ(base("add_kernel(float *, int)"), "add_kernel");
  EXPECT_EQ(base("void ns::add_kernel<float, (int)4>(T1 *, int)"), "add_kernel");
  EXPECT_EQ(base("enable_if<!T7, void>::type kernel<int, 0, Params<a::B<const c>, float>>(T13)"), "kernel");
  EXPECT_EQ(base("std::enable_if<!T7, void>::type internal::gemvx::kernel<int, 0>(T13)"), "kernel");
  EXPECT_EQ(base("unnamed>::saxpy_kernel(float, const float *, float *, int)"), "saxpy_kernel");
  EXPECT_EQ(base("<unnamed>::saxpy_kernel(float, const float *, float *, int)"), "saxpy_kernel");
  EXPECT_EQ(base("(anonymous namespace)::saxpy_kernel(float, float const*, float*, int)"), "saxpy_kernel");
  EXPECT_EQ(base("void at::native::(anonymous namespace)::softmax<float>(int)"), "softmax");
  EXPECT_EQ(base("copy_blocked[v1,cw51cX](Array<long long, 1, C, mutable>, long long)"), "copy_blocked");
  EXPECT_EQ(base("_ZN2ns10add_kernelIfLi4EEEvPT_i"), "add_kernel");
  EXPECT_EQ(base("_Zbroken"), "_Zbroken");
  EXPECT_EQ(base(""), "");
  EXPECT_EQ(base("(int)"), "(int)");
}

bool may_be_same(const KernelName& a, const KernelName& b) {
  return a.base == b.base && (!a.arguments || !b.arguments || *a.arguments == *b.arguments);
}

TEST(NcuName, ArgumentsAreAlikeAcrossDemanglers) {
  const KernelName nvidia = kernel_name(
      "void at::native::vectorized_elementwise_kernel<(int)4, at::native::FillFunctor<float>, std::array<char *, "
      "(unsigned long)1>>(int, T2, T3)");
  const KernelName gnu = kernel_name(
      "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul> >(int, "
      "at::native::FillFunctor<float>, std::array<char*, 1ul>)");
  EXPECT_EQ(nvidia.arguments, gnu.arguments);
  EXPECT_TRUE(may_be_same(nvidia, gnu));
  const KernelName other =
      kernel_name("void at::native::vectorized_elementwise_kernel<(int)4, AddFunctor<float>>(int)");
  EXPECT_FALSE(may_be_same(nvidia, other));
  EXPECT_TRUE(may_be_same(kernel_name("vectorized_elementwise_kernel"), other)) << "the base says nothing of arguments";
  EXPECT_EQ(kernel_name("k<(bool)1, const a::B *>(int)").arguments, kernel_name("k<true, a::B const*>(int)").arguments);
  EXPECT_EQ(kernel_name("k<f()::[lambda(float) (instance 1)]>(int)").arguments,
            kernel_name("k<f()::{lambda(float)#1}>(int)").arguments);
  EXPECT_EQ(kernel_name("ns::k<_x::y>").arguments, kernel_name("_ZN2ns1kIN2_x1yEEEvv").arguments);
}

TEST(NcuName, NvidiasAbbreviatedParametersAreNotDifference) {
  // One kernel of PyTorch on an H200, as its own profiler (CUPTI) and as ncu 2025.3 print it.
  const KernelName traced = kernel_name(
      "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_"
      "cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#10}::operator()() "
      "const::{lambda(c10::Half)#1}>(at::TensorIteratorBase&, "
      "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
      "const::{lambda()#10}::operator()() const::{lambda(c10::Half)#1} const&)::{lambda(int)#1}>(int, int)");
  const KernelName measured = kernel_name(
      "void at::elementwise_kernel<128, 4, void at::gpu_kernel_impl_nocast<at::direct_copy_kernel_cuda("
      "at::TensorIteratorBase &)::[lambda() (instance 3)]::operator ()() const::[lambda() (instance 10)]::operator "
      "()() "
      "const::[lambda(c10::Half) (instance 1)]>(at::TensorIteratorBase &, const T1 &)::[lambda(int) (instance "
      "1)]>(int, "
      "T3)");
  EXPECT_TRUE(may_be_same(traced, measured)) << *traced.arguments << " against " << *measured.arguments;
  const KernelName other = kernel_name("void elementwise_kernel<128, 4, f()::[lambda(float) (instance 1)]>(int)");
  EXPECT_FALSE(may_be_same(traced, other));
}

TEST(NcuName, HostileNamesTakeLinearTime) {
  for (const char* part : {"(", "<", "[lambda", "::", "(1", ">", "const ", "unnamed>::", "{"}) {
    std::string name = "k<";
    while (name.size() < (1U << 18)) name += part;
    EXPECT_FALSE(kernel_name(name).base.empty()) << part;
  }
}

}  // namespace assay::ncu_cells_test
