// Tables of allocations that several formats fill: memory snapshots, and traces that recorded memory.
#pragma once

#include "assay/format.hpp"

namespace assay::memory_tables {

inline constexpr Str kAllocations = "memory_allocations", kStacks = "memory_stacks";
/// Replaces a file name: the frame is a range annotated by the program.
inline constexpr Str kAnnotationFile = "(annotation)";

inline constexpr ColumnSpec kAllocationColumns[] = {
    {.name = "begin", .role = CellRole::kTime, .unit = "ns", .doc = "Of what was there before the history: 0."},
    {.name = "end",
     .role = CellRole::kEnd,
     .unit = "ns",
     .doc = "When the free was requested; else end of the history."},
    {.name = "address",
     .role = CellRole::kKey,
     .doc = "Virtual address; NULL: what was there before and stays, as one row."},
    {.name = "size", .unit = "bytes", .doc = "Of the block, as torch.cuda.memory_stats counts it."},
    {.name = "requested", .unit = "bytes", .doc = "What was asked for; NULL: not recorded."},
    {.name = "device", .role = CellRole::kKey, .doc = "Number of the GPU."},
    {.name = "stream", .role = CellRole::kKey, .doc = "Handle of the stream; -1: not known."},
    {.name = "stack", .role = CellRole::kRow, .of = kStacks, .doc = "Where it was allocated, innermost frame."},
    {.name = "allocated_by", .role = CellRole::kRow, .of = "allocations", .doc = "None: before the history."},
    {.name = "freed_by", .role = CellRole::kRow, .of = "allocations", .doc = "None: not in the history."},
    {.name = "context", .kind = CellKind::kText, .doc = "What was being compiled."}};
inline constexpr ColumnSpec kStackColumns[] = {
    {.name = "parent", .role = CellRole::kRow, .of = kStacks, .doc = "Frame of the caller."},
    {.name = "function", .kind = CellKind::kText, .doc = "As the interpreter or the compiler names it."},
    {.name = "file", .kind = CellKind::kText, .doc = "Of the source; empty: an operator; (annotation)."},
    {.name = "line", .doc = "Number of the line in it."}};

inline constexpr TableSpec kAllocationTable{kAllocations, "allocations on the device",
                                            "Each allocation from begin to end.", kAllocationColumns};
inline constexpr TableSpec kStackTable{kStacks, "stacks of allocations",
                                       "Frames as a tree: a row is a frame below those of its parent.", kStackColumns};

}  // namespace assay::memory_tables
