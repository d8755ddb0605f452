#include "load/strings.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace assay::load {

namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 18;

std::uint32_t hash_of(std::string_view text) { return static_cast<std::uint32_t>(std::hash<std::string_view>{}(text)); }

}  // namespace

std::size_t StringPool::slot_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].next_id != 0 && (slots_[at].hash != hash || views_[slots_[at].next_id - 1].view() != text)) {
    at = (at + 1) & mask;
  }
  return at;
}

StringId StringPool::intern(std::string_view text) {
  if ((views_.size() + 1) * 3 > slots_.size() * 2) grow();
  const std::uint32_t hash = hash_of(text);
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.next_id == 0) {
    views_.emplace_back(copy(text));
    slot = {static_cast<StringId>(views_.size()), hash};
  }
  return slot.next_id - 1;
}

std::optional<StringId> StringPool::find(std::string_view text) const {
  const StringId next_id = slots_[slot_of(text, hash_of(text))].next_id;
  return next_id == 0 ? std::nullopt : std::optional(next_id - 1);
}

std::string_view StringPool::copy(std::string_view text) {
  if (text.empty()) return "";
  if (text.size() > left_) {
    const std::size_t size = std::max(kChunkBytes, text.size());
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    free_ = chunks_.back().get();
    left_ = size;
    chunk_bytes_ += size;
  }
  std::memcpy(free_, text.data(), text.size());
  const std::string_view kept(free_, text.size());
  free_ += text.size();
  left_ -= text.size();
  return kept;
}

void StringPool::grow() {
  std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.next_id == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].next_id != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
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
