// What torch.cuda.memory._dump_snapshot writes: the allocator's segments and blocks when it was written, and the
// history of what led there.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "interner.hpp"

namespace assay::memory_snapshot {

enum class Action : std::uint8_t {
  kOther,  ///< "snapshot", "user_defined" and what is not known
  kAlloc,
  kFreeRequested,
  kFreeCompleted,
  kSegmentAlloc,
  kSegmentFree,
  kSegmentMap,
  kSegmentUnmap,
  kOutOfMemory,
};

/// One entry of a device's trace.
struct Event {
  std::int64_t time = 0;      ///< us since the epoch
  std::int64_t address = 0;   ///< kOutOfMemory: bytes that were free on the device
  std::int64_t size = 0;      ///< bytes as requested; of segments as they are
  std::uint32_t stack = 0;    ///< number of stacks
  std::uint32_t context = 0;  ///< text: what was being compiled; 0: nothing
  std::uint32_t stream = 0;   ///< number of streams
  Action action = Action::kOther;
};

/// Whether addresses, sizes and times are such as a computer has: they can be added without running over.
bool is_possible(const Event& event);

enum class BlockState : std::uint8_t {
  kInactive,
  kAllocated,
  kAwaitingFree,  ///< freed, but work on another stream may still use it
};

struct Block {
  std::int64_t address = 0, size = 0, requested = 0;
  std::uint32_t stack = 0;
  BlockState state = BlockState::kInactive;
};

/// A slice of a table.
struct Slice {
  std::size_t first = 0, count = 0;
};

struct Segment {
  std::int64_t address = 0, size = 0, device = 0, stream = 0;
  std::uint32_t type = 0;  ///< text: "small", "large"
  std::uint32_t stack = 0;
  bool expandable = false;
  Slice blocks;
};

/// Begin or end of a record_function range.
struct Mark {
  std::int64_t time = 0;  ///< us since the epoch
  std::int64_t device = 0;
  std::uint32_t name = 0;  ///< text
  bool begins = false;
};

struct Frame {
  std::uint32_t function = 0, file = 0;  ///< texts
  std::int32_t line = 0;
};

/// allocator_settings, as far as sizes of blocks follow from them.
struct AllocatorSettings {
  bool expandable = false;
  std::int64_t max_split = -1;                        ///< bytes; -1: no limit
  std::map<std::int64_t, std::int64_t> power2_parts;  ///< by size in MiB: parts that a power of 2 is rounded to
};

struct Snapshot {
  Interner texts;
  Interner frames;            ///< a Frame each
  Interner stacks;            ///< numbers of frames, innermost first; stack 0 is empty
  Interner streams;           ///< std::int64_t each; number 0 is none
  std::deque<Event> events;   ///< never held twice while it grows
  std::vector<Slice> traces;  ///< of events, by device
  std::vector<Block> blocks;
  std::vector<Segment> segments;
  std::vector<Mark> marks;
  AllocatorSettings settings;
  std::string configuration;  ///< PYTORCH_CUDA_ALLOC_CONF

  [[nodiscard]] std::string_view text(std::uint32_t number) const { return texts.at(number); }
  [[nodiscard]] Frame frame(std::uint32_t number) const;
  /// Numbers of a stack's frames, innermost first.
  [[nodiscard]] std::span<const std::uint32_t> stack(std::uint32_t number) const;
  [[nodiscard]] std::int64_t stream(std::uint32_t number) const;
};

/// Reads a file within `most_bytes` of memory. Throws Refusal: nothing of it can be read, or it is no snapshot.
Snapshot read_snapshot(const std::filesystem::path& file, std::size_t most_bytes);

/// Whether the first bytes of a file are those of a pickle of a memory snapshot.
bool begins_like_a_snapshot(std::string_view head);

}  // namespace assay::memory_snapshot
