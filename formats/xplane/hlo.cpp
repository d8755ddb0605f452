#include "hlo.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "assay/detail/text.hpp"
#include "wire.hpp"

namespace assay::xplane {
namespace {

/// An instruction and its id in the schedule.
struct NumberedInstruction {
  HloInstruction instruction;
  std::string_view opcode;
  std::int64_t id = 0;
};

struct Computation {
  std::int64_t id = 0;
  std::vector<NumberedInstruction> instructions;
};

/// Instructions that launch nothing.
bool is_silent(std::string_view opcode) {
  constexpr std::string_view kSilent[] = {"parameter",    "constant",  "bitcast",        "get-tuple-element",
                                          "tuple",        "after-all", "add-dependency", "opt-barrier",
                                          "partition-id", "replica-id"};
  return std::ranges::find(kSilent, opcode) != std::end(kSilent);
}

NumberedInstruction read_instruction(std::string_view message) {
  NumberedInstruction read;
  each_field(message, [&](const Field& field) {
    if (field.is_bytes(1)) read.instruction.name = field.bytes;
    if (field.is_bytes(2)) read.opcode = field.bytes;
    if (field.is_number(35)) read.id = field.integer();
    if (!field.is_bytes(7)) return;
    each_field(field.bytes, [&](const Field& of_metadata) {  // for a fusion of several "a/b;a/c": the first
      if (of_metadata.is_bytes(2)) read.instruction.path = of_metadata.bytes.substr(0, of_metadata.bytes.find(';'));
    });
  });
  read.instruction.is_call = read.opcode == "custom-call";
  return read;
}

Computation read_computation(std::string_view message) {
  Computation computation;
  each_field(message, [&](const Field& field) {
    if (field.is_number(5)) computation.id = field.integer();
    if (field.is_bytes(2)) computation.instructions.push_back(read_instruction(field.bytes));
  });
  return computation;
}

/// Appends the ids of a repeated field, packed or not.
void add_ids(const Field& field, std::vector<std::int64_t>& ids) {
  if (field.is_number(1)) ids.push_back(field.integer());
  if (!field.is_bytes(1)) return;
  FieldReader packed(field.bytes);
  while (packed.left() > 0) ids.push_back(static_cast<std::int64_t>(packed.varint()));
}

/// Order of the instructions by computation id.
using Schedule = std::unordered_map<std::int64_t, std::vector<std::int64_t>>;

void read_schedule(std::string_view message, Schedule& schedule) {
  each_field(message, [&](const Field& entry) {
    if (!entry.is_bytes(1)) return;
    std::int64_t computation = 0;
    std::vector<std::int64_t> ids;
    each_field(entry.bytes, [&](const Field& field) {
      if (field.is_number(1)) computation = field.integer();
      if (field.is_bytes(2)) each_field(field.bytes, [&](const Field& of_sequence) { add_ids(of_sequence, ids); });
    });
    schedule[computation] = std::move(ids);
  });
}

/// Sorts the instructions of a computation by its schedule, if there is one.
void sort_by_schedule(Computation& computation, const Schedule& schedule) {
  const auto sequence = schedule.find(computation.id);
  if (sequence == schedule.end()) return;
  std::unordered_map<std::int64_t, std::size_t> place;
  for (const std::int64_t id : sequence->second) place.try_emplace(id, place.size());
  const auto index_of = [&](const NumberedInstruction& instruction) {
    const auto at = place.find(instruction.id);
    return at == place.end() ? place.size() : at->second;
  };
  std::ranges::stable_sort(computation.instructions, {}, index_of);
}

}  // namespace

std::string stem_of(std::string_view name) {
  for (std::size_t end = name.size(); end > 0 && is_digit(name[end - 1]);) {
    while (end > 0 && is_digit(name[end - 1])) --end;
    if (end == 0 || (name[end - 1] != '.' && name[end - 1] != '_')) break;
    name = name.substr(0, --end);
  }
  std::string stem(name);
  std::ranges::replace_if(stem, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return stem;
}

HloProgram read_program(std::string_view proto) {
  std::vector<Computation> computations;
  Schedule schedule;
  std::int64_t entry = 0;
  each_field(proto, [&](const Field& field) {
    if (!field.is_bytes(1)) return;
    each_field(field.bytes, [&](const Field& of_module) {
      if (of_module.is_bytes(3)) computations.push_back(read_computation(of_module.bytes));
      if (of_module.is_number(6)) entry = of_module.integer();
      if (of_module.is_bytes(7)) read_schedule(of_module.bytes, schedule);
    });
  });
  // Computations without a schedule are the bodies of fusions and reductions, which are not kernels of their own.
  std::erase_if(computations, [&](const Computation& one) { return one.id != entry && !schedule.contains(one.id); });
  std::ranges::stable_partition(computations, [&](const Computation& one) { return one.id == entry; });
  HloProgram program;
  for (Computation& computation : computations) {
    sort_by_schedule(computation, schedule);
    for (NumberedInstruction& of : computation.instructions) {
      if (is_silent(of.opcode)) continue;
      of.instruction.stem = stem_of(of.instruction.name);
      program.by_name.try_emplace(of.instruction.name, program.instructions.size());
      program.instructions.push_back(std::move(of.instruction));
    }
    if (computation.id == entry) program.entry = program.instructions.size();
  }
  return program;
}

}  // namespace assay::xplane
