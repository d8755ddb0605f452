// Text of `assay describe rocpd`.
#pragma once

#include "load/format.hpp"

namespace assay::load::rocpd_notes {

inline constexpr Str kCommand[] = {"rocprofv3", "--runtime-trace", "--output-format", "rocpd", "-o", "{report}"};
inline constexpr RecorderSpec kRecorders[] = {
    {.name = "rocprofv3",
     .command = kCommand,
     .ends_options = "--",  // some options take several words: --pmc A B
     .numbered_ending = "_results.db",
     .install = "install ROCm 7 (package rocprofiler-sdk of AMD's repository) and put /opt/rocm/bin into PATH"}};
inline constexpr FormatPart kReads[] = {
    {"rocpd_kernel_dispatch, rocpd_info_kernel_symbol", "kernels, profiled"},
    {"rocpd_memory_copy", "copies"},
    {"rocpd_memory_allocate", "allocations"},
    {"rocpd_region, rocpd_track", "calls, ranges, spans"},
    {"rocpd_pmc_event, rocpd_info_pmc", "counters"},
    {"rocpd_info_agent, rocpd_info_process, rocpd_info_thread", "devices, processes, threads"},
    {"rocpd_event, rocpd_string, rocpd_timestamp, rocpd_info_category", "links, names, times"}};
inline constexpr FormatPart kPassesOver[] = {{"rocpd_sample, rocpd_gpu_pc_sample", "samples"},
                                             {"rocpd_arg", "arguments of calls"},
                                             {"rocpd_graph_launch", "launches of graphs"},
                                             {"rocpd_call_stack, rocpd_line_info", "stacks"}};
inline constexpr ColumnId kFills[] = {col::kernels,
                                      col::kernel_name,
                                      col::kernel_short_name,
                                      col::kernel_mangled_name,
                                      col::kernel_grid,
                                      col::kernel_block,
                                      col::kernel_registers,
                                      col::kernel_shared,
                                      col::kernel_graph_node,
                                      col::kernel_profiled,
                                      col::copies,
                                      col::copy_bytes,
                                      col::copy_direction,
                                      col::allocations,
                                      col::calls,
                                      col::call_name,
                                      col::call_full_name,
                                      col::ranges,
                                      col::spans,
                                      col::profiled,
                                      col::counters,
                                      col::collectives,
                                      col::devices,
                                      col::properties};
inline constexpr CaptureAdvice kCaptures[] = {
    {col::kernels, "GPU work", "rocprofv3 --runtime-trace --output-format rocpd -o NAME -- PROGRAM"},
    {col::copies, "copies and memory sets", "rocprofv3 --runtime-trace --output-format rocpd -o NAME -- PROGRAM"},
    {col::ranges, "ranges and steps",
     "rocprofv3 --runtime-trace --output-format rocpd -o NAME -- PROGRAM, with roctxRangePush in the program"},
    {col::profiled, "counters of kernels, for SQL",
     "rocprofv3 --pmc SQ_WAVES --output-format rocpd -o NAME -- PROGRAM"}};
inline constexpr FormatNotes kNotes{.summary = "Databases of AMD's rocprofv3.",
                                    .captures = kCaptures,
                                    .reads = kReads,
                                    .passes_over = kPassesOver,
                                    .fills = kFills,
                                    .recorders = kRecorders};

}  // namespace assay::load::rocpd_notes
