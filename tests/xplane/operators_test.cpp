// Kernels of CUDA graphs to the instructions of their program, and the operators made of them.
#include "operators.hpp"

#include "alignment.hpp"
#include "hlo.hpp"
#include "made_xplane.hpp"
#include "read_profile.hpp"
#include "support/test.hpp"

namespace assay {
namespace operators_test {

using namespace xplane;
using Names = std::vector<std::string_view>;

const test::Message& program() {
  static const test::Message kProgram = test::made_program({{"p.1", "parameter"},
                                                            {"copy.9", "copy"},
                                                            {"loop_fusion", "fusion", "jit(f)/jvp(a)/mul"},
                                                            {"custom-call.3", "custom-call", "jit(f)/jvp(a)/dot"},
                                                            {"custom-call.7", "custom-call", "jit(f)/jvp(b)/dot"},
                                                            {"loop_fusion.1", "fusion", "jit(f)/jvp(b)/add;jit(f)/x"},
                                                            {"t", "tuple"}});
  return kProgram;
}

/// Names of the instructions.
Names aligned(const Names& names, std::size_t* uncertain = nullptr) {
  const HloProgram of = read_program(program());
  const Alignment alignment = align(names, of, 0);
  if (uncertain != nullptr) *uncertain = alignment.uncertain;
  Names out;
  for (const std::int32_t i : alignment.instructions)
    out.push_back(i < 0 ? "-" : of.instructions[static_cast<std::size_t>(i)].name);
  return out;
}

TEST(HloProgram, HasWhatLaunchesInTheOrderOfTheSchedule) {
  const HloProgram of = read_program(program());
  ASSERT_EQ(of.entry, 5U) << "parameters and tuples launch nothing";
  EXPECT_EQ(of.instructions[0].name, "copy.9");
  EXPECT_EQ(of.instructions[4].name, "loop_fusion.1");
  EXPECT_EQ(of.instructions[4].path, "jit(f)/jvp(b)/add") << "the first of two";
  EXPECT_TRUE(of.instructions[2].is_call);
}

TEST(Stem, IsTheNameWithoutNumbersInTheLettersOfKernels) {
  EXPECT_EQ(stem_of("loop_add_fusion.10"), "loop_add_fusion");
  EXPECT_EQ(stem_of("loop_add_fusion_10"), "loop_add_fusion");
  EXPECT_EQ(stem_of("gemm_fusion_dot.90.0"), "gemm_fusion_dot");
  EXPECT_EQ(stem_of("custom-call"), "custom_call");
  EXPECT_EQ(stem_of("memcpy128"), "memcpy128") << "the number is part of the word";
  EXPECT_EQ(stem_of("17"), "17");
}

TEST(Alignment, FollowsTheProgram) {
  EXPECT_EQ(aligned({"memcpy128", "loop_fusion_4", "Memset 0", "gemm_a", "gemm_b", "loop_fusion_4"}),
            (Names{"copy.9", "loop_fusion", "custom-call.3", "custom-call.3", "custom-call.7", "loop_fusion.1"}))
      << "equal instructions are compiled once, a set belongs to the call after it";
}

TEST(Alignment, KeepsSeveralKernelsOfACallTogether) {
  EXPECT_EQ(aligned({"loop_fusion", "gemm_a", "splitKreduce_kernel", "gemm_b", "loop_fusion"}),
            (Names{"loop_fusion", "custom-call.3", "custom-call.3", "custom-call.7", "loop_fusion.1"}));
}

TEST(Alignment, CountsWhatDoesNotFit) {
  std::size_t uncertain = 0;
  EXPECT_EQ(aligned({"loop_fusion", "a", "b", "c", "loop_fusion"}, &uncertain),
            (Names{"loop_fusion", "custom-call.3", "custom-call.7", "custom-call.7", "loop_fusion.1"}));
  EXPECT_EQ(uncertain, 3U);
  EXPECT_EQ(aligned({"other", "another"}), (Names{"-", "-"})) << "nothing is sure";
}

Profile profile_of(const test::Message& space) { return read_profile(space); }

test::PlaneEvent kernel(const std::string& name, std::int64_t at, const std::string& op, std::int64_t node) {
  test::PlaneEvent event{name, at * 1000, 5'000, {{"correlation_id", 7}, {"program_id", 12}}};
  if (node >= 0) event.numbers.emplace_back("cuda_graph_node_id", node);
  event.texts = {{"hlo_op", op}, {"hlo_module", "jit_f"}, {"tf_op", "XlaModule:"}, {"kernel_details", "regs:16"}};
  return event;
}

/// Names of the operators around each kernel, innermost first, then those of the modules.
std::vector<std::string> rows_of(const Profile& profile, const Operators& of) {
  std::vector<std::string> out;
  for (const OperatorRow& row : of.rows)
    out.push_back(std::string(profile.texts[row.name]) + " " + std::to_string(row.start) + "-" +
                  std::to_string(row.end));
  return out;
}

TEST(Operators, AreFoundByOrderInAGraph) {
  test::MadePlane device("/device:GPU:0"), metadata("/host:metadata");
  metadata.program("jit_f(12)", 12, program());
  device.line({"Stream #1",
               1,
               0,
               {kernel("loop_fusion", 10, "command_buffer_1", 0), kernel("gemm", 20, "command_buffer_1", 1),
                kernel("gemm", 30, "command_buffer_1", 2), kernel("loop_fusion", 34, "command_buffer_1", 3)}});
  const test::Message space = test::made_space({device, metadata});
  Profile profile = profile_of(space);
  const Operators of = find_operators(profile);
  EXPECT_EQ(of.by_order, 4U);
  EXPECT_EQ(of.unknown + of.uncertain, 0U);
  EXPECT_EQ(rows_of(profile, of),
            (std::vector<std::string>{"jit(f) 10-39", "jit(f)/jvp(a) 10-25", "mul 10-15", "loop_fusion 10-15",
                                      "dot 20-25", "custom-call.3 20-25", "jit(f)/jvp(b) 30-39", "dot 30-34",
                                      "custom-call.7 30-34", "add 34-39", "loop_fusion.1 34-39"}))
      << "an operator ends when the next of its stream begins, so that they nest by their times";
  EXPECT_EQ(of.of_work, (std::vector<std::int32_t>{3, 5, 8, 10}));
}

TEST(Operators, AreFoundPerFileInJoinedFiles) {
  test::MadePlane device("/device:GPU:0"), metadata("/host:metadata");
  metadata.program("jit_f(12)", 12, program());
  device.line({"Stream #1",
               1,
               0,
               {kernel("loop_fusion", 10, "command_buffer_1", 0), kernel("gemm", 20, "command_buffer_1", 1)}});
  const test::Message one = test::made_space({device, metadata}), both = one + one;
  Profile profile = profile_of(both);
  const Operators of = find_operators(profile);
  EXPECT_EQ(of.by_order, 4U);
  EXPECT_EQ(of.unknown + of.uncertain, 0U);
}

TEST(Operators, HaveAPathForNamedInstructions) {
  test::MadePlane device("/device:GPU:0"), metadata("/host:metadata");
  metadata.program("jit_f(12)", 12, program());
  device.line({"Stream #1", 1, 0, {kernel("gemm", 10, "custom-call.7", -1), kernel("x", 20, "stranger", -1)}});
  const test::Message space = test::made_space({device, metadata});
  Profile profile = profile_of(space);
  const Operators of = find_operators(profile);
  EXPECT_EQ(of.by_order, 0U);
  EXPECT_EQ(rows_of(profile, of), (std::vector<std::string>{"jit(f) 10-15", "jit(f)/jvp(b) 10-15", "dot 10-15",
                                                            "custom-call.7 10-15", "stranger 20-25"}));
}

TEST(Operators, CountToTheGraphWithoutItsProgram) {
  test::MadePlane device("/device:GPU:0");
  device.line({"Stream #1", 1, 0, {kernel("gemm", 10, "command_buffer_1", 0)}});
  const test::Message space = test::made_space({device});
  Profile profile = profile_of(space);
  EXPECT_EQ(rows_of(profile, find_operators(profile)), (std::vector<std::string>{"command_buffer_1 10-15"}));
}

}  // namespace operators_test
}  // namespace assay
