// A program with the properties of its instructions that determine their work: shapes, operands, and the bodies of
// fusions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::xplane {

/// "f32[4096,768]". Numbers of elements and bytes are doubles: exact below 2^53, without overflow.
struct HloArray {
  std::uint32_t type = 0;  ///< numbered as xla.PrimitiveType
  std::vector<std::int64_t> dims;

  [[nodiscard]] double elements() const;
  [[nodiscard]] double bytes() const;
  /// Whether its arithmetic is floating-point.
  [[nodiscard]] bool is_real() const;
};
/// "f32", "bf16", "pred"; empty: not an array type.
std::string_view type_name(std::uint32_t type);

struct ModuleInstruction {
  std::string_view name, opcode;
  std::string_view target, config;                       ///< of a custom call; its configuration is JSON
  std::string_view dot, convolution, window, precision;  ///< messages; empty: none
  std::vector<HloArray> results;                         ///< for a tuple its elements
  std::vector<std::int64_t> operands, called;            ///< ids of instructions and computations
  std::int64_t id = 0, parameter = 0;
};

struct ModuleComputation {
  std::vector<ModuleInstruction> instructions;
  std::int64_t root = 0;  ///< id
};

/// Borrows the HloProto.
class HloModule {
 public:
  /// Throws Damage. A module of more than `limit` instructions is left empty.
  HloModule(std::string_view proto, std::size_t limit);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Null if there is none; also below.
  [[nodiscard]] const ModuleInstruction* named(std::string_view name) const;
  [[nodiscard]] const ModuleInstruction* instruction(std::int64_t id) const;
  [[nodiscard]] const ModuleComputation* computation(std::int64_t id) const;
  [[nodiscard]] const ModuleInstruction* operand(const ModuleInstruction& of, std::size_t number) const;

 private:
  std::unordered_map<std::int64_t, ModuleComputation> computations_;
  std::unordered_map<std::int64_t, const ModuleInstruction*> by_id_;
  std::unordered_map<std::string_view, const ModuleInstruction*> by_name_;
  std::size_t size_ = 0;
};

/// Numbers of a repeated field `number` of a message, packed or not; at most 64, more than any array has dims.
std::vector<std::int64_t> numbers_of(std::string_view message, std::uint32_t number);

}  // namespace assay::xplane
