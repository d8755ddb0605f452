// The table `source`: counters of each instruction of a launch.
#pragma once

#include <array>

#include "assay/format_abi.hpp"

namespace assay::ncu {

/// A counter of an instruction: its column, and the metric of Nsight Compute.
struct SourceCounter {
  Str column;
  std::string_view metric;
  Str doc;
};

#define ASSAY_STALL_(reason, doc)                                                               \
  {"stall_" reason, "smsp__pcsamp_warps_issue_stalled_" reason, "Samples of warps " doc},       \
      {"stall_" reason "_not_issued", "smsp__pcsamp_warps_issue_stalled_" reason "_not_issued", \
       "Of these, not issued."}

/// Stalls by the words of the metrics.
inline constexpr SourceCounter kSourceCounters[] = {
    {"samples", "smsp__pcsamp_sample_count", "Samples of warps at the instruction."},
    ASSAY_STALL_("barrier", "at a barrier of the block."),
    ASSAY_STALL_("branch_resolving", "until a branch is resolved."),
    ASSAY_STALL_("dispatch_stall", "that the dispatcher holds back."),
    ASSAY_STALL_("drain", "at their exit until stores are written."),
    ASSAY_STALL_("imc_miss", "for a constant that is not cached."),
    ASSAY_STALL_("lg_throttle", "for the full queue to local and global memory."),
    ASSAY_STALL_("long_scoreboard", "for local, global, surface or texture memory."),
    ASSAY_STALL_("math_pipe_throttle", "for a busy math pipe."),
    ASSAY_STALL_("membar", "at a memory barrier."),
    ASSAY_STALL_("mio_throttle", "for the full queue to shared memory and special functions."),
    ASSAY_STALL_("misc", "for other reasons."),
    ASSAY_STALL_("no_instructions", "for their next instruction."),
    ASSAY_STALL_("not_selected", "that were ready while another was issued."),
    ASSAY_STALL_("selected", "that were issued: no stall."),
    ASSAY_STALL_("short_scoreboard", "for shared memory or special functions."),
    ASSAY_STALL_("sleeping", "that sleep."),
    ASSAY_STALL_("tex_throttle", "for the full queue to texture memory."),
    ASSAY_STALL_("wait", "for the fixed latency of an instruction."),
    ASSAY_STALL_("warpgroup_arrive", "at a warpgroup's arrive or wait."),
    {"executed", "inst_executed", "Times that warps executed it."},
    {"threads", "thread_inst_executed", "Times that threads executed it."},
    {"threads_on", "thread_inst_executed_true", "Of these, with a true predicate."},
    {"divergent_branches", "smsp__branch_targets_threads_divergent", "Times that its threads branched apart."},
    {"access_bits", "memory_access_size_type", "Bits that a thread accesses; 0: it never did."},
    {"l1_tag_requests", "memory_l1_tag_requests_global", "Requests to tags of the L1 for global memory."},
    {"shared_conflicts", "derived__memory_l1_conflicts_shared_nway", "Ways of bank conflicts."},
    {"shared_wavefronts_excessive", "derived__memory_l1_wavefronts_shared_excessive", "Those above the needed ones."},
    {"shared_wavefronts", "memory_l1_wavefronts_shared", "Wavefronts of shared memory."},
    {"shared_wavefronts_needed", "memory_l1_wavefronts_shared_ideal", "Least for these accesses."},
    {"sectors_excessive", "derived__memory_l2_theoretical_sectors_global_excessive", "Those above the needed ones."},
    {"sectors", "memory_l2_theoretical_sectors_global", "Sectors of 32 bytes of global memory asked of the L2."},
    {"sectors_needed", "memory_l2_theoretical_sectors_global_ideal", "Least for the bytes that its threads access."},
    {"address_space", "memory_type", "Bits of the memory that it accesses: 4 global, 16 shared."},
    {"access", "memory_access_type", "Bits: 2 load, 4 store, 8 atomic."}};
#undef ASSAY_STALL_

inline constexpr ColumnSpec kSourcePlaceColumns[] = {
    {.name = "kernel", .kind = CellKind::kText, .role = CellRole::kLabel, .doc = "Name of the kernel."},
    {.name = "launch", .role = CellRole::kKey, .doc = "ID of the launch, as in profiled."},
    {.name = "address", .doc = "Address of the instruction on the device."},
    {.name = "opcode", .kind = CellKind::kText, .doc = "LDG: without modifiers; empty: not known."},
    {.name = "file", .kind = CellKind::kText, .doc = "Path of the source file; empty: the code has no line for it."},
    {.name = "line", .doc = "Line in it, from 1; 0: none."},
    {.name = "text", .kind = CellKind::kText, .doc = "That line, if the report has the file (--import-source yes)."},
    {.name = "samples_not_issued", .unit = "1", .doc = "Samples in cycles without an instruction issued."},
    {.name = "waits_for", .role = CellRole::kRow, .of = "source", .doc = "Last one before that sets its scoreboard."}};

inline constexpr auto kSourceColumns = [] {
  constexpr std::size_t kPlaces = std::size(kSourcePlaceColumns);
  std::array<ColumnSpec, kPlaces + std::size(kSourceCounters)> all;
  for (std::size_t c = 0; c < kPlaces; ++c) all[c] = kSourcePlaceColumns[c];
  for (std::size_t c = kPlaces; c < all.size(); ++c)
    all[c] = {.name = kSourceCounters[c - kPlaces].column, .unit = "1", .doc = kSourceCounters[c - kPlaces].doc};
  return all;
}();
inline constexpr TableSpec kSourceTables[] = {{"source", "counters by instruction",
                                               "One row per instruction of each launch with source counters.",
                                               kSourceColumns}};

}  // namespace assay::ncu
