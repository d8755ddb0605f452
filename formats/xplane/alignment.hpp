// Which instruction each kernel of a command buffer belongs to. XLA launches a run of instructions as one CUDA graph;
// the profiler then knows the graph alone ("command_buffer_1"), but graphs run their nodes in the order of the program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hlo.hpp"

namespace assay::xplane {

inline constexpr std::int32_t kNoInstruction = -1;

struct Alignment {
  std::vector<std::int32_t> instructions;  ///< of each name: row of HloProgram::instructions
  std::size_t uncertain = 0;               ///< names between two sure ones of which the count does not fit
  std::int32_t last = kNoInstruction;      ///< the last instruction that was found

  /// Names without an instruction, and uncertain ones.
  [[nodiscard]] std::size_t misfits() const {
    return uncertain + static_cast<std::size_t>(std::ranges::count(instructions, kNoInstruction));
  }
};

/// Aligns what a graph ran, by name and in order, to the instructions of the entry computation from `first` on. Names
/// of generated kernels have the stem of their instruction; what lies between two of those belongs to the library calls
/// and copies between their instructions.
Alignment align(std::span<const std::string_view> names, const HloProgram& program, std::size_t first);

}  // namespace assay::xplane
