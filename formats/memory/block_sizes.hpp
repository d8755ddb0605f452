// How large the allocator made the block of each allocation: the history has what was requested,
// torch.cuda.memory_stats counts blocks.
#pragma once

#include <cstdint>
#include <map>

#include "snapshot.hpp"

namespace assay::memory_snapshot {

/// What a request is rounded to (CUDACachingAllocator.cpp, round_size).
std::int64_t rounded_size(std::int64_t requested, const AllocatorSettings& settings);

/// Replays the splitting of blocks on one device. A block of more than 1 MiB takes all of the free block that it is cut
/// from if no more than 1 MiB of that would be left (should_split); blocks of expandable segments and smaller ones are
/// always cut to size. Events in their order.
class BlockSizes {
 public:
  explicit BlockSizes(const AllocatorSettings& settings) : settings_(settings) {}

  void add_segment(std::int64_t address, std::int64_t size, bool expandable) {
    segments_[address] = {size, expandable};
  }
  void drop_segment(std::int64_t address) { segments_.erase(address); }
  /// A block that is known, from before the history.
  void add_block(std::int64_t address, std::int64_t size);
  /// Size of the block of a new allocation. Outside of every known segment the request is not rounded.
  std::int64_t allocate(std::int64_t address, std::int64_t requested);
  /// Whether no block of another size can have been at an address, which `allocate` gave this size: it is small, or
  /// something else begins where it ends.
  [[nodiscard]] bool is_exact(std::int64_t address, std::int64_t size) const;
  void free(std::int64_t address, std::int64_t size);

 private:
  struct Extent {
    std::int64_t size = 0;
    bool expandable = false;
  };

  const AllocatorSettings& settings_;
  std::map<std::int64_t, Extent> segments_;     // by address
  std::map<std::int64_t, std::int64_t> large_;  // blocks in use of more than 1 MiB
};

}  // namespace assay::memory_snapshot
