#include "difference/measure.hpp"

namespace assay::difference {

std::set<ColumnId> measured_columns() {
  return {col::kernels,
          col::kernel_name,
          col::kernel_short_name,
          col::kernel_grid,
          col::kernel_block,
          col::kernel_op,
          col::kernel_registers,
          col::kernel_shared,
          col::kernel_occupancy,
          col::kernel_profiled,
          col::profiled,
          col::counters,
          col::graphs,
          col::graph_id,
          col::copies,
          col::copy_bytes,
          col::copy_direction,
          col::copy_memory_kinds,
          col::sets,
          col::set_bytes,
          col::calls,
          col::call_name,
          col::call_range,
          col::call_op,
          col::ranges,
          col::spans,
          col::ops,
          col::op_python_ids,
          col::op_inputs,
          col::collectives,
          col::devices};
}

}  // namespace assay::difference
