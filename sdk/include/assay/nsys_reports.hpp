// The reports of `nsys stats` that assay answers: their names, titles and the columns that each needs. Shared by the
// analyzer that makes the tables and by the command that reads no more of a file than the asked ones need.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "assay/report.hpp"

namespace assay {

/// One report. `columns` is what it reads; without a table of them it may have nothing to say.
struct NsysReport {
  std::string_view name;   ///< as `nsys stats --report` takes it: "cuda_gpu_kern_sum:base"
  std::string_view title;  ///< as nsys prints it above the table
  Span<ColumnId> columns;
};

namespace nsys_columns {
inline constexpr ColumnId kernels[] = {col::kernels, col::kernel_name, col::graphs};
inline constexpr ColumnId base_kernels[] = {col::kernels, col::kernel_short_name, col::graphs};
inline constexpr ColumnId mangled_kernels[] = {col::kernels, col::kernel_mangled_name, col::graphs};
inline constexpr ColumnId shaped_kernels[] = {col::kernels, col::kernel_name, col::kernel_grid, col::kernel_block,
                                              col::graphs};
inline constexpr ColumnId calls[] = {col::calls, col::call_full_name};
inline constexpr ColumnId memory_time[] = {col::copies, col::copy_direction, col::sets};
inline constexpr ColumnId memory_size[] = {col::copies, col::copy_direction, col::copy_bytes, col::sets,
                                           col::set_bytes};
inline constexpr ColumnId ranges[] = {col::ranges, col::spans};
inline constexpr ColumnId projection[] = {col::ranges, col::spans, col::kernels,   col::copies,
                                          col::sets,   col::calls, col::call_twin, col::graphs};
inline constexpr ColumnId range_kernels[] = {col::ranges, col::spans,     col::kernels, col::kernel_name,
                                             col::calls,  col::call_twin, col::graphs};
inline constexpr ColumnId launches[] = {col::kernels,        col::kernel_name, col::calls,
                                        col::call_full_name, col::call_twin,   col::graphs};
inline constexpr ColumnId device_use[] = {col::kernels, col::kernel_context, col::copies, col::copy_context,
                                          col::sets,    col::set_context,    col::graphs};
inline constexpr ColumnId device_gaps[] = {col::kernels, col::kernel_context, col::copies,    col::copy_context,
                                           col::sets,    col::set_context,    col::overheads, col::graphs};
}  // namespace nsys_columns

inline constexpr NsysReport kNsysReports[] = {
    {"cuda_api_sum", "CUDA API Summary", nsys_columns::calls},
    {"cuda_gpu_kern_gb_sum", "CUDA GPU Kernel/Grid/Block Summary", nsys_columns::shaped_kernels},
    {"cuda_gpu_kern_sum", "CUDA GPU Kernel Summary", nsys_columns::kernels},
    {"cuda_gpu_kern_sum:base", "CUDA GPU Kernel Summary", nsys_columns::base_kernels},
    {"cuda_gpu_kern_sum:mangled", "CUDA GPU Kernel Summary", nsys_columns::mangled_kernels},
    {"cuda_gpu_mem_size_sum", "CUDA GPU MemOps Summary (by Size)", nsys_columns::memory_size},
    {"cuda_gpu_mem_time_sum", "CUDA GPU MemOps Summary (by Time)", nsys_columns::memory_time},
    {"cuda_kern_exec_sum", "CUDA Kernel Launch & Exec Time Summary", nsys_columns::launches},
    {"gpu_gaps", "GPU Gaps", nsys_columns::device_gaps},
    {"gpu_time_util", "GPU Time Utilization", nsys_columns::device_use},
    {"nvtx_gpu_proj_sum", "NVTX GPU Projection Summary", nsys_columns::projection},
    {"nvtx_kern_sum", "NVTX Range Kernel Summary", nsys_columns::range_kernels},
    {"nvtx_sum", "NVTX Range Summary", nsys_columns::ranges},
};

/// Null when there is no report of that name.
constexpr const NsysReport* find_nsys_report(std::string_view name) {
  const auto* at = std::find_if(std::begin(kNsysReports), std::end(kNsysReports),
                                [&](const NsysReport& report) { return report.name == name; });
  return at == std::end(kNsysReports) ? nullptr : at;
}

/// Id of the report's table, also as nsys names the file: "cuda_gpu_kern_sum_base".
inline std::string nsys_table_id(std::string_view report) {
  std::string id(report);
  std::replace(id.begin(), id.end(), ':', '_');
  return id;
}

}  // namespace assay
