// A program as compiled by XLA: its instructions in execution order, each with the path of the JAX code that it comes
// from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::xplane {

struct HloInstruction {
  std::string_view name;  ///< "loop_add_fusion.10"
  std::string_view path;  ///< "jit(step)/jvp(layer0)/mlp/add"; empty: unknown
  std::string stem;       ///< "loop_add_fusion", as stem_of
  bool is_call = false;   ///< a library call: a custom call
};

struct HloProgram {
  std::vector<HloInstruction> instructions;
  std::size_t entry = 0;  ///< this many instructions at the front are those of the entry computation that do work, in
                          ///< execution order
  std::unordered_map<std::string_view, std::size_t> by_name;
};

/// Reads an HloProto, which the result refers to. Throws Damage.
HloProgram read_program(std::string_view proto);

/// A name without its trailing numbers, with only letters, digits and '_': equal for the kernel "loop_add_fusion_10"
/// and the instruction "loop_add_fusion.10". XLA compiles equal instructions once, so the numbers of a kernel and its
/// instruction may differ.
std::string stem_of(std::string_view name);

}  // namespace assay::xplane
