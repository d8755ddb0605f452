// A program as XLA compiled it: the instructions in the order in which they run, each with the path of the JAX code
// that it comes from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::xplane {

struct HloInstruction {
  std::string_view name;  ///< "loop_add_fusion.10"
  std::string_view path;  ///< "jit(step)/jvp(layer0)/mlp/add"; empty: not said
  std::string stem;       ///< "loop_add_fusion", as stem_of
  bool is_call = false;   ///< of a library: a custom call
};

struct HloProgram {
  std::vector<HloInstruction> instructions;
  std::size_t entry = 0;  ///< the first so many are those of the entry computation that do work, in the order they run
  std::unordered_map<std::string_view, std::size_t> by_name;
};

/// Reads an HloProto. It borrows `proto`. Throws Damage.
HloProgram read_program(std::string_view proto);

/// A name without the numbers behind it, of letters, digits and '_': of a kernel "loop_add_fusion_10" and of the
/// instruction "loop_add_fusion.10" the same. XLA compiles equal instructions once, so that the numbers of a kernel and
/// its instruction differ.
std::string stem_of(std::string_view name);

}  // namespace assay::xplane
