#include "formats/torch/interner.hpp"

#include <cstring>
#include <random>

#include "formats/torch/category.hpp"

namespace assay::load {
namespace {

constexpr std::size_t kFirstSlots = 1024;

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
  return hash ^ hash >> 32;
}

/// Drawn once per process: asking the operating system costs more than reading a small trace.
std::uint64_t seed() {
  static const std::uint64_t drawn = std::uint64_t{std::random_device()()} << 32 | std::random_device()();
  return drawn;
}

}  // namespace

NameInterner::NameInterner(TableSink& out) : out_(out), seed_(seed()), slots_(kFirstSlots) {}

std::uint64_t NameInterner::hash_of(std::string_view name) const {
  std::uint64_t hash = mix(seed_, name.size()), word = 0;
  for (; name.size() >= sizeof word; name.remove_prefix(sizeof word)) {
    std::memcpy(&word, name.data(), sizeof word);
    hash = mix(hash, word);
  }
  word = 0;
  if (!name.empty()) std::memcpy(&word, name.data(), name.size());
  return mix(hash, word) | 1;
}

StringId NameInterner::look_up(std::string_view name) {
  return name.find('\\') == std::string_view::npos ? out_.intern(name) : out_.intern(unescaped(name));
}

StringId NameInterner::intern(std::string_view name) {
  if (name.empty()) return 0;
  const std::uint64_t hash = hash_of(name);
  for (std::size_t slot = hash >> 1 & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
    Slot& at = slots_[slot];
    if (at.hash == hash && out_.text(at.id) == name) return at.id;
    if (at.hash != 0) continue;
    const StringId id = look_up(name);
    if (!(out_.text(id) == name)) return id;  // written with escapes, which is rare
    at = {hash, id};
    if (++used_ * 2 > slots_.size()) grow();
    return id;
  }
}

void NameInterner::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  for (const Slot& slot : slots_) {
    if (slot.hash == 0) continue;
    std::size_t to = slot.hash >> 1 & (larger.size() - 1);
    while (larger[to].hash != 0) to = (to + 1) & (larger.size() - 1);
    larger[to] = slot;
  }
  slots_ = std::move(larger);
}

}  // namespace assay::load
