// The reports as `nsys stats` names them, a function for each.
#pragma once

#include "assay/report.hpp"
#include "launches.hpp"
#include "made.hpp"
#include "ranges.hpp"

namespace assay::nsys {

// Kernels, API calls and memory operations, summed up by name.

ReportTable kernel_sum(const Report& report, const Task& task);
/// Kernels by name, grid and block.
ReportTable shape_sum(const Report& report, const Task& task);
ReportTable call_sum(const Report& report, const Task& task);
/// Kernels and memory operations, and API calls where `with_calls`.
ReportTable work_sum(const Report& report, const Task& task, bool with_calls);
ReportTable memory_time_sum(const Report& report, const Task& task);
ReportTable memory_size_sum(const Report& report, const Task& task);

// cuda_api_trace and cuda_gpu_trace.

/// Every API call by its start.
ReportTable call_trace(const Report& report, const Task& task, ReportSink& sink);

/// Kernels, copies and sets by their start.
ReportTable work_trace(const Report& report, const Task& task, ReportSink& sink);

/// What kinds of memory are called; empty for a number that CUPTI does not know.
std::string_view memory_kind(std::int32_t kind);

// cuda_kern_exec_sum and cuda_kern_exec_trace: API time, queue time and kernel time of launches.

/// By process, thread, device, API name and kernel name; mean total time descending.
ReportTable launch_sum(const Report& report, const Task& task, const Launches& launches);

/// Every launch by the start of its call.
ReportTable launch_trace(const Report& report, const Task& task, const Launches& launches, ReportSink& sink);

// Summaries of NVTX ranges.

/// Host time of ranges by name and style.
ReportTable range_sum(const Report& report, const Task& task);

/// Host time of ranges of one style by name.
ReportTable range_sum(const Report& report, const Task& task, Style style);

/// GPU time between the first and the last piece of work that a range launched on its thread, by name.
ReportTable projection_sum(const Report& report, const Task& task, const Launches& launches);

/// Kernels by the ranges around their launch; each counts for all of them. In a range inside one of its own name, as
/// nsys counts it, for both; corrected, once for a name.
ReportTable range_kernel_sum(const Report& report, const Task& task, const Launches& launches);

// nvtx_pushpop_trace and nvtx_gpu_proj_trace.

/// Every push/pop range by its start, with what it holds and what holds it.
ReportTable push_pop_trace(const Report& report, const Task& task, ReportSink& sink);

/// Every range that launched work, by its start, with the time of that work on the GPU.
ReportTable projection_trace(const Report& report, const Task& task, const Launches& launches, ReportSink& sink);

// Reports of unified memory: page faults and the pages that moved.

/// Page faults of the CPU by the instruction that caused them.
ReportTable cpu_faults_sum(const Report& report, const Task& task);

/// What moved and faulted, by virtual address.
ReportTable unified_memory_sum(const Report& report, const Task& task);

/// The same altogether.
ReportTable unified_memory_totals(const Report& report, const Task& task);

// Reports of other interfaces than CUDA and NVTX: the operating system's library, MPI, OpenACC, OpenMP.

/// How a report of durations by name differs from the others.
struct HostSum {
  const char* count;      ///< heading of how many there are
  const char* lack;       ///< what is said without events
  bool by_table = false;  ///< names of different tables of the export count apart
};
inline constexpr HostSum kOsCalls = {"Num Calls", "the export holds no calls of the operating system"};
inline constexpr HostSum kOpenAcc = {"Num Calls", "the export holds no OpenACC events"};
inline constexpr HostSum kOpenMp = {"Count", "the export holds no OpenMP events", true};

/// Durations by name.
ReportTable host_sum(const Report& report, const Task& task, const HostEventTable* events, const HostSum& sum);

/// The same by kind of operation and name.
ReportTable mpi_sum(const Report& report, const Task& task);

/// Every MPI event by its start.
ReportTable mpi_trace(const Report& report, const Task& task, ReportSink& sink);

// The four rules of nsys about calls that hold the host up.

/// Calls that wait for a device or a stream, the longest first.
ReportTable sync_calls(const Report& report, const Task& task);

/// Copies from or to pageable memory by calls that are asynchronous by name, the longest first.
ReportTable pageable_copies(const Report& report, const Task& task);

/// Copies by calls that are not; without those of at most 64,000 bytes to a device and, corrected, those within a
/// device, which do not hold the host up.
ReportTable synchronous_copies(const Report& report, const Task& task);

/// Sets by calls that are not asynchronous by name.
ReportTable synchronous_sets(const Report& report, const Task& task);

}  // namespace assay::nsys
