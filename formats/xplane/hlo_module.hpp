// A program with what its instructions say of their work: shapes, operands, and what a fusion is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::xplane {

/// "f32[4096,768]". Numbers of elements and bytes are doubles: exact below 2^53, and never overflow.
struct HloArray {
  std::uint32_t type = 0;  ///< as xla.PrimitiveType numbers it
  std::vector<std::int64_t> dims;

  [[nodiscard]] double elements() const;
  [[nodiscard]] double bytes() const;
  /// Whether arithmetic on it is floating-point.
  [[nodiscard]] bool is_real() const;
};
/// "f32", "bf16", "pred"; empty: no array has it.
std::string_view type_name(std::uint32_t type);

struct ModuleInstruction {
  std::string_view name, opcode;
  std::string_view target, config;                       ///< of a custom call; its configuration is JSON
  std::string_view dot, convolution, window, precision;  ///< messages; empty: none
  std::vector<HloArray> results;                         ///< of a tuple its elements
  std::vector<std::int64_t> operands, called;            ///< ids of instructions and of computations
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
  /// Null: there is none; so below.
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
