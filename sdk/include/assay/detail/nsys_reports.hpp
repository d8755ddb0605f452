// Reports of `nsys stats` that assay supports: names, titles, options and required columns. Used by the analyzer that
// computes the tables, and by the command to read only the columns needed.
#pragma once

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report.hpp"

namespace assay {

/// Options permitted after a colon in the name of a report.
enum class NsysOptions : std::uint8_t {
  kNothing,
  kKernelNames,           ///< :base, :mangled
  kKernelNamesAndRanges,  ///< these and :nvtx-name
  kRows,                  ///< :rows=N
};

/// A report. `columns` is what it reads; without any of their tables it may be empty.
struct NsysReport {
  std::string_view name;   ///< as in `nsys stats --report`
  std::string_view title;  ///< as printed by nsys above the table
  Span<ColumnId> columns;
  NsysOptions options = NsysOptions::kNothing;
  std::int64_t rows = 0;                   ///< default max number of rows, see :rows; 0: unlimited
  Span<std::string_view> companions = {};  ///< nsys prints nothing without these tables, even if there are rows
};

namespace nsys_columns {
inline constexpr ColumnId kernels[] = {col::kernels, col::kernel_name, col::graphs};
inline constexpr ColumnId shaped_kernels[] = {col::kernels, col::kernel_name, col::kernel_grid, col::kernel_block,
                                              col::graphs};
inline constexpr ColumnId calls[] = {col::calls, col::call_full_name, col::repeats};
inline constexpr ColumnId call_rows[] = {
    col::calls, col::call_full_name, col::call_correlation, col::call_return_value, col::repeats, col::thread_names};
inline constexpr ColumnId sync_calls[] = {col::calls, col::call_full_name, col::repeats};
inline constexpr ColumnId memory_time[] = {col::copies, col::copy_direction, col::sets};
inline constexpr ColumnId memory_size[] = {col::copies, col::copy_direction, col::copy_bytes, col::sets,
                                           col::set_bytes};
inline constexpr ColumnId work[] = {col::kernels, col::kernel_name,    col::graphs,
                                    col::copies,  col::copy_direction, col::sets};
inline constexpr ColumnId calls_and_work[] = {col::calls,   col::call_full_name, col::repeats,
                                              col::kernels, col::kernel_name,    col::graphs,
                                              col::copies,  col::copy_direction, col::sets};
inline constexpr ColumnId work_rows[] = {col::kernels,
                                         col::kernel_name,
                                         col::kernel_grid,
                                         col::kernel_block,
                                         col::kernel_registers,
                                         col::kernel_shared,
                                         col::kernel_context,
                                         col::kernel_correlation,
                                         col::kernel_green_context,
                                         col::copies,
                                         col::copy_direction,
                                         col::copy_bytes,
                                         col::copy_memory_kinds,
                                         col::copy_context,
                                         col::copy_correlation,
                                         col::copy_green_context,
                                         col::sets,
                                         col::set_bytes,
                                         col::set_memory_kind,
                                         col::set_context,
                                         col::set_correlation,
                                         col::set_green_context,
                                         col::devices,
                                         col::graphs};
inline constexpr ColumnId ranges[] = {col::ranges, col::spans};
inline constexpr ColumnId push_pop[] = {col::ranges};
inline constexpr ColumnId push_pop_rows[] = {col::ranges, col::range_row_id};
inline constexpr ColumnId start_end[] = {col::spans};
// Twins identify calls that share a correlation id; ids are present too if some do (arrange.hpp).
inline constexpr ColumnId projection[] = {col::ranges, col::spans,     col::kernels, col::copies, col::sets,
                                          col::calls,  col::call_twin, col::graphs,  col::repeats};
inline constexpr ColumnId projection_rows[] = {col::ranges,    col::range_row_id, col::spans,  col::span_row_id,
                                               col::kernels,   col::copies,       col::sets,   col::calls,
                                               col::call_twin, col::graphs,       col::repeats};
inline constexpr ColumnId range_kernels[] = {col::ranges, col::spans,     col::kernels, col::kernel_name,
                                             col::calls,  col::call_twin, col::graphs,  col::repeats};
inline constexpr ColumnId launches[] = {col::kernels,   col::kernel_name, col::calls,  col::call_full_name,
                                        col::call_twin, col::graphs,      col::repeats};
inline constexpr ColumnId launch_rows[] = {col::kernels,      col::kernel_name, col::kernel_grid,
                                           col::kernel_block, col::calls,       col::call_full_name,
                                           col::call_twin,    col::graphs,      col::repeats};
inline constexpr ColumnId copies_by_call[] = {
    col::copies,       col::copy_direction,     col::copy_bytes, col::copy_memory_kinds,
    col::copy_context, col::copy_green_context, col::calls,      col::call_full_name,
    col::call_twin,    col::call_correlation,   col::repeats,    col::copy_correlation};
inline constexpr ColumnId sets_by_call[] = {
    col::sets,           col::set_bytes, col::set_memory_kind,  col::set_context, col::set_green_context, col::calls,
    col::call_full_name, col::call_twin, col::call_correlation, col::repeats,     col::set_correlation};
inline constexpr ColumnId device_use[] = {col::kernels,      col::kernel_context, col::copies,
                                          col::copy_context, col::sets,           col::set_context,
                                          col::overheads,    col::overhead_name,  col::graphs};
inline constexpr ColumnId os_calls[] = {col::os_calls};
inline constexpr ColumnId mpi[] = {col::mpi_events};
inline constexpr ColumnId openacc[] = {col::openacc_events};
inline constexpr ColumnId openmp[] = {col::openmp_events};
inline constexpr ColumnId cpu_faults[] = {col::cpu_faults};
inline constexpr ColumnId unified_memory[] = {col::cpu_faults,     col::gpu_faults, col::copies,
                                              col::copy_direction, col::copy_bytes, col::copy_address};
/// Additional columns for options.
inline constexpr ColumnId base_names[] = {col::kernel_short_name};
inline constexpr ColumnId mangled_names[] = {col::kernel_mangled_name};
inline constexpr ColumnId range_names[] = {col::ranges,    col::spans,   col::calls,
                                           col::call_twin, col::repeats, col::properties};
}  // namespace nsys_columns

namespace nsys_tables {
inline constexpr std::string_view threads[] = {"ThreadNames"};
inline constexpr std::string_view operations[] = {"ENUM_CUDA_MEMCPY_OPER"};
inline constexpr std::string_view kinds[] = {"ENUM_CUDA_MEM_KIND"};
inline constexpr std::string_view devices[] = {"ENUM_CUDA_MEMCPY_OPER", "ENUM_CUDA_MEM_KIND", "TARGET_INFO_GPU"};
inline constexpr std::string_view faults[] = {"CUPTI_ACTIVITY_KIND_MEMCPY", "CUDA_UM_CPU_PAGE_FAULT_EVENTS",
                                              "CUDA_UM_GPU_PAGE_FAULT_EVENTS"};
}  // namespace nsys_tables

inline constexpr NsysReport kNsysReports[] = {
    {"cuda_api_gpu_sum", "CUDA Summary (API/Kernels/MemOps)", nsys_columns::calls_and_work,
     NsysOptions::kKernelNamesAndRanges, 0, nsys_tables::operations},
    {"cuda_api_sum", "CUDA API Summary", nsys_columns::calls},
    {"cuda_api_sync", "CUDA Synchronization APIs", nsys_columns::sync_calls, NsysOptions::kRows, 50},
    {"cuda_api_trace", "CUDA API Trace", nsys_columns::call_rows, NsysOptions::kNothing, 0, nsys_tables::threads},
    {"cuda_gpu_kern_gb_sum", "CUDA GPU Kernel/Grid/Block Summary", nsys_columns::shaped_kernels,
     NsysOptions::kKernelNamesAndRanges},
    {"cuda_gpu_kern_sum", "CUDA GPU Kernel Summary", nsys_columns::kernels, NsysOptions::kKernelNamesAndRanges},
    {"cuda_gpu_mem_size_sum", "CUDA GPU MemOps Summary (by Size)", nsys_columns::memory_size, NsysOptions::kNothing, 0,
     nsys_tables::operations},
    {"cuda_gpu_mem_time_sum", "CUDA GPU MemOps Summary (by Time)", nsys_columns::memory_time, NsysOptions::kNothing, 0,
     nsys_tables::operations},
    {"cuda_gpu_sum", "CUDA GPU Summary (Kernels/MemOps)", nsys_columns::work, NsysOptions::kKernelNamesAndRanges, 0,
     nsys_tables::operations},
    {"cuda_gpu_trace", "CUDA GPU Trace", nsys_columns::work_rows, NsysOptions::kKernelNamesAndRanges, 0,
     nsys_tables::devices},
    {"cuda_kern_exec_sum", "CUDA Kernel Launch & Exec Time Summary", nsys_columns::launches,
     NsysOptions::kKernelNamesAndRanges},
    {"cuda_kern_exec_trace", "CUDA Kernel Launch & Exec Time Trace", nsys_columns::launch_rows,
     NsysOptions::kKernelNamesAndRanges},
    {"cuda_memcpy_async", "CUDA Async Memcpy with Pageable Memory", nsys_columns::copies_by_call, NsysOptions::kRows,
     50, nsys_tables::kinds},
    {"cuda_memcpy_sync", "CUDA Synchronous Memcpy", nsys_columns::copies_by_call, NsysOptions::kRows, 50,
     nsys_tables::kinds},
    {"cuda_memset_sync", "CUDA Synchronous Memset", nsys_columns::sets_by_call, NsysOptions::kRows, 50,
     nsys_tables::kinds},
    {"gpu_gaps", "GPU Gaps", nsys_columns::device_use, NsysOptions::kRows, 50},
    {"gpu_time_util", "GPU Time Utilization", nsys_columns::device_use},
    {"mpi_event_sum", "MPI Event Summary", nsys_columns::mpi},
    {"mpi_event_trace", "MPI Event Trace", nsys_columns::mpi},
    {"nvtx_gpu_proj_sum", "NVTX GPU Projection Summary", nsys_columns::projection},
    {"nvtx_gpu_proj_trace", "NVTX GPU Projection Trace", nsys_columns::projection_rows},
    {"nvtx_kern_sum", "NVTX Range Kernel Summary", nsys_columns::range_kernels, NsysOptions::kKernelNames},
    {"nvtx_pushpop_sum", "NVTX Push/Pop Range Summary", nsys_columns::push_pop},
    {"nvtx_pushpop_trace", "NVTX Push/Pop Range Trace", nsys_columns::push_pop_rows},
    {"nvtx_startend_sum", "NVTX Start/End Range Summary", nsys_columns::start_end},
    {"nvtx_sum", "NVTX Range Summary", nsys_columns::ranges},
    {"openacc_sum", "OpenACC Summary", nsys_columns::openacc},
    {"openmp_sum", "OpenMP Summary", nsys_columns::openmp},
    {"osrt_sum", "OS Runtime Summary", nsys_columns::os_calls},
    {"um_cpu_page_faults_sum", "Unified Memory CPU Page Faults Summary", nsys_columns::cpu_faults},
    {"um_sum", "Unified Memory Analysis Summary", nsys_columns::unified_memory, NsysOptions::kRows, 10,
     nsys_tables::faults},
    {"um_total_sum", "Unified Memory Totals Summary", nsys_columns::unified_memory, NsysOptions::kNothing, 0,
     nsys_tables::faults},
};

/// Name of a kernel in a report.
enum class KernelName : std::uint8_t { kDemangled, kBase, kMangled };

/// A report as requested: "cuda_gpu_kern_sum:nvtx-name:base".
struct AskedNsysReport {
  std::string_view text;  ///< as asked
  const NsysReport* report = nullptr;
  KernelName name = KernelName::kDemangled;
  bool with_range = false;  ///< :nvtx-name
  std::int64_t rows = 0;    ///< max number; 0: unlimited

  /// Columns to read for it.
  [[nodiscard]] std::vector<ColumnId> columns() const;
};

/// Empty if there is no report with that name or it does not accept the options.
std::optional<AskedNsysReport> find_nsys_report(std::string_view text);

/// Whether nsys has such a report and assay does not: on graphics, video or the display driver.
bool is_nsys_graphics_report(std::string_view text);

/// Id of the report's table, which is also nsys's file name: "cuda_gpu_kern_sum_base".
std::string nsys_table_id(std::string_view report);

}  // namespace assay
