// The tables of a trace while they are filled, and which of them are wanted.
#pragma once

#include "formats/columns/row_writer.hpp"
#include "formats/torch/hosts.hpp"

namespace assay::load {

/// What is read from a trace.
struct TraceWants {
  explicit TraceWants(const TableSink& out);
  bool kernels, copies, sets, syncs, overheads, allocations, causes;
  bool calls, ops;  ///< also if something requested is linked to them
  bool op_links;    ///< links from kernels or calls to operators
  bool collectives, kernel_names;
  bool declared;  ///< messages, launches that captures and compilers made, lifetimes of allocations
  bool memory_kinds, set_kind, directions, records;
  bool external_ids, python_ids, inputs, concrete_inputs, sequences;  ///< of operators
};

/// The tables of a trace. One exists once an event of its category has occurred; `ranges` always exists.
struct TraceTables {
  explicit TraceTables(TableSink& to);

  TableSink& out;
  TraceWants wants;
  formats::RowWriter<KernelTable> kernels{out, col::kernels};
  formats::RowWriter<CopyTable> copies{out, col::copies};
  formats::RowWriter<SetTable> sets{out, col::sets};
  formats::RowWriter<SyncTable> syncs{out, col::syncs};
  formats::RowWriter<CallTable> calls{out, col::calls};
  formats::RowWriter<RangeTable> ranges{out, col::ranges};
  formats::RowWriter<OpTable> ops{out, col::ops};
  formats::RowWriter<OverheadTable> overheads{out, col::overheads};
  formats::RowWriter<AllocationTable> allocations{out, col::allocations};
  formats::RowWriter<CollectiveTable> collectives{out, col::collectives};
  formats::ColumnWriter<std::int64_t> kernel_operators{out, col::kernels, LinkColumn::kExternalId},
      call_operators{out, col::calls, LinkColumn::kExternalId}, sync_ids{out, col::syncs, LinkColumn::kWideId},
      sync_records{out, col::syncs, LinkColumn::kRecordedBy}, addresses{out, col::allocations, LinkColumn::kAddress};
  formats::ColumnWriter<StringId> launched{out, col::calls, LinkColumn::kLaunched};

  /// Calls `use(rows, correlation ids)` for each table of device work.
  template <class Use>
  void each_work(Use use) {
    use(kernels, kernels.correlation);
    use(copies, copies.correlation);
    use(sets, sets.correlation);
    use(syncs, sync_ids);
  }
  /// Makes what is wanted of a table present, if it is not there yet.
  void begin_kernels();
  void begin_copies();
  void begin_sets();
  void begin_calls();
  void begin_ops();
  void finish();
};

/// Sets processes and devices of device work (place_work.cpp). It has no process, only call ids and, in a merged trace,
/// the rank. If several processes made calls, an id that the main one does not have identifies the process. The ranks
/// of a merged trace number their devices independently, so equal numbers are different devices.
void place_work(Hosts& hosts, TraceTables& tables);

}  // namespace assay::load
