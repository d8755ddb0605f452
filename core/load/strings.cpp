#include "load/strings.hpp"

namespace assay::load {

StringId StringPool::intern(std::string_view text) {
  if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
  const std::string& stored = texts_.emplace_back(text);
  const auto id = static_cast<StringId>(views_.size());
  views_.emplace_back(stored);
  ids_.emplace(stored, id);
  text_bytes_ += sizeof(std::string) + stored.size();
  return id;
}

std::optional<StringId> StringPool::find(std::string_view text) const {
  const auto known = ids_.find(text);
  return known == ids_.end() ? std::nullopt : std::optional(known->second);
}

std::size_t KeyInterner::slot_of(std::int64_t key) const {
  auto hash = static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15ULL;
  hash ^= hash >> 32;
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0 && keys_[slots_[slot] - 1] != key) slot = (slot + 1) & mask;
  return slot;
}

std::optional<std::uint32_t> KeyInterner::find(std::int64_t key) const {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t found = slots_[slot_of(key)];
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

std::uint32_t KeyInterner::look_up(std::int64_t key) {
  if (keys_.size() * 2 >= slots_.size()) grow();
  std::uint32_t& slot = slots_[slot_of(key)];
  if (slot == 0) {
    keys_.push_back(key);
    slot = static_cast<std::uint32_t>(keys_.size());
  }
  return slot - 1;
}

void KeyInterner::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
  for (std::uint32_t number = 0; number < keys_.size(); ++number) slots_[slot_of(keys_[number])] = number + 1;
}

}  // namespace assay::load
