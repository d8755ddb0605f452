#include "hlo_bytes.hpp"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace assay::xplane {
namespace {

constexpr int kLongestChain = 32;  // of bitcasts

double bytes_of(const ModuleInstruction& instruction) {
  double sum = 0;
  for (const HloArray& result : instruction.results) sum += result.bytes();
  return sum;
}

bool renames(std::string_view opcode) { return opcode == "bitcast" || opcode == "reshape"; }
bool updates(std::string_view opcode) { return opcode == "dynamic-update-slice" || opcode == "scatter"; }
bool takes_part(std::string_view opcode) {
  return opcode == "slice" || opcode == "dynamic-slice" || opcode == "gather";
}

/// The bytes of its parameters that a computation reads.
class Reads {
 public:
  explicit Reads(const ModuleComputation& of) {
    for (const ModuleInstruction& user : of.instructions) {
      for (const std::int64_t operand : user.operands) {
        std::vector<const ModuleInstruction*>& users = users_[operand];
        if (users.empty() || users.back() != &user) users.push_back(&user);
      }
    }
  }

  [[nodiscard]] double touched_bytes(const ModuleInstruction& array, int depth = 0) const {
    const double whole = bytes_of(array);
    const auto users = users_.find(array.id);
    if (users == users_.end()) return 0;
    double sum = 0;
    for (const ModuleInstruction* user : users->second) {
      sum += bytes_read_by(*user, array, depth);
      if (sum >= whole) return whole;
    }
    return sum;
  }

 private:
  [[nodiscard]] double bytes_read_by(const ModuleInstruction& user, const ModuleInstruction& array, int depth) const {
    const bool first_only = std::ranges::count(user.operands, array.id) == 1 && user.operands.front() == array.id;
    if (!first_only || depth == kLongestChain) return bytes_of(array);
    if (renames(user.opcode)) return touched_bytes(user, depth + 1);
    if (takes_part(user.opcode)) return bytes_of(user);
    return updates(user.opcode) ? 0 : bytes_of(array);
  }

  std::unordered_map<std::int64_t, std::vector<const ModuleInstruction*>> users_;
};

}  // namespace

const ModuleComputation* ByteRules::fused(const ModuleInstruction& instruction) const {
  if (instruction.opcode != "fusion" || instruction.called.empty()) return nullptr;
  return module_.computation(instruction.called.front());
}

const ByteRules::ByParameter& ByteRules::reads_of(std::int64_t computation) {
  const auto [at, fresh] = reads_.try_emplace(computation);
  if (!fresh) return at->second;
  const ModuleComputation& inside = *module_.computation(computation);
  const Reads reads(inside);
  for (const ModuleInstruction& instruction : inside.instructions) {
    if (instruction.opcode == "parameter")
      at->second.try_emplace(instruction.parameter, reads.touched_bytes(instruction));
  }
  return at->second;
}

double ByteRules::read(const ModuleInstruction& instruction) {
  const ByParameter* const inside = fused(instruction) == nullptr ? nullptr : &reads_of(instruction.called.front());
  std::unordered_set<std::int64_t> seen;
  double sum = 0;
  for (std::size_t o = 0; o < instruction.operands.size(); ++o) {
    const ModuleInstruction* const operand = module_.operand(instruction, o);
    if (operand == nullptr || !seen.insert(operand->id).second) continue;
    double bytes = bytes_of(*operand);
    if (inside != nullptr) {
      const auto part = inside->find(static_cast<std::int64_t>(o));
      if (part != inside->end()) bytes = part->second;
    } else if (o == 0 && takes_part(instruction.opcode)) {
      bytes = std::min(bytes, bytes_of(instruction));
    } else if (o == 0 && updates(instruction.opcode)) {
      bytes = 0;
    }
    sum += bytes;
  }
  return sum;
}

/// For the root of a computation.
double ByteRules::root_bytes(const ModuleInstruction& root) const {
  const ModuleInstruction* at = &root;
  for (int step = 0; step < kLongestChain && renames(at->opcode); ++step) {
    const ModuleInstruction* const operand = module_.operand(*at, 0);
    if (operand == nullptr) break;
    at = operand;
  }
  if (!updates(at->opcode)) return bytes_of(root);
  // dynamic-update-slice(array, update, indices...), scatter(n arrays, indices, n updates)
  const std::size_t n = at->operands.size();
  const bool scatter = at->opcode == "scatter";
  double sum = 0;
  for (std::size_t o = scatter ? n / 2 + 1 : 1; o < (scatter ? n : std::min<std::size_t>(n, 2)); ++o) {
    const ModuleInstruction* const update = module_.operand(*at, o);
    sum += update == nullptr ? 0 : bytes_of(*update);
  }
  return std::min(sum, bytes_of(root));
}

double ByteRules::written(const ModuleInstruction& instruction) const {
  if (instruction.opcode == "custom-call") return instruction.results.empty() ? 0 : instruction.results.front().bytes();
  const ModuleComputation* const inside = fused(instruction);
  const ModuleInstruction* const root = inside == nullptr ? nullptr : module_.instruction(inside->root);
  if (root == nullptr) return root_bytes(instruction);
  if (root->opcode != "tuple") return root_bytes(*root);
  double sum = 0;
  for (std::size_t o = 0; o < root->operands.size(); ++o) {
    const ModuleInstruction* const part = module_.operand(*root, o);
    sum += part == nullptr ? 0 : root_bytes(*part);
  }
  return sum;
}

}  // namespace assay::xplane
