// The content of torch.cuda.memory._dump_snapshot: segments and blocks of the allocator at the time of the snapshot,
// and the history before it.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pickle.hpp"

namespace assay::memory_snapshot {

using pickles::ByteSource, pickles::Interner, pickles::Kind, pickles::Pickle, pickles::RecordBuilder, pickles::Refusal,
    pickles::Value;

enum class Action : std::uint8_t {
  kOther,   ///< "snapshot", "user_defined" and unknown actions
  kUnread,  ///< one that changes memory, but not by how much or where
  kAlloc,
  kFreeRequested,
  kFreeCompleted,
  kSegmentAlloc,
  kSegmentFree,
  kSegmentMap,
  kSegmentUnmap,
  kOutOfMemory,
};

/// A number that the file does not have, or has as something else.
inline constexpr std::int64_t kUnread = std::numeric_limits<std::int64_t>::min();

/// One entry of a device's trace.
struct Event {
  std::int64_t time = kUnread;     ///< us since the epoch
  std::int64_t address = kUnread;  ///< kOutOfMemory: bytes free on the device
  std::int64_t size = kUnread;     ///< bytes: requested, or for segments their size
  std::uint32_t stack = 0;         ///< number of stacks
  std::uint32_t context = 0;       ///< text: what was being compiled; 0: nothing
  std::uint32_t stream = 0;        ///< number of streams
  Action action = Action::kOther;
};

/// Whether address and size are within the range of real ones, so that sums cannot overflow.
bool is_possible(const Event& event);

enum class BlockState : std::uint8_t {
  kInactive,
  kAllocated,
  kAwaitingFree,  ///< freed, but possibly still in use by work on another stream
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

/// The part of allocator_settings that determines block sizes.
struct AllocatorSettings {
  bool expandable = false;
  std::int64_t max_split = -1;                        ///< bytes; -1: no limit
  std::map<std::int64_t, std::int64_t> power2_parts;  ///< by size in MiB: number of steps between powers of 2 to round
                                                      ///< to
};

struct Snapshot {
  Interner texts;
  Interner frames;            ///< a Frame each
  Interner stacks;            ///< numbers of frames, innermost first; stack 0 is empty
  Interner streams;           ///< std::int64_t each; number 0: none
  std::deque<Event> events;   ///< a deque never holds two copies while growing
  std::vector<Slice> traces;  ///< slices of events, by device
  std::vector<Block> blocks;
  std::vector<Segment> segments;
  std::vector<Mark> marks;
  AllocatorSettings settings;
  std::string configuration;      ///< PYTORCH_CUDA_ALLOC_CONF
  std::int64_t left_out = 0;      ///< segments, blocks and marks with impossible numbers
  std::int64_t without_time = 0;  ///< events whose time cannot be read: they have that of the event before them
  std::int64_t out_of_order = 0;  ///< events whose time does not fit between those around them: the same

  [[nodiscard]] std::string_view text(std::uint32_t number) const { return texts.at(number); }
  [[nodiscard]] Frame frame(std::uint32_t number) const;
  /// Frame numbers of a stack, innermost first.
  [[nodiscard]] std::span<const std::uint32_t> stack(std::uint32_t number) const;
  [[nodiscard]] std::int64_t stream(std::uint32_t number) const;
};

/// Reads a file using at most `most_bytes` of memory. Throws Refusal if nothing in it can be read or it is not a
/// snapshot.
Snapshot read_snapshot(const std::filesystem::path& file, std::size_t most_bytes);

/// Whether a file starts like the pickle of a memory snapshot.
bool begins_like_a_snapshot(std::string_view head);

}  // namespace assay::memory_snapshot
