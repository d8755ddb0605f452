#include "formats/torch/trace_tables.hpp"

namespace assay::load {
namespace {

template <class... Columns>
void begin_if(bool wanted, Columns&... columns) {
  if (wanted) (columns.make_present(), ...);
}
template <class Rows, class Ids>
void begin_core(Rows& rows, Ids& ids) {
  begin_if(true, rows.start, rows.end, rows.device, rows.stream, rows.process, ids);
}

}  // namespace

TraceWants::TraceWants(const TableSink& out)
    : kernels(out.wants(col::kernels) || out.wants(col::declared)),
      copies(out.wants(col::copies)),
      sets(out.wants(col::sets)),
      syncs(out.wants(col::syncs)),
      overheads(out.wants(col::overheads)),
      allocations(out.wants(col::allocations) || out.wants(col::declared)),
      causes(out.wants(col::causes)),
      op_links(out.wants(col::kernel_op) || out.wants(col::call_op)),
      collectives(out.wants(col::collectives)),
      kernel_names(out.wants(col::kernel_name) || out.wants(col::kernel_short_name)),
      declared(out.wants(col::declared)),
      memory_kinds(out.wants(col::copy_memory_kinds)),
      set_kind(out.wants(col::set_memory_kind)),
      directions(out.wants(col::copy_direction)),
      records(out.wants(col::sync_record)),
      external_ids(op_links || out.wants(col::op_external_id)),
      python_ids(out.wants(col::op_python_ids)),
      inputs(out.wants(col::op_inputs)),
      concrete_inputs(out.wants(col::op_concrete_inputs)),
      sequences(out.wants(col::op_sequence)) {
  calls = kernels || copies || sets || syncs || out.wants(col::calls);
  ops = op_links || declared || causes || out.wants(col::ops);
}

TraceTables::TraceTables(TableSink& to) : out(to), wants(to) {
  begin_if(true, ranges.start, ranges.end, ranges.name, ranges.domain, ranges.thread, ranges.end_thread, ranges.open);
}

void TraceTables::begin_kernels() {
  auto& rows = kernels;
  if (rows.start.present()) return;
  begin_core(rows, rows.correlation);
  begin_if(wants.kernel_names, rows.name);
  begin_if(out.wants(col::kernel_context), rows.context);
  begin_if(out.wants(col::kernel_grid), rows.grid_x, rows.grid_y, rows.grid_z);
  begin_if(out.wants(col::kernel_block), rows.block_x, rows.block_y, rows.block_z);
  begin_if(out.wants(col::kernel_registers), rows.registers);
  begin_if(out.wants(col::kernel_shared_a_block), rows.shared_a_block);
  begin_if(out.wants(col::kernel_graph_node), rows.graph_node);
  begin_if(out.wants(col::kernel_blocks_per_sm), rows.blocks_per_sm);
  begin_if(out.wants(col::kernel_warps_per_sm), rows.warps_per_sm);
  begin_if(out.wants(col::kernel_occupancy), rows.occupancy);
  begin_if(out.wants(col::kernel_op), kernel_operators);
  auto& all = collectives;
  begin_if(wants.collectives, all.kernel, all.kind, all.group, all.group_ranks, all.group_size, all.sequence, all.sent,
           all.received, all.dtype);
}

void TraceTables::begin_copies() {
  if (copies.start.present()) return;
  begin_core(copies, copies.correlation);
  begin_if(out.wants(col::copy_bytes), copies.bytes);
  begin_if(out.wants(col::copy_context), copies.context);
  begin_if(wants.directions, copies.direction, copies.kind);
}

void TraceTables::begin_sets() {
  if (sets.start.present()) return;
  begin_core(sets, sets.correlation);
  begin_if(out.wants(col::set_bytes), sets.bytes);
  begin_if(out.wants(col::set_context), sets.context);
}

void TraceTables::begin_calls() {
  if (calls.start.present()) return;
  begin_if(true, calls.start);
  begin_if(out.wants(col::call_name) || out.wants(col::call_full_name), calls.name);
  begin_if(wants.op_links, call_operators);
  begin_if(wants.declared, launched);
}

void TraceTables::begin_ops() {
  if (ops.start.present()) return;
  begin_if(true, ops.start);
  begin_if(wants.external_ids, ops.external_id);
  begin_if(wants.python_ids, ops.python_id, ops.python_parent, ops.python_module);
  begin_if(wants.sequences, ops.sequence, ops.forward_thread);
}

void TraceTables::finish() {
  const auto all = [](auto&... columns) { (columns.finish(), ...); };
  all(kernels, copies, sets, syncs, calls, ranges, ops, overheads, allocations, collectives);
  all(kernel_operators, call_operators, sync_ids, sync_records, addresses, launched);
}

}  // namespace assay::load
