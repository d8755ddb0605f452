// Text of `assay describe nsys`.
#pragma once

#include "assay/detail/nsys_columns.hpp"
#include "formats/nsys/metric_columns.hpp"

namespace assay::load::nsys_notes {

inline constexpr CaptureSpec kCaptures[] = {
    {"GPU work", "nsys profile -t cuda,nvtx -o NAME PROGRAM", col::kernels},
    {"API calls", "nsys profile -t cuda,nvtx -o NAME PROGRAM", col::calls},
    {"ranges and steps",
     "nsys profile -t cuda,nvtx -o NAME PROGRAM, with torch.cuda.nvtx.range_push(f\"step_{i}\") or nvtxRangePush in "
     "the program",
     col::ranges},
    {"counters of kernels",
     "ncu --set full -o NAME PROGRAM; the file joins this profile if it is next to it and has its name",
     col::profiled}};
inline constexpr Str kCommand[] = {"nsys", "profile", "-o", "{report}"};
inline constexpr RecorderSpec kRecorders[] = {
    {.name = "nsys",
     .command = kCommand,
     .ends_options = {},
     .numbered_ending = {},
     .install = "install Nsight Systems (developer.nvidia.com/nsight-systems; package nsight-systems-cli of NVIDIA's "
                "repository) and put it into PATH, or record without it by [experiment] profiler = \"none\""}};
inline constexpr FormatPart kReads[] = {
    {"CUPTI_ACTIVITY_KIND_KERNEL", "kernels"},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "graphs"},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", "copies"},
    {"CUPTI_ACTIVITY_KIND_MEMSET", "sets"},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, _CUDA_EVENT", "syncs"},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", "calls, repeats"},
    {"NVTX_EVENTS", "ranges (push/pop), spans (start/end), collectives by their payload, gil"},
    {"OSRT_API", "os_calls, causes"},
    {"SCHED_EVENTS", "causes (scheduled out)"},
    {"COMPOSITE_EVENTS, SAMPLING_CALLCHAINS", "samples, stacks, frames"},
    {"MPI_*_EVENTS, MPI_RANKS", "mpi_events, rank"},
    {"CUPTI_ACTIVITY_KIND_OPENACC_*", "openacc_events"},
    {"OPENMP_EVENT_KIND_*", "openmp_events"},
    {"CUDA_UM_CPU_PAGE_FAULT_EVENTS, CUDA_UM_GPU_PAGE_FAULT_EVENTS", "cpu_faults, gpu_faults"},
    {"PROFILER_OVERHEAD", "overheads"},
    {"CUDA_GRAPH_NODE_EVENTS", "graph_nodes"},
    {"GPU_METRICS, TARGET_INFO_GPU_METRICS", "gpu_metrics, gpu_metric_names"},
    {"TARGET_INFO_GPU, TARGET_INFO_*", "devices, properties"},
    {"ThreadNames", "threads"},
    {"StringIds", "names, wherever they stand"},
    {"META_DATA_*", "properties"}};
inline constexpr FormatPart kPassesOver[] = {
    {"DIAGNOSTIC_EVENT", "messages of the profiler, but for those that tell of lost data"}};
inline constexpr auto kFills = nsys_columns_and({col::kernel_shared_a_block, col::kernel_graph_node, col::graph_id,
                                                 col::call_name, col::syncs, col::sync_record, col::collectives});

}  // namespace assay::load::nsys_notes
