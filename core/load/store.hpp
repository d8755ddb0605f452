// Everything one file gave, owned. Profile::View points into it.
#pragma once

#include <optional>

#include "load/issue.hpp"
#include "load/load.hpp"
#include "load/owned_column.hpp"
#include "load/strings.hpp"

namespace assay::load {

/// What kernels, graphs, copies, sets and synchronisations have in common.
struct EventRows {
  OwnedColumn<std::int64_t> start, end;
  OwnedColumn<std::int32_t> device, stream;
  OwnedColumn<std::uint32_t> process;
  OwnedColumn<Row> call;
  OwnedColumn<std::int64_t> correlation;  ///< for linking; dropped after unless wanted

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }

  template <class Use>
  void each(Use&& use) {
    use(start), use(end), use(device), use(stream), use(process), use(call), use(correlation);
  }
};

struct KernelRows : EventRows {
  OwnedColumn<StringId> name, short_name, mangled_name;
  OwnedColumn<std::int32_t> context, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers, static_shared,
      dynamic_shared, executed_shared;
  OwnedColumn<std::int64_t> graph_node;
  OwnedColumn<double> blocks_per_sm, warps_per_sm, occupancy;
  OwnedColumn<Row> op;
  OwnedColumn<std::int32_t> shared_a_block;
  OwnedColumn<Row> profiled;
  OwnedColumn<std::int64_t> external_id;  ///< for linking; dropped after
  OwnedColumn<std::int32_t> green_context;

  template <class Use>
  void each(Use&& use) {
    EventRows::each(use);
    use(name), use(short_name), use(mangled_name), use(context), use(grid_x), use(grid_y), use(grid_z), use(block_x);
    use(block_y), use(block_z), use(registers), use(static_shared), use(dynamic_shared), use(executed_shared),
        use(graph_node);
    use(blocks_per_sm), use(warps_per_sm), use(occupancy), use(op), use(shared_a_block), use(external_id);
    use(profiled), use(green_context);
  }
};

struct GraphRows : EventRows {
  OwnedColumn<std::int64_t> graph;
  template <class Use>
  void each(Use&& use) {
    EventRows::each(use);
    use(graph);
  }
};

struct CopyRows : EventRows {
  OwnedColumn<std::int64_t> bytes;
  OwnedColumn<CopyDirection> direction;
  OwnedColumn<std::int32_t> kind, context, source_kind, target_kind, green_context;
  OwnedColumn<std::int64_t> address;
  template <class Use>
  void each(Use&& use) {
    EventRows::each(use);
    use(bytes), use(direction), use(kind), use(context), use(source_kind), use(target_kind), use(green_context);
    use(address);
  }
};

struct SetRows : EventRows {
  OwnedColumn<std::int64_t> bytes;
  OwnedColumn<std::int32_t> context, memory_kind, green_context;
  template <class Use>
  void each(Use&& use) {
    EventRows::each(use);
    use(bytes), use(context), use(memory_kind), use(green_context);
  }
};

struct SyncRows : EventRows {
  OwnedColumn<std::int32_t> type;
  template <class Use>
  void each(Use&& use) {
    EventRows::each(use);
    use(type);
  }
};

struct OverheadRows {
  OwnedColumn<std::int64_t> start, end;
  OwnedColumn<std::uint32_t> process;
  OwnedColumn<StringId> name;

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  void each(Use&& use) {
    use(start), use(end), use(process), use(name);
  }
};

struct CallRows {
  OwnedColumn<std::int64_t> start, end;
  OwnedColumn<std::uint32_t> thread;
  OwnedColumn<CallKind> kind;
  OwnedColumn<StringId> name;
  OwnedColumn<Row> range;
  OwnedColumn<std::int64_t> correlation;
  OwnedColumn<std::int32_t> return_value;
  OwnedColumn<Row> twin;
  OwnedColumn<StringId> full_name;
  OwnedColumn<Row> op;
  OwnedColumn<std::int64_t> external_id;  ///< for linking; dropped after

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  void each(Use&& use) {
    use(start), use(end), use(thread), use(kind), use(name), use(range), use(correlation), use(return_value);
    use(twin), use(op), use(external_id), use(full_name);
  }
};

struct RangeRows {
  OwnedColumn<std::int64_t> start, end;
  OwnedColumn<StringId> name, domain;
  OwnedColumn<std::uint32_t> thread, end_thread;
  OwnedColumn<std::uint8_t> open, in_named_domain;
  OwnedColumn<Row> parent;
  OwnedColumn<std::int32_t> depth;
  OwnedColumn<std::int64_t> reach, row_id;

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  void each(Use&& use) {
    use(start), use(end), use(name), use(domain), use(thread), use(end_thread), use(open), use(parent), use(depth),
        use(reach), use(in_named_domain), use(row_id);
  }
};

struct HostEventRows {
  OwnedColumn<std::int64_t> start, end;
  OwnedColumn<StringId> name, source;
  OwnedColumn<std::uint32_t> thread;
  OwnedColumn<std::int64_t> tag, rank, remote_rank, root_rank, size, sent_size, recv_size;  ///< of MPI

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  void each(Use&& use) {
    use(start), use(end), use(name), use(source), use(thread), use(tag), use(rank), use(remote_rank), use(root_rank);
    use(size), use(sent_size), use(recv_size);
  }
};

struct PageFaultRows {
  OwnedColumn<std::int64_t> start, end;  ///< the end is not in the report
  OwnedColumn<std::uint32_t> process;
  OwnedColumn<std::int64_t> address, count, counter;
  OwnedColumn<StringId> function;
  OwnedColumn<std::uint8_t> unresolved;

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  void each(Use&& use) {
    use(start), use(end), use(process), use(address), use(count), use(counter), use(function), use(unresolved);
  }
};

/// Names and priorities by row of threads.
struct ThreadNameRows {
  std::vector<std::string> names;
  std::vector<std::int32_t> priorities;
};

struct OpRows {
  OwnedColumn<std::int64_t> start, end;
  OwnedColumn<StringId> name;
  OwnedColumn<std::uint32_t> thread;
  OwnedColumn<OpKind> kind;
  OwnedColumn<Row> parent;
  OwnedColumn<std::int32_t> depth;
  OwnedColumn<std::int64_t> external_id, python_id, python_parent, python_module;

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  void each(Use&& use) {
    use(start), use(end), use(name), use(thread), use(kind), use(parent), use(depth), use(external_id), use(python_id);
    use(python_parent), use(python_module);
  }
};

struct AllocationRows {
  OwnedColumn<std::int64_t> start;  ///< the time
  OwnedColumn<std::int32_t> device;
  OwnedColumn<std::int64_t> bytes, allocated, reserved;
  OwnedColumn<std::uint32_t> thread;

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  void each(Use&& use) {
    use(start), use(device), use(bytes), use(allocated), use(reserved), use(thread);
  }
};

struct ProfiledRows {
  OwnedColumn<std::int64_t> id, process;
  OwnedColumn<StringId> name, short_name;
  OwnedColumn<std::int32_t> grid_x, grid_y, grid_z, block_x, block_y, block_z, device, context, stream;
  OwnedColumn<Row> group;

  [[nodiscard]] std::size_t rows() const { return id.values().size(); }
  template <class Use>
  void each(Use&& use) {
    use(id), use(process), use(name), use(short_name), use(grid_x), use(grid_y), use(grid_z), use(block_x);
    use(block_y), use(block_z), use(device), use(context), use(stream), use(group);
  }
};

struct CounterRows {
  OwnedColumn<Row> profiled;
  OwnedColumn<StringId> section, name, unit;
  OwnedColumn<double> value;

  [[nodiscard]] std::size_t rows() const { return profiled.values().size(); }
  template <class Use>
  void each(Use&& use) {
    use(profiled), use(section), use(name), use(unit), use(value);
  }
};

struct Property {
  std::string name, value;
};

struct DeviceRows {
  OwnedColumn<std::int32_t> id, sm_count, compute_major, compute_minor, max_threads_per_sm, max_blocks_per_sm,
      max_registers_per_sm, max_shared_per_sm;
  OwnedColumn<std::int64_t> total_memory, memory_bandwidth;
  std::vector<std::string> names;
};

/// The processes and threads of a capture. nsys writes both as one number: bits 24 up are the process (with the machine
/// it ran on), the low 24 bits the thread. A reader uses either those numbers or `add`.
class Threads {
 public:
  std::uint32_t process(std::int64_t global_id);
  std::uint32_t thread(std::int64_t global_tid);
  /// The thread, if it was ever asked for.
  [[nodiscard]] std::optional<std::uint32_t> find_thread(std::int64_t global_tid) const {
    return threads_.find(global_tid);
  }
  /// A new process, a new thread of a process, by the operating system's ids.
  std::uint32_t add_process(std::int64_t id);
  std::uint32_t add_thread(std::uint32_t process, std::int64_t id);
  [[nodiscard]] std::size_t process_count() const { return process_ids_.size(); }
  [[nodiscard]] std::size_t thread_count() const { return thread_ids_.size(); }
  [[nodiscard]] std::uint32_t process_of_thread(std::uint32_t thread) const { return process_of_thread_[thread]; }
  /// Operating system's ids, in the order of the rows.
  [[nodiscard]] const std::vector<std::int64_t>& process_ids() const { return process_ids_; }
  [[nodiscard]] const std::vector<std::int64_t>& thread_ids() const { return thread_ids_; }

 private:
  KeyInterner processes_, threads_;
  std::vector<std::int64_t> process_ids_, thread_ids_;
  std::vector<std::uint32_t> process_of_thread_;
};

}  // namespace assay::load

namespace assay {

struct Profile::Store {
  std::string name;
  load::StringPool strings;
  load::Threads threads;
  std::optional<load::KernelRows> kernels;
  std::optional<load::GraphRows> graphs;
  std::optional<load::CopyRows> copies;
  std::optional<load::SetRows> sets;
  std::optional<load::SyncRows> syncs;
  std::optional<load::OverheadRows> overheads;
  std::optional<load::CallRows> calls, repeats;
  std::optional<load::RangeRows> ranges, spans;
  std::optional<load::HostEventRows> os_calls, mpi_events, openacc_events, openmp_events;
  std::optional<load::PageFaultRows> cpu_faults, gpu_faults;
  std::optional<load::ThreadNameRows> thread_names;
  std::optional<load::OpRows> ops;
  std::optional<load::AllocationRows> allocations;
  std::optional<load::ProfiledRows> profiled;
  std::optional<load::CounterRows> counters;  ///< there exactly where `profiled` is
  std::vector<load::Property> properties;
  load::DeviceRows devices;
  std::vector<load::Issue> issues;
  std::vector<std::string> notes;  ///< for the log
};

}  // namespace assay
