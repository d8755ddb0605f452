// What `assay describe nsys` says.
#pragma once

#include "load/format.hpp"

namespace assay::load::nsys_notes {

inline constexpr FormatPart kReads[] = {{"CUPTI_ACTIVITY_KIND_KERNEL", "kernels"},
{"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "graphs"},
{"CUPTI_ACTIVITY_KIND_MEMCPY", "copies"},
{"CUPTI_ACTIVITY_KIND_MEMSET", "sets"},
{"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, _CUDA_EVENT", "syncs"},
{"CUPTI_ACTIVITY_KIND_RUNTIME", "calls, repeats"},
{"NVTX_EVENTS", "ranges (push/pop), spans (start/end), collectives by their payload"},
{"OSRT_API", "os_calls"},
{"MPI_*_EVENTS, MPI_RANKS", "mpi_events, rank"},
{"CUPTI_ACTIVITY_KIND_OPENACC_*", "openacc_events"},
{"OPENMP_EVENT_KIND_*", "openmp_events"},
{"CUDA_UM_CPU_PAGE_FAULT_EVENTS, CUDA_UM_GPU_PAGE_FAULT_EVENTS", "cpu_faults, gpu_faults"},
{"PROFILER_OVERHEAD", "overheads"},
{"TARGET_INFO_*, META_DATA_*, ThreadNames", "devices, threads, properties"}};
inline constexpr FormatPart kPassesOver[] = {{"SCHED_EVENTS, COMPOSITE_EVENTS", "scheduling and samples of CPU threads"},
{"GPU_METRICS", "sampled metrics of GPUs"},
{"DIAGNOSTIC_EVENT", "messages of the profiler, but for those that tell of lost data"}};
inline constexpr ColumnId kFills[] = {col::kernels, col::kernel_name, col::kernel_short_name, col::kernel_mangled_name, col::kernel_context, col::kernel_correlation, col::kernel_grid, col::kernel_block, col::kernel_registers, col::kernel_shared, col::kernel_shared_a_block, col::kernel_graph_node, col::kernel_green_context, col::graphs, col::graph_id, col::copies, col::copy_bytes, col::copy_direction, col::copy_context, col::copy_correlation, col::copy_memory_kinds, col::copy_green_context, col::copy_address, col::sets, col::set_bytes, col::set_context, col::set_correlation, col::set_memory_kind, col::set_green_context, col::calls, col::call_name, col::call_full_name, col::call_correlation, col::call_return_value, col::call_twin, col::repeats, col::ranges, col::range_row_id, col::spans, col::span_row_id, col::syncs, col::sync_record, col::overheads, col::overhead_name, col::os_calls, col::mpi_events, col::openacc_events, col::openmp_events, col::cpu_faults, col::gpu_faults, col::collectives, col::devices, col::properties, col::thread_names};
inline constexpr FormatNotes kNotes{
    .summary = "Exports of Nsight Systems: databases of SQLite with its tables.", .reads = kReads, .passes_over = kPassesOver, .fills = kFills};

}  // namespace assay::load::nsys_notes
