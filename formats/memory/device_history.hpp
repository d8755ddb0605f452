// Replays the history of one device: lifetime of each allocation, size of its block, memory in use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/report.hpp"
#include "block_sizes.hpp"
#include "snapshot.hpp"

namespace assay::memory_snapshot {

/// Columns of the allocations, those from before the history first, then by begin.
struct AllocationColumns {
  std::span<std::int64_t> begin, end;                ///< ns; allocated before the history: its begin; never freed: its
                                                     ///< end
  std::span<std::int64_t> address, size, requested;  ///< bytes: of the block, and as requested
  std::span<std::int64_t> stream;                    ///< kNone: unknown
  std::span<std::int64_t> device;
  std::span<std::int64_t> stack;                   ///< number of a stack of the snapshot
  std::span<std::uint32_t> context;                ///< text of the snapshot; 0: nothing was being compiled
  std::span<std::int64_t> allocated_by, freed_by;  ///< rows of changes; kNone: before or after the history

  template <class Use>
  void each(Use&& use) {
    use(begin);
    use(end);
    use(address);
    use(size);
    use(requested);
    use(stream);
    use(device);
    use(stack);
    use(context);
    use(allocated_by);
    use(freed_by);
  }
};

/// Columns of the changes: one row per allocation and per free, in order.
struct ChangeColumns {
  std::span<std::int64_t> time;  ///< ns
  std::span<std::int32_t> device;
  std::span<std::int64_t> bytes;                ///< of the block; negative when freed
  std::span<std::int64_t> allocated, reserved;  ///< bytes on the device afterwards

  template <class Use>
  void each(Use&& use) {
    use(time);
    use(device);
    use(bytes);
    use(allocated);
    use(reserved);
  }
};

/// Ambiguities in the history, as numbers of cases.
struct HistoryDoubts {
  std::int64_t unknown_actions = 0;  ///< events of unknown kinds
  std::int64_t unread = 0;           ///< events whose address, size or kind cannot be read; nobody knows from then on
                                     ///< how much is in use
  std::int64_t unknown_sizes = 0;    ///< blocks from before the history whose size is known only to within 1 MiB
  std::int64_t unexplained = 0;      ///< blocks in use at the end that no event explains, or vice versa
  std::int64_t allocated_twice = 0;  ///< allocations at an address already in use
};

/// A request for which the device had no memory.
struct Failure {
  std::int64_t time = 0;  ///< us since the epoch
  std::int32_t device = 0;
  bool retried = false;        ///< the allocator released segments and then succeeded
  std::int64_t requested = 0;  ///< bytes
  std::int64_t free = 0;       ///< bytes free on the device ("oom"), or released
  std::uint32_t stack = 0;
};

/// An address at which blocks begin, during the replay.
struct Place {
  enum class State : std::uint8_t { kUnknown, kFree, kInUse, kFreeRequested };

  std::int64_t address = 0;
  std::int64_t size = 0;         ///< of the block in use
  std::int64_t requested = 0;    ///< of a block from before the history
  const Block* last = nullptr;   ///< the block in use at the end
  std::int64_t stream = -1;      ///< of the segment at the end; -1: unknown
  std::int64_t row = kNone;      ///< of the current allocation
  std::int32_t allocations = 0;  ///< to come
  State state = State::kUnknown;
  State before = State::kFree;  ///< at the beginning of the history
};

class DeviceHistory {
 public:
  /// Counts rows. Replaces the addresses in the events of the device by place numbers.
  DeviceHistory(Snapshot& snapshot, std::int32_t device, Slice events);

  [[nodiscard]] std::size_t allocation_rows() const { return allocation_rows_; }
  [[nodiscard]] std::size_t change_rows() const { return change_rows_; }

  /// Fills the rows from `first_allocation` and `first_change` on, times in us since the epoch. Allocated before the
  /// history: `begin`; never freed: `end`. Call once.
  void write(std::int64_t begin, std::int64_t end, AllocationColumns allocations, std::size_t first_allocation,
             ChangeColumns changes, std::size_t first_change);

  HistoryDoubts doubts;
  std::vector<Failure> failures;

 private:
  struct Output;

  /// Number of the place at an address; adds it if new.
  std::size_t index_of_address(std::int64_t address, Interner& addresses);
  void scan_use(Event& event, std::size_t number);
  void scan_block(const Block& block, Place& place);
  void finish_scan();
  void find_retries();
  /// Adds the segments of the history to `sizes`. Returns the bytes reserved at the beginning.
  std::int64_t begin_segments(BlockSizes& sizes) const;
  void start_places(BlockSizes& sizes, Output& to);
  static void make_block(Place& place, std::int64_t requested, BlockSizes& sizes);
  void apply(const Event& event, BlockSizes& sizes, Output& to);
  void begin_allocation(const Event& event, Place& place, std::int64_t change, Output& to) const;

  Snapshot& snapshot_;
  std::int32_t device_;
  Slice events_;
  bool has_requests_ = false;  ///< frees are recorded twice, as requested and as completed
  std::vector<Place> places_;
  std::vector<std::size_t> segment_events_;
  std::size_t allocation_rows_ = 0, change_rows_ = 0;
};

}  // namespace assay::memory_snapshot
