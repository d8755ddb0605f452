// Turns a memory snapshot into tables.
#pragma once

#include <vector>

#include "assay/detail/memory_tables.hpp"
#include "assay/format.hpp"
#include "history.hpp"
#include "snapshot.hpp"

namespace assay::memory_snapshot {

using memory_tables::kAllocations, memory_tables::kStacks;
inline constexpr Str kSegments = "memory_segments", kBlocks = "memory_blocks", kAnnotations = "memory_annotations",
                     kFailures = "memory_failures", kPeaks = "memory_peaks";

inline constexpr ColumnSpec kSegmentColumns[] = {
    {.name = "address", .role = CellRole::kKey, .doc = "Virtual address."},
    {.name = "size", .unit = "bytes", .doc = "Reserved from the device."},
    {.name = "device", .role = CellRole::kKey, .doc = "Number of the GPU."},
    {.name = "stream", .role = CellRole::kKey, .doc = "Handle of the stream that it serves."},
    {.name = "type", .kind = CellKind::kText, .doc = "small: for requests up to 1 MiB; large."},
    {.name = "expandable", .doc = "1: its end can move."},
    {.name = "stack", .role = CellRole::kRow, .of = kStacks, .doc = "Where it was reserved."}};
inline constexpr ColumnSpec kBlockColumns[] = {
    {.name = "segment", .role = CellRole::kRow, .of = kSegments, .doc = "That it is part of."},
    {.name = "address", .role = CellRole::kKey, .doc = "Virtual address."},
    {.name = "size", .unit = "bytes", .doc = "Of the block."},
    {.name = "requested", .unit = "bytes", .doc = "What was asked for last."},
    {.name = "state", .kind = CellKind::kText, .doc = "allocated, awaiting_free (by another stream) or inactive."},
    {.name = "stack", .role = CellRole::kRow, .of = kStacks, .doc = "Where it was allocated."}};
inline constexpr ColumnSpec kPeakColumns[] = {
    {.name = "begin", .role = CellRole::kBegin, .unit = "ns", .doc = "As in memory_allocations."},
    {.name = "end", .role = CellRole::kEnd, .unit = "ns", .doc = "As in memory_allocations."},
    {.name = "device", .role = CellRole::kKey, .doc = "Number of the GPU."},
    {.name = "size", .unit = "bytes", .doc = "Of the block."},
    {.name = "allocation", .role = CellRole::kRow, .of = kAllocations, .doc = "The same one there."},
    {.name = "name", .kind = CellKind::kText, .role = CellRole::kLabel, .doc = "Size and innermost frame."}};
inline constexpr ColumnSpec kAnnotationColumns[] = {
    {.name = "begin", .role = CellRole::kBegin, .unit = "ns", .doc = "Of what began before the history: 0."},
    {.name = "end", .role = CellRole::kEnd, .unit = "ns", .doc = "Of what did not end: the end of the history."},
    {.name = "device", .role = CellRole::kKey, .doc = "Number of the GPU."},
    {.name = "name", .kind = CellKind::kText, .role = CellRole::kLabel, .doc = "Of the range of record_function."}};
inline constexpr ColumnSpec kFailureColumns[] = {
    {.name = "time", .role = CellRole::kTime, .unit = "ns", .doc = "Of the request."},
    {.name = "device", .role = CellRole::kKey, .doc = "Number of the GPU."},
    {.name = "outcome", .kind = CellKind::kText, .doc = "retried: cached segments were given back for it; failed."},
    {.name = "requested", .unit = "bytes", .doc = "By the allocator."},
    {.name = "free", .unit = "bytes", .doc = "Of one that failed: free on the device; retried: given back."},
    {.name = "stack", .role = CellRole::kRow, .of = kStacks, .doc = "Of the request."}};

inline constexpr TableSpec kTables[] = {
    memory_tables::kAllocationTable,
    {kSegments, "segments of the allocator", "Segments when the snapshot was written.", kSegmentColumns},
    {kBlocks, "blocks of the allocator", "Blocks of the segments when the snapshot was written.", kBlockColumns},
    memory_tables::kStackTable,
    {kPeaks, "largest allocations at the peak", "At most 60 of a device, which a timeline shows.", kPeakColumns},
    {kAnnotations, "annotations in the history", "Ranges of record_function around allocations.", kAnnotationColumns},
    {kFailures, "requests without memory", "Requests that the device had no memory for.", kFailureColumns}};

/// Fills all tables including `allocations` of the report model. Frees the events of the snapshot on the way.
void fill_tables(Snapshot& snapshot, Tables& to);

}  // namespace assay::memory_snapshot
