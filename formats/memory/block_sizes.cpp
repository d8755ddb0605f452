#include "block_sizes.hpp"

#include <algorithm>
#include <bit>

namespace assay::memory_snapshot {
namespace {

constexpr std::int64_t kSmallest = 512;   // kMinBlockSize
constexpr std::int64_t kSmall = 1 << 20;  // kSmallSize: requests up to this size use separate segments

/// Number of steps between powers of 2 that a size is rounded to (roundup_power2_divisions); 1: not configured.
std::int64_t parts_at(std::int64_t size, const AllocatorSettings& settings) {
  constexpr std::uint64_t kLast = 32768;  // MiB, the last interval of the allocator
  const auto interval = std::clamp<std::uint64_t>(std::bit_floor(static_cast<std::uint64_t>(size) >> 20U), 1, kLast);
  const auto at = settings.power2_parts.find(static_cast<std::int64_t>(interval));
  return at == settings.power2_parts.end() ? 1 : at->second;
}

}  // namespace

std::int64_t rounded_size(std::int64_t requested, const AllocatorSettings& settings) {
  if (requested < kSmallest) return kSmallest;
  const std::int64_t parts = settings.power2_parts.empty() ? 1 : parts_at(requested, settings);
  if (parts > 1 && requested > kSmallest * parts && std::has_single_bit(static_cast<std::uint64_t>(parts))) {
    const auto floor = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(requested)));
    const std::int64_t part = std::max<std::int64_t>(floor / parts, 1);
    return (requested + part - 1) / part * part;
  }
  return requested + (kSmallest - 1) - (requested + kSmallest - 1) % kSmallest;
}

void BlockSizes::add_block(std::int64_t address, std::int64_t size) {
  if (size > kSmall) large_[address] = size;
}

std::int64_t BlockSizes::allocate(std::int64_t address, std::int64_t requested) {
  const auto after = segments_.upper_bound(address);
  if (after == segments_.begin()) return requested;
  const auto& [begin, extent] = *std::prev(after);
  if (address >= begin + extent.size) return requested;
  const std::int64_t size = rounded_size(requested, settings_);
  if (size <= kSmall || extent.expandable) return size;
  const auto next = large_.lower_bound(address);
  const std::int64_t segment_end = begin + extent.size;
  const std::int64_t end = next == large_.end() ? segment_end : std::min(segment_end, next->first);
  const std::int64_t left = end - address - size;
  const bool splits = left > kSmall && (settings_.max_split < 0 || size < settings_.max_split);
  const std::int64_t block = left > 0 && !splits ? size + left : size;
  large_.insert_or_assign(next, address, block);
  return block;
}

bool BlockSizes::is_exact(std::int64_t address, std::int64_t size) const {
  const auto after = segments_.upper_bound(address);
  if (size <= kSmall || after == segments_.begin()) return true;
  const auto& [begin, extent] = *std::prev(after);
  return extent.expandable || address + size >= begin + extent.size || large_.contains(address + size);
}

void BlockSizes::free(std::int64_t address, std::int64_t size) {
  if (size > kSmall) large_.erase(address);
}

}  // namespace assay::memory_snapshot
