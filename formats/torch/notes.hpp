// Text of `assay describe torch`.
#pragma once

#include "assay/detail/memory_tables.hpp"
#include "formats/torch/generated_launches.hpp"
#include "formats/torch/messages.hpp"
#include "load/captures.hpp"
#include "load/format.hpp"

namespace assay::load::torch_notes {

inline constexpr RecorderSpec kRecorders[] = {
    {.name = "torch", .command = {}, .ends_options = {}, .numbered_ending = {}, .install = {}}};
inline constexpr FormatPart kReads[] = {{"category kernel, mtia_ccp_events", "kernels, collectives by their arguments"},
                                        {"category gpu_memcpy", "copies"},
                                        {"category gpu_memset", "sets"},
                                        {"category cuda_sync, musa_sync", "syncs"},
                                        {"categories *_runtime, *_driver", "calls"},
                                        {"category cpu_op, python_function", "ops"},
                                        {"category user_annotation", "ops, ranges"},
                                        {"operators record_param_comms", "messages"},
                                        {"instants \"[memory]\"", "allocations, memory_allocations, memory_stacks"},
                                        {"category overhead", "overheads"},
                                        {"deviceProperties, distributedInfo and other members", "devices, properties"}};
inline constexpr FormatPart kPassesOver[] = {
    {"categories gpu_user_annotation, ac2g, fwdbwd, Trace", "shadows and arrows of what is read"},
    {"other categories", "counted by name, with the issue passed_over"}};
inline constexpr ColumnId kFills[] = {col::kernels,
                                      col::kernel_name,
                                      col::kernel_short_name,
                                      col::kernel_context,
                                      col::kernel_correlation,
                                      col::kernel_grid,
                                      col::kernel_block,
                                      col::kernel_registers,
                                      col::kernel_shared_a_block,
                                      col::kernel_graph_node,
                                      col::kernel_blocks_per_sm,
                                      col::kernel_warps_per_sm,
                                      col::kernel_occupancy,
                                      col::kernel_op,
                                      col::copies,
                                      col::copy_bytes,
                                      col::copy_direction,
                                      col::copy_context,
                                      col::copy_correlation,
                                      col::copy_memory_kinds,
                                      col::sets,
                                      col::set_bytes,
                                      col::set_context,
                                      col::set_correlation,
                                      col::set_memory_kind,
                                      col::syncs,
                                      col::sync_record,
                                      col::calls,
                                      col::call_name,
                                      col::call_correlation,
                                      col::call_op,
                                      col::ranges,
                                      col::ops,
                                      col::op_external_id,
                                      col::op_python_ids,
                                      col::op_inputs,
                                      col::op_sequence,
                                      col::op_concrete_inputs,
                                      col::overheads,
                                      col::overhead_name,
                                      col::allocations,
                                      col::collectives,
                                      col::declared,
                                      col::devices,
                                      col::properties};
inline constexpr CaptureAdvice kCaptures[] = {
    {col::kernels, "GPU work", "profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])"},
    {col::op_inputs, "shapes of operators, and so FLOPs and MFU", "profile(record_shapes=True)"},
    {col::allocations, "allocated memory", "profile(profile_memory=True), or torch.cuda.memory._dump_snapshot(FILE)"},
    {col::profiled, "counters of kernels",
     "ncu --set full -o NAME PROGRAM; the file joins this profile if it is next to it and has its name"}};
inline constexpr TableSpec kTables[] = {kMessageTable, kCapturedLaunches, kGeneratedLaunchTable,
                                        memory_tables::kAllocationTable, memory_tables::kStackTable};
inline constexpr FormatNotes kNotes{.summary = "Traces of the PyTorch profiler (Kineto), plain or gzip.",
                                    .captures = kCaptures,
                                    .reads = kReads,
                                    .passes_over = kPassesOver,
                                    .fills = kFills,
                                    .tables = kTables,
                                    .recorders = kRecorders};

}  // namespace assay::load::torch_notes
