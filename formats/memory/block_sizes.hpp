// The size of the block the allocator made for each allocation: the history has the requested size, while
// torch.cuda.memory_stats counts blocks.
#pragma once

#include <cstdint>
#include <map>

#include "snapshot.hpp"

namespace assay::memory_snapshot {

/// The size a request is rounded to (CUDACachingAllocator.cpp, round_size).
std::int64_t rounded_size(std::int64_t requested, const AllocatorSettings& settings);

/// Replays the splitting of blocks on one device. A block of more than 1 MiB takes the whole free block it is cut from
/// if at most 1 MiB would be left (should_split). Smaller blocks and blocks of expandable segments are always cut to
/// size. Events must be in order.
class BlockSizes {
 public:
  explicit BlockSizes(const AllocatorSettings& settings) : settings_(settings) {}

  void add_segment(std::int64_t address, std::int64_t size, bool expandable) {
    segments_[address] = {size, expandable};
  }
  void drop_segment(std::int64_t address) { segments_.erase(address); }
  /// A block known from before the history.
  void add_block(std::int64_t address, std::int64_t size);
  /// Size of the block of a new allocation. Outside of all known segments the request is not rounded.
  std::int64_t allocate(std::int64_t address, std::int64_t requested);
  /// Whether the size that `allocate` returned for an address is certain: the block is small, or something else begins
  /// where it ends.
  [[nodiscard]] bool is_exact(std::int64_t address, std::int64_t size) const;
  void free(std::int64_t address, std::int64_t size);

 private:
  struct Extent {
    std::int64_t size = 0;
    bool expandable = false;
  };

  const AllocatorSettings& settings_;
  std::map<std::int64_t, Extent> segments_;     // by address
  std::map<std::int64_t, std::int64_t> large_;  // blocks of more than 1 MiB in use
};

}  // namespace assay::memory_snapshot
