#include "hlo_module.hpp"

#include <algorithm>

#include "wire.hpp"

namespace assay::xplane {
namespace {

constexpr std::size_t kMaxDims = 64, kMaxOperands = 4096;
constexpr int kDeepestTuple = 8;

struct TypeInfo {
  std::string_view name;
  double bytes;
  bool real;
};

/// By xla.PrimitiveType. Half-byte elements count as 0.5 bytes.
constexpr TypeInfo kTypes[] = {
    {"", 0, false},          {"pred", 1, false},     {"s8", 1, false},   {"s16", 2, false},
    {"s32", 4, false},       {"s64", 8, false},      {"u8", 1, false},   {"u16", 2, false},
    {"u32", 4, false},       {"u64", 8, false},      {"f16", 2, true},   {"f32", 4, true},
    {"f64", 8, true},        {"", 0, false},         {"", 0, false},     {"c64", 8, true},
    {"bf16", 2, true},       {"", 0, false},         {"c128", 16, true}, {"f8e5m2", 1, true},
    {"f8e4m3fn", 1, true},   {"s4", 0.5, false},     {"u4", 0.5, false}, {"f8e4m3b11fnuz", 1, true},
    {"f8e5m2fnuz", 1, true}, {"f8e4m3fnuz", 1, true}};

const TypeInfo& info_of(std::uint32_t type) { return kTypes[type < std::size(kTypes) ? type : 0]; }

void add_numbers(const Field& field, std::uint32_t number, std::size_t most, std::vector<std::int64_t>& to) {
  if (field.is_number(number) && to.size() < most) to.push_back(field.integer());
  if (!field.is_bytes(number)) return;
  FieldReader packed(field.bytes);
  while (packed.left() > 0 && to.size() < most) to.push_back(static_cast<std::int64_t>(packed.varint()));
}

/// Appends the arrays of a shape: itself, or those of a tuple.
void read_shape(std::string_view message, int depth, std::vector<HloArray>& to) {
  HloArray array;
  bool tuple = false;
  each_field(message, [&](const Field& field) {
    if (field.is_number(2)) array.type = static_cast<std::uint32_t>(field.value);
    add_numbers(field, 3, kMaxDims, array.dims);
    if (!field.is_bytes(4)) return;
    tuple = true;
    if (depth < kDeepestTuple && to.size() < kMaxOperands) read_shape(field.bytes, depth + 1, to);
  });
  if (!tuple) to.push_back(std::move(array));
}

ModuleInstruction read_instruction(std::string_view message) {
  ModuleInstruction read;
  each_field(message, [&](const Field& field) {
    if (field.is_bytes(1)) read.name = field.bytes;
    if (field.is_bytes(2)) read.opcode = field.bytes;
    if (field.is_bytes(3)) read_shape(field.bytes, 0, read.results);
    if (field.is_number(9)) read.parameter = field.integer();
    if (field.is_bytes(15)) read.window = field.bytes;
    if (field.is_bytes(16)) read.convolution = field.bytes;
    if (field.is_bytes(28)) read.target = field.bytes;
    if (field.is_bytes(30)) read.dot = field.bytes;
    if (field.is_number(35)) read.id = field.integer();
    if (field.is_bytes(43)) read.config = field.bytes;
    if (field.is_bytes(51)) read.precision = field.bytes;
    add_numbers(field, 36, kMaxOperands, read.operands);
    add_numbers(field, 38, kMaxOperands, read.called);
  });
  return read;
}

template <class Map>
auto find(const Map& map, const typename Map::key_type& key) {
  const auto at = map.find(key);
  return at == map.end() ? nullptr : at->second;
}

}  // namespace

double HloArray::elements() const {
  double product = 1;
  for (const std::int64_t length : dims) product *= static_cast<double>(std::max<std::int64_t>(length, 0));
  return product;
}

double HloArray::bytes() const { return elements() * info_of(type).bytes; }
bool HloArray::is_real() const { return info_of(type).real; }
std::string_view type_name(std::uint32_t type) { return info_of(type).name; }

HloModule::HloModule(std::string_view proto, std::size_t limit) {
  const auto each_computation = [&](auto&& use) {
    each_field(proto, [&](const Field& module) {
      if (!module.is_bytes(1)) return;
      each_field(module.bytes, [&](const Field& field) {
        if (field.is_bytes(3)) use(field.bytes);
      });
    });
  };
  each_computation([&](std::string_view message) {
    each_field(message, [&](const Field& field) { size_ += field.is_bytes(2) ? 1U : 0U; });
  });
  if (size_ > limit) return;
  each_computation([&](std::string_view message) {
    ModuleComputation computation;
    std::int64_t id = 0;
    each_field(message, [&](const Field& field) {
      if (field.is_number(5)) id = field.integer();
      if (field.is_number(6)) computation.root = field.integer();
      if (field.is_bytes(2)) computation.instructions.push_back(read_instruction(field.bytes));
    });
    computations_.try_emplace(id, std::move(computation));
  });
  for (const auto& [id, computation] : computations_) {
    for (const ModuleInstruction& instruction : computation.instructions) {
      by_id_.try_emplace(instruction.id, &instruction);
      by_name_.try_emplace(instruction.name, &instruction);
    }
  }
}

const ModuleInstruction* HloModule::named(std::string_view name) const { return find(by_name_, name); }
const ModuleInstruction* HloModule::instruction(std::int64_t id) const { return find(by_id_, id); }

const ModuleComputation* HloModule::computation(std::int64_t id) const {
  const auto at = computations_.find(id);
  return at == computations_.end() ? nullptr : &at->second;
}

const ModuleInstruction* HloModule::operand(const ModuleInstruction& of, std::size_t number) const {
  return number < of.operands.size() ? instruction(of.operands[number]) : nullptr;
}

std::vector<std::int64_t> numbers_of(std::string_view message, std::uint32_t number) {
  std::vector<std::int64_t> out;
  each_field(message, [&](const Field& field) { add_numbers(field, number, kMaxDims, out); });
  return out;
}

}  // namespace assay::xplane
