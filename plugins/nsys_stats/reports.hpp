// The reports under their names in `nsys stats`, one function each.
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
/// Kernels and memory operations, with API calls if `with_calls`.
ReportTable work_sum(const Report& report, const Task& task, bool with_calls);
ReportTable memory_time_sum(const Report& report, const Task& task);
ReportTable memory_size_sum(const Report& report, const Task& task);

// cuda_api_trace and cuda_gpu_trace.

/// Every API call, sorted by start.
ReportTable call_trace(const Report& report, const Task& task, ReportSink& sink);

/// Kernels, copies and sets, sorted by start.
ReportTable work_trace(const Report& report, const Task& task, ReportSink& sink);

/// Name of a kind of memory; empty for a number that CUPTI does not define.
std::string_view memory_kind(MemoryKind kind);

// cuda_kern_exec_sum and cuda_kern_exec_trace: API time, queue time and kernel time of launches.

/// By process, thread, device, API name and kernel name; mean total time descending.
ReportTable launch_sum(const Report& report, const Task& task, const Launches& launches);

/// Every launch, sorted by the start of its call.
ReportTable launch_trace(const Report& report, const Task& task, const Launches& launches, ReportSink& sink);

// Summaries of NVTX ranges.

/// Host time of ranges by name and style.
ReportTable range_sum(const Report& report, const Task& task);

/// Host time of ranges of one style by name.
ReportTable range_sum(const Report& report, const Task& task, Style style);

/// GPU time between first and last work launched inside a range on its thread, by name.
ReportTable projection_sum(const Report& report, const Task& task, const Launches& launches);

/// Kernels by the ranges around their launch; each counts for all of them. In a range nested in one of the same name it
/// counts twice, as in nsys, or corrected once per name.
ReportTable range_kernel_sum(const Report& report, const Task& task, const Launches& launches);

// nvtx_pushpop_trace and nvtx_gpu_proj_trace.

/// Every push/pop range, sorted by start, with its children and its parent.
ReportTable push_pop_trace(const Report& report, const Task& task, ReportSink& sink);

/// Every range that launched work, sorted by start, with the time of that work on the GPU.
ReportTable projection_trace(const Report& report, const Task& task, const Launches& launches, ReportSink& sink);

// Reports on unified memory: page faults and migrated pages.

/// Page faults of the CPU by the instruction that caused them.
ReportTable cpu_faults_sum(const Report& report, const Task& task);

/// Migrations and faults by virtual address.
ReportTable unified_memory_sum(const Report& report, const Task& task);

/// The same altogether.
ReportTable unified_memory_totals(const Report& report, const Task& task);

// Reports on interfaces other than CUDA and NVTX: operating system library, MPI, OpenACC, OpenMP.

/// Settings of a report of durations by name.
struct HostSum {
  const char* count;      ///< heading of the count column
  const char* lack;       ///< message if there are no events
  bool by_table = false;  ///< names from different tables of the export count separately
};
inline constexpr HostSum kOsCalls = {"Num Calls", "the export holds no calls of the operating system"};
inline constexpr HostSum kOpenAcc = {"Num Calls", "the export holds no OpenACC events"};
inline constexpr HostSum kOpenMp = {"Count", "the export holds no OpenMP events", true};

/// Durations by name.
ReportTable host_sum(const Report& report, const Task& task, const HostEventTable* events, const HostSum& sum);

/// The same by kind of operation and name.
ReportTable mpi_sum(const Report& report, const Task& task);

/// Every MPI event, sorted by start.
ReportTable mpi_trace(const Report& report, const Task& task, ReportSink& sink);

// The four rules of nsys on calls that block the host.

/// Calls that wait for a device or a stream, longest first.
ReportTable sync_calls(const Report& report, const Task& task);

/// Copies from or to pageable memory by calls with an asynchronous name, longest first.
ReportTable pageable_copies(const Report& report, const Task& task);

/// Copies by synchronous calls, without those of at most 64,000 bytes to a device and, corrected, those within a
/// device, which do not block the host.
ReportTable synchronous_copies(const Report& report, const Task& task);

/// Sets by calls without an asynchronous name.
ReportTable synchronous_sets(const Report& report, const Task& task);

}  // namespace assay::nsys
