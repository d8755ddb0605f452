// The table `source`: counters of each instruction of a launch, by the names of Nsight Compute.
#pragma once

#include <array>

#include "assay/format_abi.hpp"

namespace assay::ncu {

/// A counter of an instruction.
struct SourceCounter {
  Str column;
  std::string_view metric;   ///< in .ncu-rep
  std::string_view heading;  ///< of `ncu --page source --csv`
  Str doc;
};

#define ASSAY_STALL_(column, metric, heading, waits)                                                             \
  {"stall_" column, "smsp__pcsamp_warps_issue_stalled_" metric, "stall_" column, "Samples of warps " waits "."}, \
      {"stall_" column "_not_issued", "smsp__pcsamp_warps_issue_stalled_" metric "_not_issued",                  \
       heading " (Not Issued)", "Of these, in cycles without an instruction issued."}

inline constexpr SourceCounter kSourceCounters[] = {
    {"samples", "smsp__pcsamp_sample_count", "# Samples", "Samples of warps at the instruction."},
    ASSAY_STALL_("barrier", "barrier", "stall_barrier", "at a barrier of the block"),
    ASSAY_STALL_("branch_resolving", "branch_resolving", "stall_branch_resolving", "until a branch is resolved"),
    ASSAY_STALL_("dispatch", "dispatch_stall", "stall_dispatch", "that the dispatcher holds back"),
    ASSAY_STALL_("drain", "drain", "stall_drain", "at their exit until stores are written"),
    ASSAY_STALL_("imc", "imc_miss", "stall_imc", "for a constant that is not cached"),
    ASSAY_STALL_("lg", "lg_throttle", "stall_lg", "for the full queue to local and global memory"),
    ASSAY_STALL_("long_sb", "long_scoreboard", "stall_long_sb", "for local, global, surface or texture memory"),
    ASSAY_STALL_("math", "math_pipe_throttle", "stall_math", "for a busy math pipe"),
    ASSAY_STALL_("membar", "membar", "stall_membar", "at a memory barrier"),
    ASSAY_STALL_("mio", "mio_throttle", "stall_mio", "for the full queue to shared memory and special functions"),
    ASSAY_STALL_("misc", "misc", "stall_misc", "for other reasons"),
    ASSAY_STALL_("no_inst", "no_instructions", "stall_no_inst", "for their next instruction"),
    ASSAY_STALL_("not_selected", "not_selected", "stall_not_selected", "that were ready while another was issued"),
    ASSAY_STALL_("selected", "selected", "stall_selected", "that were issued: no stall"),
    ASSAY_STALL_("short_sb", "short_scoreboard", "stall_short_sb", "for shared memory or special functions"),
    ASSAY_STALL_("sleep", "sleeping", "stall_sleeping", "that sleep"),
    ASSAY_STALL_("tex", "tex_throttle", "stall_tex", "for the full queue to texture memory"),
    ASSAY_STALL_("wait", "wait", "stall_wait", "for the fixed latency of an instruction"),
    ASSAY_STALL_("warpgroup_arrive", "warpgroup_arrive", "stall_gmma", "at a warpgroup's arrive or wait"),
    {"executed", "inst_executed", "Instructions Executed", "Times that warps executed it."},
    {"threads", "thread_inst_executed", "Thread Instructions Executed", "Times that threads executed it."},
    {"threads_on", "thread_inst_executed_true", "Predicated-On Thread Instructions Executed",
     "Of these, with a true predicate."},
    {"divergent_branches", "smsp__branch_targets_threads_divergent", "Divergent Branches",
     "Times that its threads branched apart."},
    {"access_bits", "memory_access_size_type", "Access Size", "Bits that a thread accesses."},
    {"l1_tag_requests", "memory_l1_tag_requests_global", "L1 Tag Requests Global", "Requests to tags of the L1."},
    {"shared_conflicts", "derived__memory_l1_conflicts_shared_nway", "L1 Conflicts Shared N-Way",
     "Ways of bank conflicts in shared memory."},
    {"shared_wavefronts_excessive", "derived__memory_l1_wavefronts_shared_excessive", "L1 Wavefronts Shared Excessive",
     "Wavefronts of shared memory above those needed."},
    {"shared_wavefronts", "memory_l1_wavefronts_shared", "L1 Wavefronts Shared", "Wavefronts of shared memory."},
    {"shared_wavefronts_needed", "memory_l1_wavefronts_shared_ideal", "L1 Wavefronts Shared Ideal",
     "Least wavefronts for these accesses."},
    {"sectors_excessive", "derived__memory_l2_theoretical_sectors_global_excessive",
     "L2 Theoretical Sectors Global Excessive", "Sectors above those needed."},
    {"sectors", "memory_l2_theoretical_sectors_global", "L2 Theoretical Sectors Global",
     "Sectors of 32 bytes of global memory that it asks the L2 for."},
    {"sectors_needed", "memory_l2_theoretical_sectors_global_ideal", "L2 Theoretical Sectors Global Ideal",
     "Least sectors for the bytes that its threads access."}};
#undef ASSAY_STALL_

inline constexpr ColumnSpec kSourcePlaceColumns[] = {
    {.name = "kernel", .kind = CellKind::kText, .role = CellRole::kLabel, .doc = "Name of the kernel."},
    {.name = "launch", .role = CellRole::kKey, .doc = "ID of the launch, as in profiled."},
    {.name = "address", .doc = "Address of the instruction on the device."},
    {.name = "instruction",
     .kind = CellKind::kText,
     .doc = "LDG.E R16, desc[UR10][R6.64]: a CSV has it, a .ncu-rep not."},
    {.name = "opcode", .kind = CellKind::kText, .doc = "LDG: without modifiers; empty: not known."},
    {.name = "file", .kind = CellKind::kText, .doc = "Path of the source file; empty: the cubin has no line for it."},
    {.name = "line", .doc = "Line in it, from 1."},
    {.name = "text", .kind = CellKind::kText, .doc = "That line, where the report has the file (--import-source yes)."},
    {.name = "waits_for",
     .role = CellRole::kRow,
     .of = "source",
     .doc = "Last instruction before it that sets a scoreboard it waits for."},
    {.name = "address_space", .kind = CellKind::kText, .doc = "Memory that it accesses: Global, Shared."},
    {.name = "access", .kind = CellKind::kText, .doc = "Load, Store, Atomic."},
    {.name = "samples_not_issued", .unit = "1", .doc = "Samples in cycles without an instruction issued."}};

inline constexpr auto kSourceColumns = [] {
  std::array<ColumnSpec, std::size(kSourcePlaceColumns) + std::size(kSourceCounters)> all;
  std::size_t c = 0;
  for (const ColumnSpec& column : kSourcePlaceColumns) all[c++] = column;
  for (const SourceCounter& counter : kSourceCounters)
    all[c++] = {.name = counter.column, .unit = "1", .doc = counter.doc};
  return all;
}();
inline constexpr TableSpec kSourceTables[] = {{"source", "counters by instruction",
                                               "One row per instruction of each launch with source counters.",
                                               kSourceColumns}};

}  // namespace assay::ncu
