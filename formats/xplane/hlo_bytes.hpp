// Least bytes of an instruction: each operand read once, each result written once.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "hlo_module.hpp"

namespace assay::xplane {

class ByteRules {
 public:
  explicit ByteRules(const HloModule& module) : module_(module) {}

  /// Of a fusion, what its computation needs of the operands: of one that is only sliced or gathered from the slices,
  /// of one that is updated in place nothing.
  double read(const ModuleInstruction& instruction);
  /// Of an update in place the update alone. Libraries return a workspace behind their result, which does not count.
  [[nodiscard]] double written(const ModuleInstruction& instruction) const;

 private:
  using ByParameter = std::unordered_map<std::int64_t, double>;

  [[nodiscard]] double root_bytes(const ModuleInstruction& root) const;
  [[nodiscard]] const ModuleComputation* fused(const ModuleInstruction& instruction) const;
  const ByParameter& reads_of(std::int64_t computation);

  const HloModule& module_;
  std::unordered_map<std::int64_t, ByParameter> reads_;  ///< by computation
};

}  // namespace assay::xplane
