// What stacks say: where in the program, in which module, and in which part of a step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/report.hpp"

namespace assay::memory {

/// What part of a program a stack lies in, by the files and functions of PyTorch that are in it.
enum class Part : std::uint8_t {
  kUnknown,    ///< without frames, as of the threads of autograd
  kForward,    ///< in the forward of a module
  kBackward,   ///< in autograd
  kRecompute,  ///< a forward that activation checkpointing runs again
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
  /// Whether a stack without frames is one of autograd's own threads: in a snapshot, if other stacks have frames. A
  /// trace has the operators of those threads.
  [[nodiscard]] bool autograd_has_none() const { return !parts_.empty() && !has_operators_; }
  /// "functional.py:2935 layer_norm < train.py:8 forward < train.py:23 <module>": the innermost frame, and those of the
  /// program's own files. Of a trace the operator that the program calls: "aten::layer_norm < train.py:8 forward".
  [[nodiscard]] std::string text(std::int64_t stack) const;
  /// "linear in train.py:9 forward": the module of PyTorch, and the innermost line of the program's own. Of a trace
  /// with modules their path, "ViT_0/Block_3/Linear_12".
  [[nodiscard]] std::string module(std::int64_t stack) const;

 private:
  [[nodiscard]] std::string_view file(std::size_t frame) const { return report_.string(file_[frame]); }
  [[nodiscard]] std::string_view function(std::size_t frame) const { return report_.string(function_[frame]); }
  [[nodiscard]] std::string frame_text(std::size_t frame) const;
  [[nodiscard]] bool is_own(std::size_t frame) const;
  /// The outermost of the operators that a stack ends with, as a trace has them; else its innermost frame.
  [[nodiscard]] std::size_t outermost_operator(std::size_t frame) const;
  [[nodiscard]] Part part_of_frame(std::size_t frame) const;

  const Report& report_;
  Column<std::int64_t> parent_, line_;
  Column<StringId> function_, file_;
  std::vector<Part> parts_;
  bool has_operators_;  ///< frames without a file, as a trace has them
};

}  // namespace assay::memory
