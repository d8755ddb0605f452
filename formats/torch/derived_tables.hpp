// Declared tables that follow from the finished report of a trace.
#pragma once

#include "assay/format.hpp"

namespace assay::load {

inline constexpr ColumnSpec kCapturedLaunchColumns[] = {
    {.name = "time", .role = CellRole::kTime, .unit = "ns", .doc = "begin of the call"},
    {.name = "call", .role = CellRole::kRow, .of = "calls", .doc = "the launch"},
    {.name = "kernel", .kind = CellKind::kText, .doc = "the kernel that the call names; empty: it names none"},
    {.name = "capture", .unit = "1", .doc = "number of the stream capture that it is in, from 0 on"}};
inline constexpr TableSpec kCapturedLaunchTable{"captured_launches", "launches that a stream capture recorded",
                                                "Launches that a stream capture recorded and that ran nothing.",
                                                kCapturedLaunchColumns};

/// memory_allocations and memory_stacks, which memory snapshots fill as well: allocations from begin to end, with the
/// surrounding operators and Python functions, if any allocation has an address. Memory allocated before the trace and
/// never freed becomes one row per device, based on the totals in the events.
void derive_allocation_intervals(const Report& report, Tables& out);

/// The launches that ran nothing, from calls and the kernels they name.
void derive_captured_launches(const Report& report, Tables& out);

}  // namespace assay::load
