// Finds the instruction of each kernel in a command buffer. XLA launches a sequence of instructions as one CUDA graph.
// The profiler only knows the graph ("command_buffer_1"), but graphs run their nodes in program order.
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
  std::vector<std::int32_t> instructions;  ///< for each name: row of HloProgram::instructions
  std::size_t uncertain = 0;               ///< names between two certain ones whose number does not fit
  std::int32_t last = kNoInstruction;      ///< the last instruction found

  /// Names without an instruction, and uncertain ones.
  [[nodiscard]] std::size_t misfits() const {
    return uncertain + static_cast<std::size_t>(std::ranges::count(instructions, kNoInstruction));
  }
};

/// Aligns the kernels of a graph, by name and order, to the instructions of the entry computation from `first` on. A
/// generated kernel has the stem of its instruction. Kernels between two generated ones belong to the library calls and
/// copies between their instructions.
Alignment align(std::span<const std::string_view> names, const HloProgram& program, std::size_t first);

}  // namespace assay::xplane
