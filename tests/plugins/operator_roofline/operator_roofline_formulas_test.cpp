// Formulas of operators against counting: every multiplication and addition of a small case is made and counted.
#include "assay/algo/peaks.hpp"
#include "assay/detail/formulas.hpp"
#include "assay/quantity.hpp"
#include "plugins/documented_table.hpp"
#include "support/test.hpp"

namespace assay::roofline::operator_roofline_formulas_test {

/// An operator called with what a trace says of its inputs.
std::optional<Work> work_of(const std::string& name, const std::string& dims, const std::string& types,
                            const std::string& concrete = "", const std::string& strides = "",
                            std::vector<OwnFormula> own = {}) {
  const FormulaBook book(std::move(own));
  const auto operands = read_operands(dims, types, strides, concrete);
  const auto found = book.find(name);
  if (!operands || !found) return std::nullopt;
  return found->work({name, *operands});
}

/// "[3, 4]" and so on.
std::string list_of(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return "[" + text + "]";
}

constexpr const char* kTwo = R"(["float", "float"])";
constexpr const char* kThree = R"(["float", "float", "float"])";

struct OperatorCase {
  const char *name, *dims, *types, *concrete;
  double flops, bytes;
};

/// Of 3 x 5 by 5 x 7 the loops below make; batches multiply it.
double counted_product(int m, int n, int k) {
  double operations = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l) operations += 2;
  return operations;
}

/// Of each sequence of a step with a cache the last query sees all keys; the sums of a name are taken apart by hand.
TEST(Attention, CountsAStepByTheSumsInItsName) {
  struct Sequence {
    int queries, keys;
  };
  const Sequence prompts[] = {{5, 5}, {3, 9}}, decodes[] = {{1, 7}, {1, 12}};
  double pairs = 0;
  const auto text = [&](const auto& sequences) {
    int q = 0, k = 0, qq = 0, qk = 0;
    for (const auto& [queries, keys] : sequences) {
      q += queries;
      k += keys;
      qq += queries * queries;
      qk += queries * keys;
      for (int row = 0; row < queries; ++row)
        for (int key = 0; key <= keys - queries + row; ++key) ++pairs;
    }
    return "(sq" + std::to_string(q) + "sk" + std::to_string(k) + "sqsq" + std::to_string(qq) + "sqsk" +
           std::to_string(qk) + ")";
  };
  const std::string name = "execute_10_context_2" + text(prompts) + "_generation_2" + text(decodes);
  const auto attended = attended_tokens(name);
  ASSERT_TRUE(attended) << name;
  EXPECT_EQ(attended->queries, 10);
  EXPECT_EQ(attended->keys, 33);
  EXPECT_EQ(attended->pairs, pairs);
  EXPECT_FALSE(attended_tokens("execute_context_1(9)_generation_2(2)"));
  EXPECT_FALSE(attended_tokens("step(sq1sk2sqsq)"));

  const FormulaBook book;
  const auto work = [&](const char* operator_name, const char* dims, std::size_t tensors, bool in_step) {
    std::string types;
    for (std::size_t t = 0; t < tensors; ++t) types += (t > 0 ? ", " : "") + std::string("\"c10::BFloat16\"");
    const auto operands = read_operands(dims, "[" + types + "]", "", "");
    return book.find(operator_name)->work({operator_name, *operands, in_step ? attended : std::nullopt});
  };
  const double flops = 4 * 6 * 16 * pairs, bytes = 2 * (2 * 10 * 6 * 16 + 2 * 33 * 2 * 16);
  const auto vllm = work("vllm::unified_attention_with_output", "[[10, 6, 16], [10, 2, 16], [10, 2, 16]]", 3, true);
  ASSERT_TRUE(vllm);
  EXPECT_EQ(vllm->flops, flops);
  EXPECT_EQ(vllm->bytes, bytes);
  const auto sglang = work("sglang_profiler::attention_paged_attention_ragged_100",
                           "[[10, 6, 16], [99], [10, 6, 16], [50, 1, 2, 16], [50, 1, 2, 16]]", 5, true);
  ASSERT_TRUE(sglang);
  EXPECT_EQ(sglang->flops, flops);
  EXPECT_EQ(sglang->bytes, bytes);
  EXPECT_FALSE(work("vllm::unified_attention", "[[10, 6, 16], [10, 2, 16], [10, 2, 16]]", 3, false));
}

TEST(Products, EverySpellingIsCounted) {
  const double one = counted_product(3, 7, 5);
  EXPECT_EQ(one, 210);
  const double words = 3 * 5 + 5 * 7 + 3 * 7;
  const OperatorCase cases[] = {
      {"aten::mm", "[[3, 5], [5, 7]]", kTwo, "", one, 4 * words},
      {"aten::bmm", "[[2, 3, 5], [2, 5, 7]]", kTwo, "", 2 * one, 8 * words},
      {"aten::addmm", "[[7], [3, 5], [5, 7]]", kThree, "", one + 21, 4 * (words + 7)},
      {"aten::baddbmm", "[[2, 3, 7], [2, 3, 5], [2, 5, 7]]", kThree, "", 2 * (one + 21), 4 * (2 * words + 42)},
      {"aten::linear", "[[3, 5], [7, 5], [7]]", kThree, "", one + 21, 4 * (words + 7)},
      {"aten::linear", "[[1, 3, 5], [7, 5], []]", R"(["float", "float", ""])", "", one, 4 * words},
      {"aten::matmul", "[[3, 5], [5, 7]]", kTwo, "", one, 4 * words},
      {"aten::matmul", "[[4, 2, 3, 5], [2, 5, 7]]", kTwo, "", 8 * one, 4 * (120 + 70 + 168)},
      {"aten::matmul", "[[5], [5]]", kTwo, "", 10, 4 * 11},
      {"aten::mv", "[[3, 5], [5]]", kTwo, "", 30, 4 * (15 + 5 + 3)},
  };
  for (const OperatorCase& c : cases) {
    const auto work = work_of(c.name, c.dims, c.types, c.concrete);
    ASSERT_TRUE(work) << c.name << " " << c.dims;
    EXPECT_EQ(work->flops, c.flops) << c.name << " " << c.dims;
    EXPECT_EQ(work->computed, c.flops) << c.name;
    EXPECT_EQ(work->bytes, c.bytes) << c.name << " " << c.dims;
    EXPECT_TRUE(work->matrix) << c.name;
  }
}

TEST(Products, WriteTheRequestedTypeOfFp8) {
  const auto work =
      work_of("aten::_scaled_mm", "[[16, 32], [32, 48], [], [], [], [], [], []]",
              R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn", "float", "float", "", "", "Scalar", "Scalar"])",
              R"(["", "", "", "", "", "", "15", "False"])");
  ASSERT_TRUE(work);
  EXPECT_EQ(work->flops, 2.0 * 16 * 32 * 48);
  EXPECT_EQ(work->bytes, 16 * 32 + 32 * 48 + 2 * 16 * 48 + 8);
  EXPECT_EQ(rate_of(work->math, work->matrix, false), Rate::kFp8);
}

TEST(Products, AreNotModelledIfShapesDoNotFit) {
  EXPECT_FALSE(work_of("aten::mm", "[[3, 5], [6, 7]]", kTwo));
  EXPECT_FALSE(work_of("aten::mm", "[[3, 5], [5, -7]]", kTwo)) << "a negative length";
  EXPECT_FALSE(work_of("aten::mm", "[[3, 5], [5, 7]", kTwo)) << "no JSON";
  EXPECT_FALSE(work_of("aten::mm", "[[3, 5]]", kTwo)) << "fewer shapes than types";
  EXPECT_FALSE(work_of("aten::mm", "[[3, 5], [5, 7]]", R"(["strange", "strange"])")) << "a type that nobody knows";
  EXPECT_FALSE(work_of("my::mm", "[[3, 5], [5, 7]]", kTwo));
  EXPECT_FALSE(work_of("aten::linear", "[[3, 5], []]", kTwo));
}

/// An expanded operand lies in memory once.
TEST(Products, ExpandedOperandsCountOnce) {
  const auto work = work_of("aten::bmm", "[[2, 3, 5], [2, 5, 7]]", kTwo, "", "[[15, 5, 1], [0, 7, 1]]");
  ASSERT_TRUE(work);
  EXPECT_EQ(work->bytes, 4 * (30 + 35 + 42));
}

/// Pairs that are seen, by the mask itself.
double counted_pairs(int queries, int keys, bool causal, bool bottom_right) {
  double pairs = 0;
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j) pairs += !causal || j <= (bottom_right ? i + keys - queries : i) ? 1 : 0;
  return pairs;
}

TEST(Attention, SeesThePairsOfItsMask) {
  const std::string types = R"(["c10::Half", "c10::Half", "c10::Half", "", "Scalar", "Scalar", "", "Scalar"])";
  for (const auto& [queries, keys] : {std::pair{6, 6}, {4, 9}, {9, 4}, {1, 12}}) {
    for (const bool causal : {false, true}) {
      const std::string q = list_of({2, 8, queries, 16}), k = list_of({2, 2, keys, 16}), v = list_of({2, 2, keys, 24});
      const std::string dims = "[" + q + ", " + k + ", " + v + ", [], [], [], [], []]";
      const auto work =
          work_of("aten::scaled_dot_product_attention", dims, types,
                  std::string(R"(["", "", "", "", "0.", ")") + (causal ? "True" : "False") + R"(", "", "True"])");
      ASSERT_TRUE(work) << dims;
      EXPECT_EQ(work->flops, 2 * 2 * 8 * counted_pairs(queries, keys, causal, false) * (16 + 24)) << dims << causal;
      EXPECT_NEAR(work->flops * work->all_pairs, 2.0 * 2 * 8 * queries * keys * (16 + 24), 1e-6) << "as MFU counts";
      EXPECT_EQ(work->bytes, 2.0 * (2 * 8 * queries * 16 + 2 * 2 * keys * (16 + 24) + 2 * 8 * queries * 24)) << dims;
      const std::string flash = "[" + list_of({2, queries, 8, 16}) + ", " + list_of({2, keys, 2, 16}) + ", " +
                                list_of({2, keys, 2, 24}) + ", [], [], [], [], [], []]";
      const auto cached =
          work_of("aten::_flash_attention_forward", flash,
                  R"(["c10::Half", "c10::Half", "c10::Half", "", "", "Scalar", "Scalar", "Scalar", "Scalar"])",
                  std::string(R"(["", "", "", "", "", "9", "9", "0.", ")") + (causal ? "True" : "False") + "\"]");
      ASSERT_TRUE(cached) << flash;
      EXPECT_EQ(cached->flops, 2 * 2 * 8 * counted_pairs(queries, keys, causal, true) * (16 + 24)) << flash << causal;
    }
  }
  EXPECT_FALSE(work_of("aten::scaled_dot_product_attention", "[[1, 1, 4, 8], [1, 1, 4, 8], [1, 1, 4, 8]]",
                       R"(["c10::Half", "c10::Half", "c10::Half"])"))
      << "whether it is causal was not recorded";
  EXPECT_FALSE(
      work_of("aten::_flash_attention_forward", "[[9, 8, 16], [9, 8, 16], [9, 8, 16], [3], [3], [], [], [], []]",
              R"(["c10::Half", "c10::Half", "c10::Half", "int", "int", "Scalar", "Scalar", "Scalar", "Scalar"])",
              R"(["", "", "", "", "", "4", "4", "0.", "True"])"))
      << "lengths of the packed sequences were not recorded";
}

TEST(Attention, BackwardIsFourProductsAndFlashComputesOneAgain) {
  const std::string t = list_of({4, 16, 32, 8});
  const auto work =
      work_of("aten::_scaled_dot_product_flash_attention_backward",
              "[" + t + ", " + t + ", " + t + ", " + t + ", " + t + ", [4, 16, 32], [], [], [], [], [], []]",
              R"(["c10::Half", "c10::Half", "c10::Half", "c10::Half", "c10::Half", "float", "", "", )"
              R"("Scalar", "Scalar", "Scalar", "Scalar"])",
              R"(["", "", "", "", "", "", "", "", "32", "32", "0.", "False"])");
  ASSERT_TRUE(work);
  const double product = 2.0 * 4 * 16 * 32 * 32 * 8;
  EXPECT_EQ(work->flops, 4 * product);
  EXPECT_EQ(work->computed, 5 * product);
  EXPECT_EQ(work->bytes, 2.0 * 8 * 4 * 16 * 32 * 8) << "Q, K, V, O, dO, dQ, dK, dV";
}

/// A convolution of two dims by its definition. Returns how often it multiplies and adds inside the input, and outside.
struct ConvolutionCount {
  double operations = 0, out = 0;
};
ConvolutionCount convolved(int batch, int in, int out, int groups, int size, int kernel, int stride, int padding,
                           int dilation) {
  ConvolutionCount c;
  const int length = (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
  for (int b = 0; b < batch; ++b)
    for (int o = 0; o < out; ++o)
      for (int y = 0; y < length; ++y)
        for (int x = 0; x < length; ++x) {
          c.out += 1;
          for (int i = 0; i < in / groups; ++i)
            for (int ky = 0; ky < kernel; ++ky)
              for (int kx = 0; kx < kernel; ++kx) c.operations += 2;  // of the padding too, as the formula counts
        }
  return c;
}

struct ConvolutionCase {
  int batch, in, out, groups, size, kernel, stride, padding, dilation;
};
constexpr ConvolutionCase kConvolutionCases[] = {
    {2, 4, 6, 1, 9, 3, 1, 1, 1}, {2, 4, 6, 2, 9, 3, 2, 1, 1},  {1, 3, 8, 1, 16, 4, 4, 0, 1},
    {2, 6, 6, 6, 9, 3, 1, 1, 1}, {1, 4, 4, 1, 12, 3, 1, 2, 2}, {1, 4, 4, 2, 11, 5, 3, 0, 1},
};

std::string square(int n) { return "[" + std::to_string(n) + ", " + std::to_string(n) + "]"; }

TEST(Convolutions, AreCounted) {
  for (const ConvolutionCase& c : kConvolutionCases) {
    const ConvolutionCount counted =
        convolved(c.batch, c.in, c.out, c.groups, c.size, c.kernel, c.stride, c.padding, c.dilation);
    const std::string x = list_of({c.batch, c.in, c.size, c.size});
    const std::string w = list_of({c.out, c.in / c.groups, c.kernel, c.kernel});
    const std::string groups = std::to_string(c.groups);
    const auto work =
        work_of("aten::convolution", "[" + x + ", " + w + ", [], [], [], [], [], [], []]",
                R"(["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar"])",
                R"(["", "", "", ")" + square(c.stride) + R"(", ")" + square(c.padding) + R"(", ")" +
                    square(c.dilation) + R"(", "False", "[0, 0]", ")" + groups + "\"]");
    ASSERT_TRUE(work) << x << w;
    EXPECT_EQ(work->flops, counted.operations) << x << w;
    const double in = c.batch * c.in * c.size * c.size, weight = c.out * (c.in / c.groups) * c.kernel * c.kernel;
    EXPECT_EQ(work->bytes, 4 * (in + weight + counted.out)) << x << w;

    const int length = (c.size + 2 * c.padding - c.dilation * (c.kernel - 1) - 1) / c.stride + 1;
    const std::string grad = list_of({c.batch, c.out, length, length});
    const auto back = work_of(
        "aten::convolution_backward", "[" + grad + ", " + x + ", " + w + ", [], [], [], [], [], [], [], []]",
        R"(["float", "float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar", ""])",
        R"(["", "", "", "", ")" + square(c.stride) + R"(", ")" + square(c.padding) + R"(", ")" + square(c.dilation) +
            R"(", "False", "[0, 0]", ")" + groups + R"(", "[True, True, False]"])");
    ASSERT_TRUE(back) << grad;
    EXPECT_EQ(back->flops, 2 * counted.operations) << "each product of the forward pass once for each gradient";
    EXPECT_EQ(back->bytes, 4 * (counted.out + 2 * in + 2 * weight));
  }
}

/// A transposed convolution is the gradient to the input of the forward one with the same weight.
TEST(Convolutions, TransposedOnesSpreadTheirInput) {
  for (const ConvolutionCase& c : kConvolutionCases) {
    const ConvolutionCount forward =
        convolved(c.batch, c.in, c.out, c.groups, c.size, c.kernel, c.stride, c.padding, c.dilation);
    const int length = (c.size + 2 * c.padding - c.dilation * (c.kernel - 1) - 1) / c.stride + 1;
    const int back = (length - 1) * c.stride - 2 * c.padding + c.dilation * (c.kernel - 1) + 1;
    const std::string x = list_of({c.batch, c.out, length, length});
    const std::string w = list_of({c.out, c.in / c.groups, c.kernel, c.kernel});
    const auto work = work_of(
        "aten::conv_transpose2d", "[" + x + ", " + w + ", [], [], [], [], [], []]",
        R"(["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList"])",
        R"(["", "", "", ")" + square(c.stride) + R"(", ")" + square(c.padding) + R"(", ")" + square(c.size - back) +
            R"(", ")" + std::to_string(c.groups) + R"(", ")" + square(c.dilation) + "\"]");
    ASSERT_TRUE(work) << x << w;
    EXPECT_EQ(work->flops, forward.operations) << x << w;
    EXPECT_EQ(work->bytes, 4.0 * (c.batch * c.out * length * length + c.out * (c.in / c.groups) * c.kernel * c.kernel +
                                  c.batch * c.in * c.size * c.size));
  }
}

TEST(Elementwise, BroadcastsAndPromotes) {
  const auto bytes = [](const std::string& name, const std::string& dims, const std::string& types) {
    const auto work = work_of(name, dims, types);
    return work ? work->bytes : -1;
  };
  EXPECT_EQ(bytes("aten::add", "[[8, 16], [8, 16], []]", R"(["c10::BFloat16", "c10::BFloat16", "Scalar"])"), 3 * 256);
  EXPECT_EQ(bytes("aten::add", "[[8, 16], [16], []]", R"(["c10::BFloat16", "c10::BFloat16", "Scalar"])"), 2 * 256 + 32);
  EXPECT_EQ(bytes("aten::mul", "[[8, 16], []]", R"(["c10::BFloat16", "double"])"), 2 * 256)
      << "a single number does not widen a type of its class";
  EXPECT_EQ(bytes("aten::mul", "[[8, 16], [8, 16]]", R"(["c10::BFloat16", "float"])"), 256 + 512 + 512);
  EXPECT_EQ(bytes("aten::mul", "[[8, 16], [8, 16]]", R"(["c10::BFloat16", "c10::Half"])"), 256 + 256 + 512);
  EXPECT_EQ(bytes("aten::mul", "[[8, 1], [1, 16]]", R"(["float", "float"])"), 32 + 64 + 512)
      << "a result of neither's size";
  EXPECT_EQ(bytes("aten::eq", "[[8, 16], []]", R"(["long int", "Scalar"])"), 8 * 128 + 128) << "one byte an answer";
  EXPECT_EQ(bytes("aten::add_", "[[8, 16], [8, 16], []]", R"(["float", "c10::Half", "Scalar"])"), 512 + 256 + 512);
  EXPECT_EQ(bytes("aten::where", "[[8, 16], [], [8, 16]]", R"(["bool", "float", "float"])"), 128 + 512 + 512);
  EXPECT_EQ(bytes("aten::copy_", "[[8, 16], [8, 16], []]", R"(["float", "c10::BFloat16", "Scalar"])"), 512 + 256);
  EXPECT_EQ(bytes("aten::add", "[[8, 16], [8, 15], []]", R"(["float", "float", "Scalar"])"), -1) << "they do not fit";
}

TEST(Rows, MoveTheirOperandsOnce) {
  const auto bytes = [](const std::string& name, const std::string& dims, const std::string& types,
                        const std::string& concrete = "") {
    const auto work = work_of(name, dims, types, concrete);
    return work ? work->bytes : -1;
  };
  EXPECT_EQ(bytes("aten::layer_norm", "[[8, 16], [], [16], [16], []]",
                  R"(["c10::Half", "ScalarList", "c10::Half", "c10::Half", "Scalar"])"),
            2 * 256 + 2 * 32);
  EXPECT_EQ(
      bytes("aten::_softmax", "[[8, 16], [], []]", R"(["c10::Half", "Scalar", "Scalar"])", R"(["", "-1", "True"])"),
      256 + 512)
      << "half to float";
  EXPECT_EQ(bytes("aten::sum", "[[8, 16], [], []]", R"(["float", "ScalarList", "Scalar"])", R"(["", "[-1]", "False"])"),
            512 + 32);
  EXPECT_EQ(bytes("aten::sum", "[[8, 16], []]", R"(["float", ""])", R"(["", ""])"), 512 + 4);
  EXPECT_EQ(bytes("aten::all", "[[8, 16], [], []]", R"(["bool", "Scalar", "Scalar"])", R"(["", "-1", "True"])"),
            128 + 8);
  EXPECT_EQ(bytes("aten::embedding", "[[100, 16], [4, 5], [], [], []]",
                  R"(["float", "long int", "Scalar", "Scalar", "Scalar"])"),
            2 * 20 * 16 * 4 + 20 * 8);
  EXPECT_EQ(bytes("aten::embedding", "[[3, 16], [4, 5], [], [], []]",
                  R"(["float", "long int", "Scalar", "Scalar", "Scalar"])"),
            (20 + 3) * 16 * 4 + 20 * 8)
      << "no more rows are read than there are";
  EXPECT_EQ(bytes("aten::cross_entropy_loss", "[[8, 16], [8], [], [], [], []]",
                  R"(["float", "long int", "", "Scalar", "Scalar", "Scalar"])"),
            512 + 64 + 4);
  EXPECT_EQ(bytes("aten::max_pool2d_with_indices", "[[1, 2, 8, 8], [], [], [], [], []]",
                  R"(["float", "ScalarList", "ScalarList", "ScalarList", "ScalarList", "Scalar"])",
                  R"(["", "[3, 3]", "[2, 2]", "[1, 1]", "[1, 1]", "False"])"),
            512 + 32 * 12);
}

TEST(Lists, AreReadAndWrittenWhole) {
  const std::string two = "[[4, 4], [8]]";
  const std::string types = R"(["TensorList", "TensorList", "TensorList", "TensorList", "TensorList", "TensorList"])";
  const FormulaBook book;
  const auto operands = [&](const std::string& dims, const std::string& of) {
    auto read = read_operands(dims, of, "", "");
    for (Operand& operand : *read)
      for (Tensor& tensor : operand.tensors) tensor.type = Element::kFloat32;
    return *read;
  };
  const Operands adam = operands("[" + two + "," + two + "," + two + "," + two + ", [], [[], []]]", types);
  const auto fused = book.find("aten::_fused_adamw_")->work({"aten::_fused_adamw_", adam});
  ASSERT_TRUE(fused);
  EXPECT_EQ(fused->bytes, 7 * 24 * 4) << "p, m and v read and written, g read";
  EXPECT_EQ(fused->flops, 15 * 24);
  const Operands pair = operands("[" + two + "," + two + ", []]", R"(["TensorList", "TensorList", "Scalar"])");
  EXPECT_EQ(book.find("aten::_foreach_add_")->work({"aten::_foreach_add_", pair})->bytes, 3 * 24 * 4);
  EXPECT_EQ(book.find("aten::_foreach_lerp_")->work({"aten::_foreach_lerp_", pair})->flops, 3 * 24);
  const Operands undescribed = operands("[[], []]", R"(["TensorList", "Scalar"])");
  EXPECT_FALSE(book.find("aten::_foreach_mul_")->work({"aten::_foreach_mul_", undescribed}))
      << "a list of which the trace says that it is one, and no more";
}

TEST(Formulas, EveryOneIsFoundByItsNamesAndExplained) {
  const FormulaBook book;
  for (const Formula& formula : formulas()) {
    EXPECT_FALSE(formula.flops.empty() || formula.bytes.empty() || formula.source.empty()) << formula.operators;
    const std::string first(formula.operators.substr(0, formula.operators.find_first_of(" *")));
    const auto found = book.find(first);
    ASSERT_TRUE(found) << first;
    EXPECT_EQ(found->rule, formula.rule) << first << " stands in two rows";
  }
}

TEST(OwnFormulas, AreWrittenInALine) {
  std::vector<OwnFormula> own;
  own.emplace_back("my::mlp | 2 * n0 * d1_1 + s2 | b0 + b1 + d0_0 * dm1_0 * e0 | matrix");
  own.emplace_back("aten::mm | n0 | b0");
  const FormulaBook book(std::move(own));
  const auto operands =
      read_operands("[[3, 5], [5, 7], []]", R"(["c10::Half", "c10::Half", "Scalar"])", "", R"(["", "", "11"])");
  const auto work = book.find("my::mlp")->work({"my::mlp", *operands});
  ASSERT_TRUE(work);
  EXPECT_EQ(work->flops, 2 * 15 * 7 + 11);
  EXPECT_EQ(work->bytes, 30 + 70 + 3 * 7 * 2);
  EXPECT_TRUE(work->matrix);
  EXPECT_EQ(book.find("aten::mm")->work({"aten::mm", *operands})->flops, 15) << "before the one that there is";
  EXPECT_FALSE(book.find("my::mlp")->work({"my::mlp", {}})) << "an input that a call does not have";
  const auto refusal = [](const char* text) -> std::string {
    try {
      OwnFormula formula(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_TRUE(contains(refusal("my::mlp | n0"), "expected 'operator | FLOPs | bytes'"));
  EXPECT_TRUE(contains(refusal("my::mlp | n0 | b0 | fast"), "expected 'operator | FLOPs | bytes'"));
  EXPECT_TRUE(contains(refusal("my::mlp | n0 + | b0"), "flops of 'my::mlp'"));
  EXPECT_TRUE(contains(refusal("my::mlp | rows | b0"), "names 'rows'"));
  EXPECT_TRUE(contains(refusal("my::mlp | d0 | b0"), "names 'd0'"));
}

TEST(Peaks, FollowFromUnitsAndClock) {
  const auto of = [](const char* name) { return peaks_of(DeviceTable{}, 0, name); };
  EXPECT_NEAR(of("NVIDIA H100 80GB HBM3").flops(Rate::kFp16), 989.4e12, 0.2e12) << "not the sparse 1,979";
  EXPECT_NEAR(of("NVIDIA H100 80GB HBM3").flops(Rate::kFp8), 1978.9e12, 0.4e12);
  EXPECT_NEAR(of("NVIDIA H100 80GB HBM3").flops(Rate::kTf32), 494.7e12, 0.2e12);
  EXPECT_EQ(of("AMD Instinct MI300X").architecture, "gfx942");
  EXPECT_NEAR(of("AMD Instinct MI300X").flops(Rate::kFp16), 1307.4e12, 0.5e12);
  EXPECT_NEAR(of("AMD Instinct MI300X").flops(Rate::kFp32), 163.4e12, 0.1e12);
  EXPECT_NEAR(of("AMD Instinct MI355X").flops(Rate::kFp16), 2516.6e12, 1e12);
  EXPECT_NEAR(of("AMD Instinct MI250X").flops(Rate::kFp32), 95.7e12 / 2, 0.1e12) << "packed or matrix, one of two dies";
  EXPECT_NEAR(of("AMD Instinct MI250").flops(Rate::kFp16), 362.1e12 / 2, 0.1e12);
  EXPECT_NEAR(of("NVIDIA GeForce RTX 4090").flops(Rate::kFp16), 165.2e12, 0.1e12) << "sums in fp32 are halved";
  EXPECT_NEAR(of("NVIDIA GeForce RTX 4090").flops(Rate::kInt8), 660.6e12, 0.1e12) << "those of integers are not";
  EXPECT_NEAR(of("NVIDIA L40").flops(Rate::kInt8), 362e12, 1e12);
  EXPECT_NEAR(of("NVIDIA L40S").flops(Rate::kFp8), 733e12, 1e12);
  EXPECT_NEAR(of("NVIDIA A100-SXM4-80GB").flops(Rate::kFp16), 312e12, 0.5e12);
  EXPECT_NEAR(of("Tesla T4").flops(Rate::kFp16), 65e12, 0.5e12);
  EXPECT_EQ(of("NVIDIA GH1000").bytes_per_s, 0) << "not known, rather than that of another";
  EXPECT_EQ(of("").flops(Rate::kFp16), 0);
}

TEST(Peaks, MatrixRatesAreUnknownIfTheNameIsAmbiguous) {
  const Peaks ada = peaks_of({.major = 8, .minor = 9, .multiprocessors = 100, .clock = 1e9, .bandwidth = 1e12});
  EXPECT_EQ(ada.flops(Rate::kFp16), 0) << "L40S or GeForce";
  EXPECT_EQ(ada.flops(Rate::kFp32), 100 * 1e9 * 256);
  EXPECT_EQ(ada.flops(Rate::kInt8), 100 * 1e9 * 2048);
  const Peaks hopper = peaks_of({.major = 9, .minor = 0, .multiprocessors = 100, .clock = 1e9, .bandwidth = 1e12});
  EXPECT_EQ(hopper.flops(Rate::kFp16), 100 * 1e9 * 4096);
}

TEST(Peaks, MeasuredRoofsComeInThePlaceOfComputedOnes) {
  Peaks peaks = peaks_of(DeviceTable{}, 0, "NVIDIA H100 80GB HBM3");
  set_measured_peaks(peaks, "bf16: 7.9e14");
  set_measured_peaks(peaks, "memory: 3.0e12");
  EXPECT_EQ(peaks.flops(Rate::kFp16), 7.9e14);
  EXPECT_EQ(peaks.bytes_per_s, 3.0e12);
  EXPECT_EQ(roof_of(peaks, Rate::kFp16, 7.9e14, 3.0e12)->ns(), 1e9);
  EXPECT_THROW(set_measured_peaks(peaks, "bf17: 1e12"), std::invalid_argument);
  EXPECT_THROW(set_measured_peaks(peaks, "memory: fast"), std::invalid_argument);
  EXPECT_THROW(set_measured_peaks(peaks, "memory: -1"), std::invalid_argument);
}

TEST(Peaks, GiveNoRoofIfUnknown) {
  const Peaks none;
  EXPECT_FALSE(roof_of(none, Rate::kFp16, 1, 1));
  Peaks memory;
  memory.bytes_per_s = 1e9;
  EXPECT_FALSE(roof_of(memory, Rate::kFp16, 1, 1));
  EXPECT_EQ(roof_of(memory, Rate::kFp16, 0, 5)->ns(), 5) << "copies compute nothing";
}

/// "`aten::mm`, `aten::bmm`": as the page shows names.
std::string names_text(std::string_view names) {
  std::string text = "`";
  for (const char c : names) text += c == ' ' ? "`, `" : std::string(1, c);
  return text + "`";
}

TEST(Documentation, ListsEveryFormula) {
  std::string table = "| operators | FLOPs | least bytes | source | does not hold |\n|---|---|---|---|---|\n";
  for (const Formula& f : formulas()) {
    table += "| " + names_text(f.operators) + " | " + std::string(f.flops) + " | " + std::string(f.bytes) + " | " +
             std::string(f.source) + " | " + std::string(f.fails) + " |\n";
  }
  testing::expect_documented("formulas", table);
}

TEST(Documentation, ListsEveryPeak) {
  std::string rates = "| architecture |";
  for (std::size_t r = 0; r < kRates; ++r) rates += " " + std::string(rate_name(static_cast<Rate>(r))) + " |";
  rates += " source |\n|---|";
  for (std::size_t r = 0; r < kRates; ++r) rates += "---|";
  rates += "---|\n";
  for (const ArchitectureRates& a : architecture_rates()) {
    rates += "| " + std::string(a.name) + " |";
    for (const double n : a.per_clock) rates += " " + (n > 0 ? exact(n) : std::string("-")) + " |";
    rates += " " + std::string(a.source) + " |\n";
  }
  testing::expect_documented("rates", rates);
  std::string sheets =
      "| in the name | architecture | multiprocessors | MHz | GB/s | matrix rates |\n|---|---|---|---|---|---|\n";
  for (const DeviceSheet& d : device_sheets()) {
    const auto or_none = [](double n) { return n > 0 ? exact(n) : std::string("-"); };
    sheets += "| " + std::string(d.words) + " | " + std::string(d.architecture) + " | " + or_none(d.multiprocessors) +
              " | " + or_none(d.clock / 1e6) + " | " + or_none(d.bandwidth / 1e9) + " | " +
              (d.share == 1 ? "full" : "half") + " |\n";
  }
  testing::expect_documented("devices", sheets);
}

}  // namespace assay::roofline::operator_roofline_formulas_test
