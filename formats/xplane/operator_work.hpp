// Lower bounds on what an instruction of a program computes and moves, derived from its shapes.
//
// FLOPs: a multiplication and an addition are two. For a product, attention or convolution only its own FLOPs, since
// what is fused with it runs on other units at the same time; for others one per floating-point operation.
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
  std::string_view arithmetic;  ///< of matrix units: "bf16", "tf32"; empty: runs on other units
  std::string dims, types;      ///< of the operands, JSON: [[4096,768],[768,2304]], ["f32","f32"]
};

class WorkRules {
 public:
  /// `tf32`: the device multiplies f32 as TF32 unless the program sets the precision.
  WorkRules(const HloModule& module, bool tf32) : module_(module), bytes_(module), tf32_(tf32) {}

  /// Empty if the shapes do not determine it: collectives, loops, calls of unknown libraries. Throws Damage.
  std::optional<OperatorWork> work_of(std::string_view instruction);

 private:
  /// The part of an instruction done by matrix units.
  struct MatrixWork {
    double flops = 0;
    std::string_view kind = {}, arithmetic = {};
  };
  /// Sums over a computation and the ones it calls.
  struct ComputationWork {
    double flops = 0;       ///< of arithmetic on other units
    double operations = 0;  ///< arithmetic instructions: what a reduction does per element
    MatrixWork matrix;      ///< FLOPs of all matrix work; the other members are those of the largest
    bool reduces = false;
    bool computes = false;  ///< does more than move elements
  };

  [[nodiscard]] std::optional<MatrixWork> call_work(const ModuleInstruction& call) const;
  [[nodiscard]] std::optional<MatrixWork> convolution_call_work(const ModuleInstruction& call) const;
  [[nodiscard]] std::optional<MatrixWork> attention_work(const ModuleInstruction& call) const;
  [[nodiscard]] std::optional<MatrixWork> product_work(const ModuleInstruction& of,
                                                       const std::vector<std::int64_t>& contracted,
                                                       std::string_view precision) const;
  [[nodiscard]] std::string_view arithmetic_of(std::uint32_t type, std::string_view precision) const;
  /// The array of an operand; null if there is none.
  [[nodiscard]] const HloArray* operand(const ModuleInstruction& of, std::size_t number) const;
  const ComputationWork& computation_work(std::int64_t id);
  void add_work(const ModuleInstruction& instruction, ComputationWork& to);
  double vector_flops(const ModuleInstruction& instruction, ComputationWork& of);
  void describe_operands(const ModuleInstruction& instruction, OperatorWork& to) const;

  const HloModule& module_;
  ByteRules bytes_;
  bool tf32_;
  std::unordered_map<std::int64_t, ComputationWork> computations_;
  int depth_ = 0;  ///< nesting of computations
};

}  // namespace assay::xplane
