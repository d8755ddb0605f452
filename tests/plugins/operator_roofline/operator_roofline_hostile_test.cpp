// Texts of operands that no profiler wrote: damaged, huge, nested. They are read or not, and what follows from them is
// a number that a device could have, or none.
#include <random>

#include "assay/detail/formulas.hpp"
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::roofline::operator_roofline_hostile_test {

using under_test::operator_roofline::analyzed;

using namespace testing;

constexpr const char* kMax = "9223372036854775807";

TEST(HostileOperands, AreNotReadUnlessAList) {
  for (const char* dims :
       {"", "[", "[[", "[[1", "[[1,", "[[1,]]", "[[1] [2]]", "[[1.5]]", "[[1e3]]", "[[-1]]", "[[1]]x", "{}", "[[[1]]",
        "[[99999999999999999999]]", "[[1]", "null", "[[null]]", "[[[[1]]]]"}) {
    EXPECT_FALSE(read_operands(dims, R"(["float"])", "", "")) << dims;
  }
  for (const char* types : {"", "[", "[\"float]", "[float]", "[\"float\" \"float\"]", "[]", "[\"float\", \"float\"]"})
    EXPECT_FALSE(read_operands("[[1]]", types, "", "")) << types;
  std::string deep(100000, '[');
  EXPECT_FALSE(read_operands(deep, R"(["float"])", "", ""));
  std::string many = "[[1";
  for (int i = 0; i < 64; ++i) many += ", 1";
  EXPECT_FALSE(read_operands(many + "]]", R"(["float"])", "", "")) << "65 dims";
}

/// Strides and scalars that cannot be read leave what is known without them.
TEST(HostileOperands, DamagedStridesAndScalarsAreMissing) {
  const auto operands = read_operands("[[4, 8], []]", R"(["float", "Scalar"])", "[[0, ", "[\"\", \"7");
  ASSERT_TRUE(operands);
  EXPECT_EQ(operands->at(0).tensors.at(0).stored(), 32);
  EXPECT_FALSE(operands->at(1).integer());
}

std::optional<Work> work_of(const char* name, const std::string& dims, const char* types, const char* concrete = "") {
  const auto operands = read_operands(dims, types, "", concrete);
  return operands ? FormulaBook().find(name)->work({name, *operands}) : std::nullopt;
}

TEST(HostileOperands, ProductsOfLengthsDoNotWrap) {
  const std::string most = kMax;
  const char* two = R"(["float", "float"])";
  // 2^63 * 2^63 would be 0 in 64 bits, and 3 * 2^63 a small number.
  EXPECT_FALSE(work_of("aten::mm", "[[" + most + ", " + most + "], [" + most + ", " + most + "]]", two));
  const auto wide = work_of("aten::mm", "[[4294967296, 4], [4, 4294967296]]", two);
  ASSERT_TRUE(wide) << "2^64 elements: beyond 64 bits, a number all the same";
  EXPECT_EQ(wide->flops, 2.0 * 4 * std::pow(2.0, 64));
  EXPECT_FALSE(work_of("aten::add", "[[" + most + ", " + most + ", " + most + ", " + most + "], [1]]", two));
  std::string dims = most;
  for (int i = 0; i < 60; ++i) dims += ", " + most;
  EXPECT_FALSE(work_of("aten::add", "[[" + dims + "], [0, " + most + "]]", two))
      << "infinite times nothing is no number";
}

TEST(HostileOperands, ScalarsBelowZeroAreNotModelled) {
  const char* types = R"(["float", "ScalarList", "ScalarList", "ScalarList", "ScalarList", "Scalar"])";
  const std::string dims = "[[1, 3, 32, 32], [], [], [], [], []]";
  const char* pool = "aten::max_pool2d_with_indices";
  EXPECT_TRUE(work_of(pool, dims, types, R"(["", "[2, 2]", "[2, 2]", "[0, 0]", "[1, 1]", "False"])"));
  for (const char* concrete :
       {R"(["", "[-9223372036854775807, 2]", "[2, 2]", "[0, 0]", "[-9223372036854775807, 1]", "False"])",
        R"(["", "[2, 2]", "[0, 2]", "[0, 0]", "[1, 1]", "False"])",
        R"(["", "[2, 2]", "[2, 2]", "[-1, 0]", "[1, 1]", "False"])",
        R"(["", "[2, 2]", "[2, 2]", "[0, 0]", "[1, 1]", ""])"})
    EXPECT_FALSE(work_of(pool, dims, types, concrete)) << concrete;
}

/// Bytes of sound texts changed, 200,000 times with a fixed seed: never more than a number of a device.
TEST(HostileOperands, ChangedBytesGiveNumbersOrNothing) {
  std::mt19937 random(34);
  const std::string sound[] = {"[[64, 128], [128, 32], [], [3]]",
                               R"(["c10::BFloat16", "float", "Scalar", "ScalarList"])", "[[128, 1], [0, 1], [], [1]]",
                               R"(["", "", "True", "[1, 2]"])"};
  const FormulaBook book;
  std::vector<std::string_view> names;
  for (const Formula& formula : formulas())
    names.push_back(formula.operators.substr(0, formula.operators.find_first_of(" *")));
  std::size_t read = 0, modelled = 0;
  constexpr std::string_view kBytes = "[]\",0123456789-.eE \\{}x";
  for (int i = 0; i < 200000; ++i) {
    std::string texts[4];
    for (int t = 0; t < 4; ++t) texts[t] = sound[t];
    for (std::size_t flips = 1 + random() % 3; flips > 0; --flips) {
      std::string& text = texts[random() % 4];
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text[at] = kBytes[random() % kBytes.size()];
      else
        text.insert(at, 1, kBytes[random() % kBytes.size()]);
    }
    const auto operands = read_operands(texts[0], texts[1], texts[2], texts[3]);
    if (!operands) continue;
    ++read;
    const std::string_view name = names[random() % names.size()];
    const auto work = book.find(name)->work({name, *operands});
    if (!work) continue;
    ++modelled;
    for (const double amount : {work->flops, work->computed, work->bytes})
      ASSERT_TRUE(std::isfinite(amount) && amount >= 0) << name << " " << texts[0];
  }
  EXPECT_GT(read, 10000U);
  EXPECT_GT(modelled, 1000U);
}

/// A trace with such operands keeps its other rows, and says what it does not know.
TEST(HostileOperands, OneOperatorDoesNotSpoilTheOthers) {
  ReportBuilder b("a.pt.trace.json");
  const std::string most = kMax, huge = "[[" + most + ", " + most + "], [" + most + ", " + most + "]]";
  const char* types = R"(["float", "float"])";
  for (const std::string& dims : {std::string("[[8, 8], [8, 8]]"), huge, std::string("[[8, 8")}) {
    const std::int64_t at = dims == huge ? 100 : dims.size() < 10 ? 200 : 0;
    b.op(OpKind::kOperator, "aten::mm", at, at + 10, {.input_dims = dims, .input_types = types});
    b.kernel("gemm", 1000 + at, 1050 + at, {.call = b.call(CallKind::kKernelLaunch, at + 1, at + 2)});
  }
  const Recorder r = analyzed(b.build());
  EXPECT_EQ(r.value("operator.flops", "operator=aten::mm;shapes=8x8, 8x8 fp32"), 2 * 8 * 8 * 8);
  EXPECT_NEAR(*r.value("operator.unmodelled_time_ratio", "reason=operands"), 2. / 3, 1e-12);
}

}  // namespace assay::roofline::operator_roofline_hostile_test
