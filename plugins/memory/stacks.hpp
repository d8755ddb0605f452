// Classifies stacks: location in the program, module, and part of a step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/report.hpp"

namespace assay::memory {

/// The part of a program that a stack belongs to, by the PyTorch files and functions in it.
enum class Part : std::uint8_t {
  kUnknown,    ///< without frames, as for threads of autograd
  kForward,    ///< in the forward of a module
  kBackward,   ///< in autograd
  kRecompute,  ///< a forward pass repeated by activation checkpointing
  kOptimizer,
  kProgram,  ///< in anything else
};

/// Frames of memory_stacks.
class Stacks {
 public:
  Stacks(const Report& report, const DeclaredTable& table);

  [[nodiscard]] std::size_t rows() const { return parts_.size(); }
  /// kUnknown for kNone.
  [[nodiscard]] Part part(std::int64_t stack) const {
    return stack == kNone ? Part::kUnknown : parts_[static_cast<std::size_t>(stack)];
  }
  /// Whether a stack without frames is from autograd's own threads: in a snapshot, if other stacks have frames. A trace
  /// has the operators of those threads.
  [[nodiscard]] bool autograd_has_none() const { return !parts_.empty() && !has_operators_; }
  /// "functional.py:2935 layer_norm < train.py:8 forward < train.py:23 <module>": the innermost frame and those in the
  /// program's own files. For a trace, the operator called by the program: "aten::layer_norm < train.py:8 forward".
  [[nodiscard]] std::string text(std::int64_t stack) const;
  /// "linear in train.py:9 forward": the PyTorch module, and the innermost line of the program itself. For a trace with
  /// modules their path, "ViT_0/Block_3/Linear_12".
  [[nodiscard]] std::string module(std::int64_t stack) const;

 private:
  [[nodiscard]] std::string_view file(std::size_t frame) const { return report_.string(file_[frame]); }
  [[nodiscard]] std::string_view function(std::size_t frame) const { return report_.string(function_[frame]); }
  [[nodiscard]] std::string frame_text(std::size_t frame) const;
  [[nodiscard]] bool is_own(std::size_t frame) const;
  /// The outermost of the operators at the end of a stack, for traces; otherwise its innermost frame.
  [[nodiscard]] std::size_t outermost_operator(std::size_t frame) const;
  [[nodiscard]] Part part_of_frame(std::size_t frame) const;

  const Report& report_;
  Column<std::int64_t> parent_, line_;
  Column<StringId> function_, file_;
  std::vector<Part> parts_;
  bool has_operators_;  ///< frames without a file, as in a trace
};

}  // namespace assay::memory
