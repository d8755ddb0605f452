// Tables of samples that several formats fill: stacks of the host's threads at points in time, as trees of frames.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "assay/format.hpp"

namespace assay::stack_tables {

inline constexpr Str kSamples = "samples", kStacks = "stacks", kFrames = "frames", kGil = "gil";

inline constexpr ColumnSpec kSampleColumns[] = {
    {.name = "time", .role = CellRole::kTime, .unit = "ns", .doc = "Absent in collapsed stacks."},
    {.name = "thread", .role = CellRole::kRow, .of = "threads", .doc = "Thread that was sampled."},
    {.name = "stack", .role = CellRole::kRow, .of = kStacks, .doc = "Its innermost frame; NULL: no stack."},
    {.name = "weight", .doc = "Events since the sample before, ns for clocks; of collapsed stacks the count."}};
inline constexpr ColumnSpec kStackColumns[] = {
    {.name = "parent", .role = CellRole::kRow, .of = kStacks, .doc = "Frame of the caller."},
    {.name = "frame", .role = CellRole::kRow, .of = kFrames, .doc = "Its function."}};
inline constexpr ColumnSpec kFrameColumns[] = {
    {.name = "function", .kind = CellKind::kText, .doc = "As the profiler names it; 0x7f...: not resolved."},
    {.name = "file", .kind = CellKind::kText, .doc = "Source, or library."},
    {.name = "line", .doc = "NULL: not recorded."}};
inline constexpr ColumnSpec kGilColumns[] = {
    {.name = "begin", .role = CellRole::kBegin, .unit = "ns", .doc = "Of holding it, or of waiting for it."},
    {.name = "end", .role = CellRole::kEnd, .unit = "ns"},
    {.name = "thread", .role = CellRole::kRow, .of = "threads"},
    {.name = "state", .kind = CellKind::kText, .role = CellRole::kLabel, .doc = "holding, waiting"}};

inline constexpr TableSpec kSampleTable{kSamples, "samples of threads", "What threads did at points in time.",
                                        kSampleColumns};
inline constexpr TableSpec kStackTable{kStacks, "stacks of samples",
                                       "Frames as a tree: a row is a frame below those of its parent.", kStackColumns};
inline constexpr TableSpec kFrameTable{kFrames, "frames of samples", "Functions, each once.", kFrameColumns};
inline constexpr TableSpec kGilTable{kGil, "interpreter lock of Python", "Who holds it, and who waits for it.",
                                     kGilColumns};

/// The rows of `stacks` while they are found: each pair of parent and frame once. 2^32 - 2 at most.
class StackTree {
 public:
  struct Node {
    std::int64_t parent, frame;
    friend bool operator==(const Node&, const Node&) = default;
  };
  /// Row of the frame below `parent` (kNone: outermost).
  std::int64_t below(std::int64_t parent, std::int64_t frame) {
    if (2 * (nodes_.size() + 1) > slots_.size()) grow();
    const Node node{parent, frame};
    std::uint32_t* slot = &slots_[slot_of(node)];
    while (*slot != kFree && nodes_[*slot] != node) slot = slot == &slots_.back() ? slots_.data() : slot + 1;
    if (*slot == kFree) {
      *slot = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(node);
    }
    return std::int64_t{*slot};
  }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  [[nodiscard]] std::size_t slot_of(const Node& node) const {
    const auto key = static_cast<std::uint64_t>(node.parent + 1) << 32U ^ static_cast<std::uint64_t>(node.frame);
    const std::uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
    return (hash ^ hash >> 29U) & (slots_.size() - 1);
  }
  void grow() {
    slots_.assign(slots_.empty() ? 1024 : 4 * slots_.size(), kFree);
    for (std::size_t row = 0; row < nodes_.size(); ++row) {
      std::size_t slot = slot_of(nodes_[row]);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::uint32_t>(row);
    }
  }
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> slots_;  ///< rows by hash; a power of 2
};

}  // namespace assay::stack_tables
