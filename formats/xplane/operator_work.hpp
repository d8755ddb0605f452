// What an instruction of a program has to compute and to move at least, by its shapes.
//
// FLOPs: a multiplication and an addition are two. Of a product, attention or convolution its own alone, since what is
// fused around it runs on other units meanwhile; else one for each arithmetic operation on floating-point elements.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hlo_bytes.hpp"
#include "hlo_module.hpp"

namespace assay::xplane {

struct OperatorWork {
  double flops = 0;
  double bytes = 0;             ///< as ByteRules
  std::string_view kind;        ///< "matrix product"
  std::string_view arithmetic;  ///< of matrix units: "bf16", "tf32"; empty: it runs on others
  std::string dims, types;      ///< of the operands, JSON: [[4096,768],[768,2304]], ["f32","f32"]
};

class WorkRules {
 public:
  /// `tf32`: the device multiplies f32 as TF32 where the program leaves the precision to it.
  WorkRules(const HloModule& module, bool tf32) : module_(module), bytes_(module), tf32_(tf32) {}

  /// Nothing if the shapes do not tell: of collectives, loops, calls of unknown libraries. Throws Damage.
  std::optional<OperatorWork> work_of(std::string_view instruction);

 private:
  /// What matrix units do of an instruction.
  struct MatrixWork {
    double flops = 0;
    std::string_view kind = {}, arithmetic = {};
  };
  /// Sums over a computation and those that it calls.
  struct ComputationWork {
    double flops = 0;       ///< of arithmetic on other units
    double operations = 0;  ///< of it, by number of instructions: what a reduction does for each element
    MatrixWork matrix;      ///< FLOPs of all; the rest is that of the largest
    bool reduces = false;
    bool computes = false;  ///< not only moves elements
  };

  [[nodiscard]] std::optional<MatrixWork> call_work(const ModuleInstruction& call) const;
  [[nodiscard]] std::optional<MatrixWork> convolution_call_work(const ModuleInstruction& call) const;
  [[nodiscard]] std::optional<MatrixWork> attention_work(const ModuleInstruction& call) const;
  [[nodiscard]] std::optional<MatrixWork> product_work(const ModuleInstruction& of,
                                                       const std::vector<std::int64_t>& contracted,
                                                       std::string_view precision) const;
  [[nodiscard]] std::string_view arithmetic_of(std::uint32_t type, std::string_view precision) const;
  /// The array that an operand is; null: there is none.
  [[nodiscard]] const HloArray* operand(const ModuleInstruction& of, std::size_t number) const;
  const ComputationWork& computation_work(std::int64_t id);
  void add_work(const ModuleInstruction& instruction, ComputationWork& to);
  double vector_flops(const ModuleInstruction& instruction, ComputationWork& of);
  void describe_operands(const ModuleInstruction& instruction, OperatorWork& to) const;

  const HloModule& module_;
  ByteRules bytes_;
  bool tf32_;
  std::unordered_map<std::int64_t, ComputationWork> computations_;
  int depth_ = 0;  ///< of computations within each other
};

}  // namespace assay::xplane
