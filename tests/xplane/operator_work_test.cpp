// FLOPs and least bytes of HLO instructions, worked out by hand.
#include "operator_work.hpp"

#include "made_xplane.hpp"
#include "operators.hpp"
#include "read_profile.hpp"
#include "support/test.hpp"
#include "wire.hpp"

namespace assay {
namespace operator_work_test {

using namespace xplane;
using test::bytes;
using test::Message;
using test::number;

constexpr std::int64_t kF32 = 11, kBf16 = 16, kS8 = 2, kS32 = 4;

Message packed(std::uint32_t field, const std::vector<std::int64_t>& numbers) {
  Message out;
  for (const std::int64_t one : numbers) out += test::varint(static_cast<std::uint64_t>(one));
  return bytes(field, out);
}
Message array(std::int64_t type, const std::vector<std::int64_t>& dims) { return number(2, type) + packed(3, dims); }
Message tuple(const std::vector<Message>& parts) {
  Message out = number(2, 13);
  for (const Message& part : parts) out += bytes(4, part);
  return out;
}

/// An instruction of number `id` with the fields that every one has; `more`: further fields.
Message instruction(std::int64_t id, const std::string& opcode, const Message& shape,
                    const std::vector<std::int64_t>& operands = {}, const Message& more = {}) {
  return bytes(2, bytes(1, "i." + std::to_string(id)) + bytes(2, opcode) + bytes(3, shape) + number(35, id) +
                      packed(36, operands) + more);
}
Message parameter(std::int64_t id, const Message& shape, std::int64_t at = 0) {
  return instruction(id, "parameter", shape, {}, number(9, at));
}
/// A computation of number `id` whose last instruction is `root`.
Message computation(std::int64_t id, std::int64_t root, const Message& instructions) {
  return bytes(3, bytes(1, "c" + std::to_string(id)) + instructions + number(5, id) + number(6, root));
}
Message proto(const Message& computations) { return bytes(1, computations + number(6, 1)); }
Message fusion(std::int64_t id, const Message& shape, const std::vector<std::int64_t>& operands, std::int64_t called) {
  return instruction(id, "fusion", shape, operands, packed(38, {called}));
}

std::optional<OperatorWork> work(const Message& of, const std::string& name, bool tf32 = true) {
  const HloModule module(of, 1000);
  WorkRules rules(module, tf32);
  std::optional<OperatorWork> found = rules.work_of(name);
  return found;
}

/// Of lhs [2,8,16] and rhs [2,16,4] as a batched product.
Message library_product(const std::string& config, std::int64_t type = kF32) {
  return proto(computation(1, 3,
                           parameter(1, array(type, {2, 8, 16})) + parameter(2, array(type, {2, 16, 4}), 1) +
                               instruction(3, "custom-call", tuple({array(type, {2, 8, 4}), array(kS8, {1 << 20})}),
                                           {1, 2}, bytes(28, "__cublas$lt$matmul") + bytes(43, config))));
}

const std::string kBatched =
    R"({"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["2"],)"
    R"("rhs_contracting_dimensions":["1"],"lhs_batch_dimensions":["0"],"rhs_batch_dimensions":["0"]},)";

TEST(OperatorWork, FollowsTheDimensionNumbersOfALibraryProduct) {
  const auto of = work(library_product(kBatched + R"("precision_config":{"operand_precision":["DEFAULT"]}}})"), "i.3");
  ASSERT_TRUE(of);
  EXPECT_EQ(of->flops, 2.0 * 2 * 8 * 4 * 16);
  EXPECT_EQ(of->bytes, 4.0 * (2 * 8 * 16 + 2 * 16 * 4 + 2 * 8 * 4)) << "without the workspace";
  EXPECT_EQ(of->kind, "matrix product");
  EXPECT_EQ(of->arithmetic, "tf32");
  EXPECT_EQ(of->dims, "[[2, 8, 16], [2, 16, 4]]");
  EXPECT_EQ(of->types, R"(["f32", "f32"])");
}

TEST(OperatorWork, RunsAsTheDeviceAndThePrecisionHaveIt) {
  const std::string highest = kBatched + R"("precision_config":{"operand_precision":["HIGHEST"]}}})";
  EXPECT_EQ(work(library_product(highest), "i.3")->arithmetic, "fp32");
  EXPECT_EQ(work(library_product(kBatched + "}}"), "i.3", false)->arithmetic, "fp32");
  EXPECT_EQ(work(library_product(kBatched + "}}", kBf16), "i.3")->arithmetic, "bf16");
}

TEST(OperatorWork, MultipliesOperandsOfTwoTypesInTheWiderOne) {
  const auto arithmetic = [](std::int64_t left, std::int64_t right) {
    const Message dot = instruction(3, "dot", array(kF32, {8, 4}), {1, 2}, bytes(30, packed(1, {1}) + packed(2, {0})));
    const Message operands = parameter(1, array(left, {8, 16})) + parameter(2, array(right, {16, 4}), 1);
    return std::string(work(proto(computation(1, 3, operands + dot)), "i.3")->arithmetic);
  };
  EXPECT_EQ(arithmetic(kF32, kBf16), "tf32");
  EXPECT_EQ(arithmetic(kBf16, kF32), "tf32");
  EXPECT_EQ(arithmetic(kBf16, kBf16), "bf16");
}

TEST(OperatorWork, IsNotKnownWithoutDimensionNumbersOrOfAnotherLibrary) {
  EXPECT_FALSE(work(library_product("{}"), "i.3"));
  EXPECT_FALSE(work(library_product(R"({"dot_dimension_numbers":{"lhs_contracting_dimensions":["7"]}})"), "i.3"));
  const Message call = instruction(1, "custom-call", array(kF32, {8}), {}, bytes(28, "their_kernel"));
  EXPECT_FALSE(work(proto(computation(1, 1, call)), "i.1"));
  EXPECT_FALSE(work(proto(computation(1, 1, instruction(1, "all-reduce", array(kF32, {8})))), "i.1"));
  EXPECT_FALSE(work(proto({}), "i.1"));
}

TEST(OperatorWork, CountsOnlyTheProductInsideAFusion) {
  const Message inside =
      parameter(11, array(kBf16, {8, 16})) + parameter(12, array(kBf16, {16, 4}), 1) +
      instruction(13, "dot", array(kF32, {8, 4}), {11, 12}, bytes(30, packed(1, {1}) + packed(2, {0}))) +
      instruction(14, "tanh", array(kF32, {8, 4}), {13});
  const auto of = work(proto(computation(2, 14, inside) +
                             computation(1, 3,
                                         parameter(1, array(kBf16, {8, 16})) + parameter(2, array(kBf16, {16, 4}), 1) +
                                             fusion(3, array(kF32, {8, 4}), {1, 2}, 2))),
                       "i.3");
  ASSERT_TRUE(of);
  EXPECT_EQ(of->flops, 2.0 * 8 * 4 * 16) << "tanh runs on other units meanwhile";
  EXPECT_EQ(of->arithmetic, "bf16");
  EXPECT_EQ(of->bytes, 2.0 * (8 * 16 + 16 * 4) + 4.0 * 8 * 4);
}

/// Softmax-like: exp of f32[64,32], then its sum by row.
TEST(OperatorWork, CountsArithmeticOnRealElementsOfAFusion) {
  const Message sum = parameter(21, array(kF32, {})) + parameter(22, array(kF32, {}), 1) +
                      instruction(23, "add", array(kF32, {}), {21, 22});
  const Message inside = parameter(11, array(kF32, {64, 32})) + instruction(12, "constant", array(kF32, {})) +
                         instruction(13, "exponential", array(kF32, {64, 32}), {11}) +
                         instruction(15, "iota", array(kS32, {64})) +
                         instruction(16, "multiply", array(kS32, {64}), {15, 15}) +
                         instruction(14, "reduce", array(kF32, {64}), {13, 12}, packed(38, {3}));
  const auto of =
      work(proto(computation(3, 23, sum) + computation(2, 14, inside) +
                 computation(1, 2, parameter(1, array(kF32, {64, 32})) + fusion(2, array(kF32, {64}), {1}, 2))),
           "i.2");
  ASSERT_TRUE(of);
  EXPECT_EQ(of->flops, 64.0 * 32 + (64.0 * 32 - 64)) << "numbers of rows are no FLOPs";
  EXPECT_EQ(of->kind, "reduction");
  EXPECT_EQ(of->arithmetic, "");
}

TEST(OperatorWork, ReadsOnlyTheSlicesAndWritesOnlyTheUpdate) {
  const Message inside = parameter(11, array(kF32, {100, 10})) +
                         instruction(12, "bitcast", array(kF32, {10, 100}), {11}) +
                         instruction(13, "slice", array(kF32, {1, 100}), {12}) +
                         parameter(14, array(kF32, {50, 100}), 1) + parameter(15, array(kS32, {}), 2) +
                         instruction(16, "dynamic-update-slice", array(kF32, {50, 100}), {14, 13, 15, 15});
  const auto of =
      work(proto(computation(2, 16, inside) +
                 computation(1, 4,
                             parameter(1, array(kF32, {100, 10})) + parameter(2, array(kF32, {50, 100}), 1) +
                                 parameter(3, array(kS32, {}), 2) + fusion(4, array(kF32, {50, 100}), {1, 2, 3}, 2))),
           "i.4");
  ASSERT_TRUE(of);
  EXPECT_EQ(of->bytes, 4.0 * (100 + 1 + 100)) << "the slice, the place, the update";
  EXPECT_EQ(of->flops, 0.0);
  EXPECT_EQ(of->kind, "copy");
}

/// Input [1,16,9,9], kernel [32,16,3,3], output [1,32,7,7]; dimension numbers as XLA's of NCHW and OIHW.
Message convolution(const std::string& target, const Message& first, const Message& second, const Message& result) {
  const Message dims = number(3, 1) + packed(6, {2, 3}) + number(8, 1) + number(10, 1) + packed(11, {2, 3});
  return proto(computation(1, 3,
                           parameter(1, first) + parameter(2, second, 1) +
                               instruction(3, "custom-call", tuple({result, array(kS8, {99})}), {1, 2},
                                           bytes(28, target) + bytes(16, dims))));
}

TEST(OperatorWork, IsEqualInEachDirectionOfAConvolution) {
  const Message input = array(kBf16, {1, 16, 9, 9}), kernel = array(kBf16, {32, 16, 3, 3}),
                output = array(kBf16, {1, 32, 7, 7});
  constexpr double kFlops = 2.0 * 32 * 7 * 7 * 16 * 3 * 3;
  EXPECT_EQ(work(convolution("__cudnn$convForward", input, kernel, output), "i.3")->flops, kFlops);
  EXPECT_EQ(work(convolution("__cudnn$convBackwardInput", output, kernel, input), "i.3")->flops, kFlops);
  EXPECT_EQ(work(convolution("__cudnn$convBackwardFilter", input, output, kernel), "i.3")->flops, kFlops);
  EXPECT_EQ(work(convolution("__cudnn$convForward", input, kernel, output), "i.3")->kind, "convolution");
}

/// Query, key and value [2,64,4,8] (batch, row, head, width); key and value may have other heads.
Message attention(const std::string& mask, std::int64_t rows, const std::string& target = "__cudnn$fmhaSoftmax") {
  const std::string config =
      R"({"cudnn_fmha_backend_config":{"bmm1_dot_dimension_numbers":{"lhs_contracting_dimensions":["3"],)"
      R"("rhs_contracting_dimensions":["3"],"lhs_batch_dimensions":["0","2"],"rhs_batch_dimensions":["0","2"]},)"
      R"("mask_type":")" +
      mask + "\"}}";
  return proto(computation(1, 4,
                           parameter(1, array(kBf16, {2, rows, 4, 8})) + parameter(2, array(kBf16, {2, 64, 2, 8}), 1) +
                               parameter(3, array(kBf16, {2, 64, 2, 8}), 2) +
                               instruction(4, "custom-call", tuple({array(kBf16, {2, 4, rows, 8}), array(kS8, {9})}),
                                           {1, 2, 3}, bytes(28, target) + bytes(43, config))));
}

TEST(OperatorWork, CountsWhatTheMaskOfAttentionLeaves) {
  EXPECT_EQ(work(attention("NO_MASK", 64), "i.4")->flops, 2.0 * 2 * 4 * 64 * 64 * (8 + 8));
  EXPECT_EQ(work(attention("CAUSAL", 64), "i.4")->flops, 2.0 * 2 * 4 * (64 * 65 / 2.0) * (8 + 8));
  EXPECT_EQ(work(attention("NO_MASK", 16), "i.4")->flops, 2.0 * 2 * 4 * 16 * 64 * (8 + 8));
  EXPECT_EQ(work(attention("NO_MASK", 64, "__cudnn$fmhaSoftmaxBackward"), "i.4")->flops,
            4.0 * 2 * 4 * 64 * 64 * (8 + 8));
  EXPECT_EQ(work(attention("NO_MASK", 64), "i.4")->kind, "attention");
}

TEST(OperatorWork, IsBoundedForDamagedModules) {
  Message nested = array(kF32, {4});
  for (int level = 0; level < 2000; ++level) nested = tuple({nested});
  EXPECT_FALSE(work(proto(computation(1, 1, instruction(1, "copy", nested))), "i.1")) << "no array within reach";
  // A fusion of a computation that calls itself, and a chain of 20,000 that call each other.
  EXPECT_EQ(work(proto(computation(1, 1, fusion(1, array(kF32, {4}), {}, 1))), "i.1")->flops, 0.0);
  Message chain;
  for (std::int64_t c = 1; c <= 20000; ++c) chain += computation(c, c, fusion(c, array(kF32, {4}), {}, c + 1));
  const Message chained = proto(chain);
  const HloModule module(chained, 1000000);
  WorkRules rules(module, true);
  EXPECT_TRUE(rules.work_of("i.1"));
  EXPECT_EQ(HloModule(chained, 1000).named("i.1"), nullptr) << "of more than are to be read none are";
  const Message negative = array(kF32, {-4, 8});
  EXPECT_EQ(work(proto(computation(1, 1, instruction(1, "add", negative))), "i.1")->flops, 0.0);
}

test::PlaneEvent kernel(const std::string& name, std::int64_t at, const std::string& op) {
  return {name, at * 1000, 5'000, {{"correlation_id", at}, {"program_id", 12}}, {{"hlo_op", op}, {"hlo_module", "m"}}};
}

TEST(Operators, HaveTheWorkOfTheirInstructionOnceForEachRun) {
  test::MadePlane device("/device:GPU:0"), metadata("/host:metadata");
  const Message path = bytes(7, bytes(2, "jit(f)/a/mul"));
  metadata.program(
      "jit_f(12)", 12,
      proto(computation(1, 2,
                        parameter(1, array(kF32, {64})) + instruction(2, "multiply", array(kF32, {64}), {1}, path) +
                            instruction(3, "copy", array(kF32, {64}), {1}))));
  device.line(
      {"Stream #1",
       1,
       0,
       {kernel("k", 10, "i.2"), kernel("k_reduce", 20, "i.2"), kernel("k", 30, "i.2"), kernel("c", 40, "i.3")}});
  const Message space = test::made_space({device, metadata});
  Profile profile = read_profile(space);
  const Operators of = find_operators(profile);
  std::vector<std::string> with_work;
  for (const OperatorRow& row : of.rows) {
    if (row.work >= 0)
      with_work.push_back(std::string(profile.texts[row.name]) + " " + std::to_string(row.start) + "-" +
                          std::to_string(row.end) + " " +
                          std::to_string(static_cast<int>(of.works[static_cast<std::size_t>(row.work)].flops)));
  }
  EXPECT_EQ(with_work, (std::vector<std::string>{"mul 10-25 64", "mul 30-35 64", "i 40-45 0"}))
      << "two kernels of one run, then the next of a loop; a copy of XLA's own is named by what copies have in common";
  EXPECT_EQ(of.works.size(), 2U) << "of one instruction one";
}

/// The model's own count: of the forward three products for each weight and two of attention in each layer and the
/// logits; as much twice for the backward.
TEST(RealXplane, ComputesTheFlopsOfItsModelInEachStep) {
  ASSAY_REAL_FILE(file, "jax", "f32.xplane.pb");
  const std::string text = read_text(*file);
  Profile profile = read_profile(text);
  const Operators of = find_operators(profile);
  double flops = 0;
  for (const OperatorRow& row : of.rows) {
    if (row.work >= 0 && of.works[static_cast<std::size_t>(row.work)].arithmetic == "tf32")
      flops += of.works[static_cast<std::size_t>(row.work)].flops;
  }
  constexpr double kRows = 8 * 512, kWidth = 768, kWords = 8000, kSteps = 8;
  constexpr double kLayer = 2 * kRows * kWidth * 12 * kWidth + 4.0 * 8 * 12 * 512 * 512 * 64;
  EXPECT_EQ(flops, kSteps * 3 * (6 * kLayer + 2 * kRows * kWidth * kWords));
}

}  // namespace operator_work_test
}  // namespace assay
