// Code of a kernel in the cubin that a .ncu-rep embeds: instructions, what each waits for, and their source lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report.hpp"

namespace assay::ncu {

inline constexpr std::int64_t kInstructionBytes = 16;  ///< since Volta, the first that Nsight Compute profiles

struct Instruction {
  std::string_view opcode;           ///< mnemonic without modifiers; empty: not known
  std::uint32_t file = 0, line = 0;  ///< in KernelCode::files, where 0 is none; from 1
  std::int64_t waits_for = kNone;    ///< last instruction before it that sets a scoreboard it waits for
};
struct KernelCode {
  std::vector<Instruction> instructions;  ///< empty: the cubin lacks the kernel, or is not a readable ELF file
  std::vector<std::string> files;         ///< paths; the first is empty
};

/// The code of a kernel by its mangled name. Damaged line tables are read as far as they go, without a throw.
KernelCode kernel_code(std::string_view cubin, std::string_view kernel);

}  // namespace assay::ncu
