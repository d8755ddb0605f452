#include "alignment.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace assay::xplane {
namespace {

/// Instructions that may be skipped between two matches: kernels of other instructions may have other names.
constexpr std::size_t kReach = 64;

bool is_set(std::string_view name) { return name.starts_with("Memset"); }

/// Further kernels of the previous call: "splitKreduce_kernel".
bool continues_call(std::string_view name) {
  return name.find("splitK") != std::string_view::npos || name.find("reduce") != std::string_view::npos;
}

class Aligner {
 public:
  Aligner(std::span<const std::string_view> names, const HloProgram& program)
      : names_(names), program_(program), stems_(names.size()) {
    std::unordered_set<std::string_view> of_program;
    for (std::size_t i = 0; i < program.entry; ++i) {
      if (!program.instructions[i].is_call) of_program.insert(program.instructions[i].stem);
    }
    std::unordered_map<std::string_view, std::string_view> known;
    for (std::size_t n = 0; n < names.size(); ++n) {
      const auto [at, fresh] = known.try_emplace(names[n]);
      if (fresh) {
        const auto stem = of_program.find(stem_of(names[n]));
        if (stem != of_program.end()) at->second = *stem;
      }
      stems_[n] = at->second;
    }
    for (const auto& [name, stem] : known) {
      if (!stem.empty()) places_.try_emplace(stem);
    }
    generated_before_.push_back(0);
    for (std::size_t i = 0; i < program.entry; ++i) {
      const bool generated = is_generated(i);
      if (generated) places_.find(program.instructions[i].stem)->second.push_back(i);
      generated_before_.push_back(generated_before_.back() + (generated ? 1 : 0));
    }
  }

  Alignment align(std::size_t first) {
    out_.instructions.assign(names_.size(), kNoInstruction);
    std::size_t next_name = 0, next = first;
    bool found_any = false;
    for (std::size_t n = 0; n < names_.size(); ++n) {
      if (stems_[n].empty()) continue;
      const std::size_t i = find(stems_[n], next, found_any ? kReach : program_.entry);
      if (i == program_.entry) continue;  // compiled for no instruction nearby
      share_out(next_name, n, next, i);
      out_.instructions[n] = static_cast<std::int32_t>(i);
      next_name = n + 1;
      next = i + 1;
      found_any = true;
    }
    if (found_any)
      share_out(next_name, names_.size(), next, std::min(next + names_.size() - next_name, program_.entry));
    for (const std::int32_t instruction : out_.instructions) out_.last = std::max(out_.last, instruction);
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_generated(std::size_t instruction) const {
    const HloInstruction& of = program_.instructions[instruction];
    return !of.is_call && places_.contains(of.stem);
  }

  /// The next instruction with that stem, with fewer than this many generated ones before it; HloProgram::entry: none.
  [[nodiscard]] std::size_t find(std::string_view stem, std::size_t from, std::size_t reach) const {
    const std::vector<std::size_t>& places = places_.find(stem)->second;
    const auto at = std::ranges::lower_bound(places, from);
    if (at == places.end() || generated_before_[*at] - generated_before_[from] > reach) return program_.entry;
    return *at;
  }

  /// Distributes names [from, to) over the instructions in [first, last) that have no kernels of their own name.
  void share_out(std::size_t from, std::size_t to, std::size_t first, std::size_t last) {
    if (from == to) return;
    std::vector<std::size_t> calls, all;
    for (std::size_t i = first; i < last; ++i) {
      if (is_generated(i)) continue;
      all.push_back(i);
      if (program_.instructions[i].is_call) calls.push_back(i);
    }
    std::vector<std::size_t> group(to - from, 0);
    for (std::size_t n = from + 1; n < to; ++n) {
      const bool goes_on = is_set(names_[n - 1]) || (!is_set(names_[n]) && continues_call(names_[n]));
      group[n - from] = group[n - 1 - from] + (goes_on ? 0 : 1);
    }
    const std::size_t groups = group.back() + 1;
    const std::vector<std::size_t>& candidates = all.size() != groups && !calls.empty() ? calls : all;
    if (candidates.empty()) {
      out_.uncertain += to - from;
      return;
    }
    if (candidates.size() != groups && candidates.size() > 1) out_.uncertain += to - from;
    for (std::size_t n = from; n < to; ++n)
      out_.instructions[n] = static_cast<std::int32_t>(candidates[std::min(group[n - from], candidates.size() - 1)]);
  }

  std::span<const std::string_view> names_;
  const HloProgram& program_;
  std::vector<std::string_view> stems_;  ///< of names of generated kernels; empty for others
  /// Instructions by stem, for stems that occur among the names.
  std::unordered_map<std::string_view, std::vector<std::size_t>> places_;
  std::vector<std::size_t> generated_before_;  ///< number of generated kernels before each instruction
  Alignment out_;
};

}  // namespace

Alignment align(std::span<const std::string_view> names, const HloProgram& program, std::size_t first) {
  return Aligner(names, program).align(first);
}

}  // namespace assay::xplane
