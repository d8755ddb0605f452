// Columns of the tables of Nsight Systems.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "assay/report.hpp"

namespace assay {

/// Columns of exports from which reports of `nsys stats` are computed.
inline constexpr ColumnId kNsysColumns[] = {
    col::kernels,
    col::kernel_name,
    col::kernel_short_name,
    col::kernel_mangled_name,
    col::kernel_context,
    col::kernel_correlation,
    col::kernel_grid,
    col::kernel_block,
    col::kernel_registers,
    col::kernel_shared,
    col::kernel_green_context,
    col::graphs,
    col::copies,
    col::copy_bytes,
    col::copy_direction,
    col::copy_context,
    col::copy_correlation,
    col::copy_memory_kinds,
    col::copy_green_context,
    col::copy_address,
    col::sets,
    col::set_bytes,
    col::set_context,
    col::set_correlation,
    col::set_memory_kind,
    col::set_green_context,
    col::calls,
    col::call_correlation,
    col::call_return_value,
    col::call_full_name,
    col::call_twin,
    col::ranges,
    col::range_row_id,
    col::spans,
    col::span_row_id,
    col::devices,
    col::overheads,
    col::overhead_name,
    col::properties,
    col::repeats,
    col::os_calls,
    col::mpi_events,
    col::openacc_events,
    col::openmp_events,
    col::cpu_faults,
    col::gpu_faults,
    col::thread_names,
};

/// Those, and others.
template <std::size_t N>
constexpr std::array<ColumnId, std::size(kNsysColumns) + N> nsys_columns_and(const ColumnId (&others)[N]) {
  std::array<ColumnId, std::size(kNsysColumns) + N> all{};
  std::ranges::copy(others, std::ranges::copy(kNsysColumns, all.begin()).out);
  return all;
}

}  // namespace assay
