// Lower bound on the bytes of an instruction: each operand is read once and each result written once.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "hlo_module.hpp"

namespace assay::xplane {

class ByteRules {
 public:
  explicit ByteRules(const HloModule& module) : module_(module) {}

  /// For a fusion, the part of the operands that its computation needs: of a sliced or gathered operand only the
  /// slices, of one updated in place nothing.
  double read(const ModuleInstruction& instruction);
  /// For an update in place, only the update. Libraries return a workspace after their result, which does not count.
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
