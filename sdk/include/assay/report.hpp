// The report model: the content of one profile, as columns. Built by the host, immutable, alive only inside `analyze`.
// Longer than other files because it is one contract: the tables and their list of columns belong together.
// Three cases are distinct:
// table pointer null    not captured, or this format cannot contain it
// table with rows == 0  captured, and nothing happened
// column not present()  the table exists but this export has no such column (or no enabled analyzer requested it)
// A missing cell in a present column is kNone (-1) for ids and sizes, NaN for doubles, 0 for StringId and correlation.
//
// Units: times are integer nanoseconds since the start of the session (other origins are shifted, never scaled through
// floating point), sizes are bytes. Event tables are sorted by start, then end, then order in the file. Rows are
// numbered from 0; a row number of another table is -1 for "none".
#pragma once

#include <cassert>
#include <concepts>
#include <limits>
#include <stdexcept>
#include <string>

#include "assay/abi.hpp"

namespace assay {

/// No row, or an unknown id or size.
inline constexpr std::int32_t kNone = -1;

/// Index into Report::strings. 0 is the empty string and means "no name".
using StringId = std::uint32_t;
/// Index into a table, from 0; kNone: none.
using Row = std::int32_t;

/// A row as an argument: any integer, so that a std::size_t loop variable needs no cast. Values beyond int32 wrap.
struct RowArg {
  Row row;
  template <std::integral Integer>
  constexpr RowArg(Integer number) noexcept : row(static_cast<Row>(number)) {}  // NOLINT: implicit by design
};

namespace detail {

/// Thrown for a cell of an absent column. `column` is its address, from which the report derives its name.
class AbsentColumn : public std::out_of_range {
 public:
  explicit AbsentColumn(const void* where);
  const void* column;
};

/// Out of line, so that a check costs one well-predicted comparison that is mostly hoisted out of loops.
[[noreturn, gnu::cold, gnu::noinline]] void refuse_cell(const void* column);

}  // namespace detail

/// A column of a table: `size` values, or absent. Reading an absent column throws, so that an analyzer that forgot to
/// check fails on that report with a sentence; check `present()` if another result is wanted. A row beyond the last is
/// a mistake of the caller and unchecked in release builds.
template <class T>
struct Column {
  const T* data = nullptr;  ///< null: absent; never null if present, even without rows
  std::uint64_t size = 0;

  [[nodiscard]] constexpr bool present() const noexcept { return data != nullptr; }
  /// All cells; empty if the column is absent. Does not throw, nor do begin and end.
  [[nodiscard]] constexpr std::span<const T> view() const noexcept { return {data, static_cast<std::size_t>(size)}; }
  [[nodiscard]] constexpr const T* begin() const noexcept { return data; }
  [[nodiscard]] constexpr const T* end() const noexcept { return data + size; }
  /// Cell of a row. Throws std::out_of_range if the column is absent. `row`: any integer type; kNone is not a row.
  template <std::integral Integer>
  constexpr const T& operator[](Integer row) const {
    if (data == nullptr) [[unlikely]]
      detail::refuse_cell(this);
    assert(static_cast<std::uint64_t>(row) < size);
    return data[static_cast<std::size_t>(row)];
  }
};

/// Relation of a device row to the window (configs/README.md, [window]).
enum class Membership : std::uint8_t {
  kOutside = 0,
  kInside = 1,   ///< belongs to the window: its launching call (or, if unlinked, its start) is inside
  kForeign = 2,  ///< launched outside of the window but runs in it: neither the window's work nor idle time
};

/// Kernels. Source: CUPTI_ACTIVITY_KIND_KERNEL.
struct KernelTable {
  std::uint64_t rows = 0;
  // core
  Column<std::int64_t> start;     ///< ns
  Column<std::int64_t> end;       ///< ns, >= start
  Column<std::int32_t> device;    ///< Device::id
  Column<std::int32_t> stream;    ///< stream id, unique per (process, device, context); kNone: none
  Column<std::uint32_t> process;  ///< row of processes
  Column<Row> call;               ///< launching API call, row of calls; kNone: unlinked, or no column of calls is read
  Column<Membership> membership;  ///< inside the window, outside of it, or foreign
  // on demand
  Column<StringId> name;                           ///< demangled, with template arguments
  Column<StringId> short_name;                     ///< base name
  Column<StringId> mangled_name;                   ///< 0 where missing
  Column<std::int32_t> context;                    ///< number of the context; kNone: unknown
  Column<std::int64_t> correlation;                ///< joins call and work, unique per process; 0: unlinked
  Column<std::int32_t> grid_x, grid_y, grid_z;     ///< blocks; kNone: unknown, for all three
  Column<std::int32_t> block_x, block_y, block_z;  ///< threads; kNone: unknown, for all three
  Column<std::int32_t> registers;                  ///< per thread; kNone: unknown
  Column<std::int32_t> static_shared, dynamic_shared, executed_shared;  ///< bytes per block; kNone: unknown
  Column<std::int64_t> graph_node;      ///< CUDA graph node of this kernel; kNone: launched directly
  Column<double> blocks_per_sm;         ///< blocks of the grid / multiprocessors of the device; NaN: unknown
  Column<double> warps_per_sm;          ///< warps of the grid / multiprocessors of the device; NaN: unknown
  Column<double> occupancy;             ///< achieved occupancy as estimated by the profiler, 0..1; NaN: unknown
  Column<Row> op;                       ///< innermost operator or annotation around the launch, row of ops; kNone: none
  Column<std::int32_t> shared_a_block;  ///< static plus dynamic shared memory in bytes; kNone: unknown
  Column<Row> profiled;  ///< ProfiledTable::group with the same kernel and launch shape; -1: none; absent if no
                         ///< counters belong to the run
  Column<std::int32_t> green_context;  ///< kNone: none
};

/// CUDA graph launches traced as a whole: one row per launch; the kernels inside are in no table. Columns as in
/// KernelTable. Source: CUPTI_ACTIVITY_KIND_GRAPH_TRACE.
struct GraphTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> start, end;
  Column<std::int32_t> device, stream;
  Column<std::uint32_t> process;
  Column<Row> call;
  Column<Membership> membership;
  Column<std::int64_t> graph;  ///< graph id; kNone: unknown
};

/// Source and target of a copy, with unified-memory migrations.
enum class CopyDirection : std::uint8_t {
  kUnknown = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kPeerToPeer = 4,
  kHostToHost = 5,
  kArray = 6,            ///< to or from a CUDA array
  kUnifiedToDevice = 7,  ///< unified-memory migration, host to device
  kUnifiedToHost = 8,    ///< unified-memory migration, device to host
  kUnifiedPeer = 9,      ///< unified-memory migration between devices
};

/// Name used in dims: "h2d", "d2h", "d2d", "p2p", "h2h", "array", "um_h2d", "um_d2h", "um_d2d"; "unknown" for any
/// other value.
constexpr std::string_view direction_name(CopyDirection direction) noexcept {
  constexpr std::string_view names[] = {"unknown", "h2d",   "d2h",    "d2d",    "p2p",
                                        "h2h",     "array", "um_h2d", "um_d2h", "um_d2d"};
  const auto i = static_cast<std::size_t>(direction);
  return i < std::size(names) ? names[i] : names[0];
}

/// Kind of memory, as nsys exports number it (CUPTI's number less one).
enum class MemoryKind : std::uint8_t {
  kPageable = 0,
  kPinned = 1,
  kDevice = 2,
  kArray = 3,
  kManaged = 4,
  kDeviceStatic = 5,
  kManagedStatic = 6,
  kOther = 7,  ///< the profiler does not know it either
  kUnknown = 255,
};

/// Memory copies and unified-memory migrations. Further columns as in KernelTable. Source: CUPTI_ACTIVITY_KIND_MEMCPY.
struct CopyTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> start, end;
  Column<std::int32_t> device, stream;
  Column<std::uint32_t> process;
  Column<Row> call;
  Column<Membership> membership;
  Column<std::int64_t> bytes;       ///< kNone: unknown
  Column<CopyDirection> direction;  ///< with unified-memory migrations
  Column<std::int32_t> kind;        ///< as written by the profiler (CUPTI copyKind); kNone: unknown
  Column<std::int32_t> context;
  Column<std::int64_t> correlation;             ///< joins call and work, unique per process; 0: unlinked
  Column<MemoryKind> source_kind, target_kind;  ///< memory copied from, and to
  Column<std::int32_t> green_context;           ///< kNone: none
  Column<std::int64_t> address;                 ///< of unified memory: virtual base address; kNone: unknown
};

/// Memory sets. Further columns as in KernelTable. Source: CUPTI_ACTIVITY_KIND_MEMSET.
struct SetTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> start, end;
  Column<std::int32_t> device, stream;
  Column<std::uint32_t> process;
  Column<Row> call;
  Column<Membership> membership;
  Column<std::int64_t> bytes;  ///< kNone: unknown
  Column<std::int32_t> context;
  Column<std::int64_t> correlation;    ///< joins call and work, unique per process; 0: unlinked
  Column<MemoryKind> memory_kind;      ///< that is set
  Column<std::int32_t> green_context;  ///< kNone: none
};

/// Kind of an API call, from its name without version suffix.
enum class CallKind : std::uint8_t {
  kOther = 0,
  kKernelLaunch = 1,  ///< cudaLaunchKernel*, cuLaunchKernel*, *ExC, cooperative launches
  kGraphLaunch = 2,   ///< cudaGraphLaunch, cuGraphLaunch
  kCopy = 3,
  kSet = 4,
  kDeviceSync = 5,  ///< cudaDeviceSynchronize, cuCtxSynchronize
  kStreamSync = 6,
  kEventSync = 7,
  kBlockingCopy = 8,  ///< a blocking copy: cudaMemcpy, cuMemcpyDtoH, ... without Async
};

/// CUDA API calls on the host, runtime and driver, without duplicates. Source: CUPTI_ACTIVITY_KIND_RUNTIME, eventClass
/// 0 and 1.
struct CallTable {
  std::uint64_t rows = 0;
  // core
  Column<std::int64_t> start, end;  ///< ns
  Column<std::uint32_t> thread;     ///< row of threads
  Column<CallKind> kind;            ///< what the call does
  Column<std::uint8_t> in_window;   ///< 1: in the window, by process and by time
  // on demand
  Column<StringId> name;  ///< without the version suffix "_v7000"
  Column<Row> range;      ///< innermost push/pop range around the call on its thread, row of ranges; kNone: none
  Column<std::int64_t> correlation;   ///< joins call and work, unique per process; 0: unlinked
  Column<std::int32_t> return_value;  ///< CUDA error code; nonzero is often benign; absent in PyTorch traces
  Column<Row>
      twin;  ///< next call of the process with the same correlation id; kNone: none; absent if no two calls share one
  Column<Row> op;              ///< innermost operator or annotation around the call, row of ops; kNone: none
  Column<StringId> full_name;  ///< with the version suffix, as written by CUPTI
};

/// NVTX ranges. Two tables with these columns: `ranges` (push/pop, nested per thread) and `spans` (start/end, which
/// overlap and may end on another thread). Source: NVTX_EVENTS, event types 59 and 60, imported ones 70 and 71.
struct RangeTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> start, end;       ///< ns; an open range ends at the last timestamp of the capture
  Column<StringId> name;                 ///< text of the range; 0: none
  Column<StringId> domain;               ///< 0: the default domain
  Column<std::uint32_t> thread;          ///< row of threads
  Column<std::uint32_t> end_thread;      ///< differs from thread if a start/end range ended on another thread
  Column<std::uint8_t> open;             ///< 1: never ended
  Column<Row> parent;                    ///< ranges: the enclosing range on its thread, kNone: outermost; spans: kNone
  Column<std::int32_t> depth;            ///< ranges: 0 for outermost; spans: 0
  Column<std::int64_t> reach;            ///< spans: ns, greatest end in the row's implicit subtree (visit_spans_around)
  Column<std::uint8_t> in_named_domain;  ///< 1: the export has the name of the domain, possibly empty
  Column<std::int64_t> row_id;           ///< row number in the export
};

/// Synchronizations as seen by the device. Further columns as in KernelTable. Source:
/// CUPTI_ACTIVITY_KIND_SYNCHRONIZATION.
struct SyncTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> start, end;
  Column<std::int32_t> device, stream;
  Column<std::uint32_t> process;
  Column<std::int32_t> type;  ///< CUPTI_ActivitySynchronizationType: 1 event, 2 stream wait event, 3 stream, 4 context
  Column<Row> call;
  // on demand
  Column<Row> record;  ///< of an event: the call that recorded it last, row of calls; kNone: unknown, or not an event
  Column<std::int32_t> record_stream;  ///< stream it was recorded on; kNone: unknown, or not an event
};

/// Times when the profiler itself delayed a thread. Source: PROFILER_OVERHEAD.
struct OverheadTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> start, end;  ///< ns
  Column<std::uint32_t> process;    ///< row of processes
  Column<StringId> name;            ///< activity of the profiler: "CUPTI Buffer flush"
};

/// What threads of the host did or waited for, as the profile itself states it: compiling a function, waiting for a
/// lock. The account takes causes of idle time from here. Rows of one thread may nest; the innermost counts.
struct CauseTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> start, end;  ///< ns
  Column<std::uint32_t> thread;     ///< row of threads
  Column<StringId> name;            ///< as people read it: "compiling forward"
  Column<StringId> kind;            ///< what such causes have in common: "compile"; 0: not stated
  Column<StringId> file;            ///< of the program's source; 0: not stated
  Column<std::int64_t> line;        ///< kNone: not stated
};

/// Repetitions declared by `[iterations]`, sorted by host start.
struct IterationTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> number;       ///< the number in the range's name
  Column<std::int64_t> start, end;   ///< ns, of the range on the host
  Column<std::uint32_t> thread;      ///< row of threads
  Column<std::uint8_t> overlapping;  ///< 1: overlaps another in time, so that only calls of its own thread count
};

/// How the steps of a process were found.
enum class StepSource : std::uint8_t {
  kWhole = 0,   ///< no range is a step: the capture counts as one
  kWindow = 1,  ///< no range is a step: the named window counts as one
  kNamed = 2,   ///< the question or the command names them
  kMarks = 3,   ///< marks of the profiler, "ProfilerStep#3"
  kRanges = 4,  ///< the outermost ranges that repeat and hold at least half of the device work
};

/// Why a step is no example of the others, so that means and tests leave it out.
enum class Disturbance : std::uint8_t {
  kNothing = 0,
  kLostLaunches = 1,    ///< launches in it have no kernels
  kProfiler = 2,        ///< the profiler's own work takes more than 1 % of it
  kLaunchedBefore = 3,  ///< work in it was launched before the recording began
  kFirst = 4,           ///< the first of its process, more than 1.5 times as long as the median of the others
  kFirstOfJob = 5,      ///< the first of a rank of several: ranks begin at different times
};

/// Steps of the run, by start. They do not overlap within a process: each begins at its range, or at the end of the
/// step before if that is later, and ends at the next one's range, or with the last device work launched in it if that
/// is later; before a pause longer than the median range, and at the end, its range ends it.
struct StepTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> start, end;                ///< ns
  Column<std::uint32_t> process;                  ///< row of processes
  Column<std::int32_t> number;                    ///< in its process, from 0
  Column<StringId> name;                          ///< of its range
  Column<std::uint32_t> thread;                   ///< row of threads
  Column<Row> range;                              ///< row of ranges; kNone: a start/end range
  Column<std::int64_t> host_start, host_end;      ///< ns, its range; cut at the next one if they cross
  Column<std::int64_t> until;                     ///< ns, what is launched from host_start to here belongs to it
  Column<std::int64_t> device_start, device_end;  ///< ns, of that work, by any thread; kNone: none
  Column<std::int64_t> launched;                  ///< kernels, graph launches, copies and sets launched in it
  Column<std::uint8_t> whole;                     ///< 0: cut by the end of the capture
  Column<Disturbance> disturbed;                  ///< why it is no example of the others
  Column<StepSource> source;                      ///< how the steps of its process were found
};

/// What an instant of a step is on a device. Where several run at once, the first of these has it; of two of one kind
/// the one that began first.
enum class AccountKind : std::uint8_t {
  kKernel = 0,         ///< a kernel that does not communicate
  kGraph = 1,          ///< a graph launch that was traced as a whole
  kCommunication = 2,  ///< without a kernel beside it: also the wait for others in it
  kCopy = 3,
  kSet = 4,
  kIdle = 5,
};

/// Why a device is idle at an instant; read on the thread that launches the work that ends the idle time.
enum class IdleCause : std::uint8_t {
  kLaunch = 0,    ///< the launching call had begun: launch latency
  kCalls = 1,     ///< the host was in other calls that launch
  kHost = 2,      ///< the host was in its own code
  kBlocked = 3,   ///< the host was in a call that launches nothing: it waits, allocates or copies
  kQueued = 4,    ///< between two pieces of work of one stream that were both launched before
  kStream = 5,    ///< the next work was launched before, and waited for another stream or an event
  kProfiler = 6,  ///< the profiler's own work
  kBetween = 7,   ///< the host's own code outside of every step's range
  kUnknown = 8,   ///< the launch of the next work is not in the profile
  kStated = 9,    ///< a cause that the profile itself states (CauseTable)
  kNotIdle = 10,
};

/// Where the time of each step went: the rows of a step and device add up to the step's time to the ns. Work that lasts
/// longer than a whole step yields to all other.
struct AccountTable {
  std::uint64_t rows = 0;
  Column<Row> step;                 ///< row of steps
  Column<std::uint32_t> process;    ///< row of processes
  Column<std::int32_t> device;      ///< Device::id
  Column<AccountKind> kind;         ///< what ran, or idle
  Column<IdleCause> cause;          ///< of idle time
  Column<StringId> name;            ///< of the kernel, of the call that the host was blocked in, or of a stated cause
  Column<CopyDirection> direction;  ///< of copies
  Column<Row> range;                ///< innermost around the launch, or around the host's own code; row of ranges
  Column<std::int64_t> time;        ///< ns
  Column<std::int64_t> count;       ///< pieces of work, or of idle time
};

/// Devices of the machine that are named in the report or that ran work. Limits are those of one multiprocessor.
struct DeviceTable {
  std::uint64_t rows = 0;
  Column<std::int32_t> id;                            ///< as in `device` of the event tables
  Column<Str> name;                                   ///< empty if the report does not state it
  Column<std::int32_t> sm_count;                      ///< multiprocessors; kNone: unknown, also in the columns below
  Column<std::int32_t> compute_major, compute_minor;  ///< compute capability
  /// Limits; shared memory in bytes.
  Column<std::int32_t> max_threads_per_sm, max_blocks_per_sm, max_registers_per_sm, max_shared_per_sm;
  Column<std::int64_t> total_memory;      ///< bytes
  Column<std::int64_t> memory_bandwidth;  ///< bytes/s
  Column<std::int64_t> clock_rate;        ///< Hz, maximum clock of the multiprocessors
  Column<std::int64_t> l2_size;           ///< bytes
};

/// Processes that other tables refer to.
struct ProcessTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> id;  ///< process id of the operating system; kNone: unknown
};

/// Host threads that other tables refer to.
struct ThreadTable {
  std::uint64_t rows = 0;
  Column<std::uint32_t> process;  ///< row of processes
  Column<std::int64_t> id;        ///< thread id of the operating system; kNone: unknown
  // on demand
  Column<Str> name;               ///< empty: unknown
  Column<std::int32_t> priority;  ///< kNone: unknown
};

/// Events of other interfaces on the host, sorted by start: operating system calls, MPI, OpenACC or OpenMP. Source:
/// OSRT_API (event class 27); MPI_*_EVENTS; CUPTI_ACTIVITY_KIND_OPENACC_*; OPENMP_EVENT_KIND_*.
struct HostEventTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> start, end;  ///< ns
  Column<StringId> name;            ///< of the call or event
  Column<std::uint32_t> thread;     ///< row of threads
  Column<StringId> source;          ///< table of the export that has the row
};

/// Further columns of MPI_*_EVENTS: the same rows in the same order as Report::mpi_events. A cell that the row's own
/// table lacks is kNoCell.
struct MpiTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> tag;                           ///< of the message
  Column<std::int64_t> rank, remote_rank, root_rank;  ///< its own, of the other side, of the root
  Column<std::int64_t> size;                          ///< bytes, of sends and receives
  Column<std::int64_t> sent_size, recv_size;          ///< bytes, of collectives
};
/// A cell of MpiTable that the row's own table lacks.
inline constexpr std::int64_t kNoCell = std::numeric_limits<std::int64_t>::min();

/// Page faults of unified memory, sorted by start. Source: CUDA_UM_CPU_PAGE_FAULT_EVENTS,
/// CUDA_UM_GPU_PAGE_FAULT_EVENTS.
struct PageFaultTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> start;       ///< ns
  Column<std::uint32_t> process;    ///< row of processes
  Column<std::int64_t> address;     ///< virtual address of the page
  Column<std::int64_t> count;       ///< of a GPU: faults on the same page; of the CPU: absent, one fault per row
  Column<std::int64_t> counter;     ///< of the CPU: program counter of the instruction; kNone: unknown
  Column<StringId> function;        ///< of the CPU: function of the instruction
  Column<std::uint8_t> unresolved;  ///< of the CPU: 1: the function is unknown
};

enum class Severity : std::uint8_t { kInfo = 0, kWarning = 1, kError = 2 };

/// Faults and gaps of the file: data, shown in every output.
struct IssueTable {
  std::uint64_t rows = 0;
  Column<Str> name;            ///< short fixed name: "unlinked", "no_kernel_table", ...
  Column<Severity> severity;   ///< information, warning or error
  Column<std::int64_t> count;  ///< rows concerned; 0 if it is not about rows
  Column<Str> text;            ///< one sentence
};

enum class OpKind : std::uint8_t {
  kOperator = 0,
  kPythonFunction = 1,
  kAnnotation = 2,  ///< record_function, ProfilerStep#N, ...; also in `ranges`
};

/// Framework activity on the host: operators, Python functions and annotations in one tree per thread. Source: PyTorch
/// traces, categories cpu_op, python_function and user_annotation.
struct OpTable {
  std::uint64_t rows = 0;
  // core
  Column<std::int64_t> start, end;  ///< ns
  Column<StringId> name;            ///< "aten::mm", "nn.Module: Linear_0", ...
  Column<std::uint32_t> thread;     ///< row of threads
  Column<OpKind> kind;              ///< operator, Python function or annotation
  Column<Row> parent;               ///< the enclosing row on its thread, of any kind; kNone: outermost
  Column<std::int32_t> depth;       ///< 0 for outermost
  // on demand
  Column<std::int64_t> external_id;               ///< the profiler's id of an operator or annotation; kNone: none
  Column<std::int64_t> python_id, python_parent;  ///< ids of Python functions, unique per trace; kNone: none
  Column<std::int64_t> python_module;             ///< id of the module instance whose forward this is; kNone: none
  Column<StringId> input_dims, input_types,
      input_strides;              ///< of an operator's inputs, the JSON text of the trace; 0: none
  Column<std::int64_t> sequence;  ///< of autograd: equal for an operator that creates a graph node and the operator
                                  ///< that runs the node's backward; kNone: unknown
  Column<std::int64_t> forward_thread;  ///< for an operator that runs a backward: the profiler's id of the thread of
                                        ///< the forward; 0: not a backward; kNone: unknown
  Column<StringId> concrete_inputs;     ///< scalar operands and lists, "" for a tensor: JSON text of the trace; 0: none
  Column<double> flops;                 ///< FLOP of one call, as stated in the profile; NaN: unknown
  Column<double> least_bytes;           ///< bytes of one call, each operand and result once; NaN: unknown
  Column<StringId> work_kind;           ///< kind of work in words: "matrix product"; 0: unknown
  Column<StringId> arithmetic;          ///< of matrix units, if used: "bf16", "tf32"; 0: other units
};

/// State after an allocation event. Source: PyTorch traces, instants "[memory]".
struct AllocationTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> time;       ///< ns
  Column<std::int32_t> device;     ///< Device::id; kNone: host memory
  Column<std::int64_t> bytes;      ///< allocated; negative: freed
  Column<std::int64_t> allocated;  ///< bytes in use on the device afterwards; kNone: unknown
  Column<std::int64_t> reserved;   ///< bytes reserved by the allocator afterwards; kNone: unknown
  Column<std::uint32_t> thread;    ///< row of threads
};

/// Properties of the file, as text: versions, "distributedInfo.rank", "origin_ns" (the file's clock at time 0, ns since
/// the epoch), "hostname"; for an nsys export also "table", once per table in it, and of the program's environment only
/// variables that place it in a job ("environment.RANK", ...), never others.
struct PropertyTable {
  std::uint64_t rows = 0;
  Column<Str> name;   ///< as above
  Column<Str> value;  ///< as text
};

/// Kernel launches measured by Nsight Compute, one row each, in file order. Nsight Compute replays a launch by itself:
/// these are not rows of `kernels`, and their durations are not part of the run. Source: CSV of ncu.
struct ProfiledTable {
  std::uint64_t rows = 0;
  Column<std::int64_t> id;       ///< ncu's id of the result, unique per process
  Column<std::int64_t> process;  ///< process id of the operating system; kNone: unknown
  Column<StringId> name;         ///< as ncu wrote it
  Column<StringId> short_name;   ///< base name: without return type, namespace, template arguments and parameters
  Column<std::int32_t> grid_x, grid_y, grid_z;     ///< blocks; kNone: unknown
  Column<std::int32_t> block_x, block_y, block_z;  ///< threads; kNone: unknown
  Column<std::int32_t> device, context, stream;    ///< numbers of ncu; kNone: unknown
  Column<Row> group;                               ///< first row with the same kernel and launch shape, possibly itself
};

/// Counters of these launches, sorted by `profiled`. Units are base units: "ns", "byte", "byte/s", "hz", "%", "cycle",
/// "inst", ... A cell without a number ("n/a", a word) has no row, so that a value is never NaN.
struct CounterTable {
  std::uint64_t rows = 0;
  Column<Row> profiled;      ///< row of profiled
  Column<StringId> section;  ///< 0 if the page has none; a name may occur in two sections
  Column<StringId> name;     ///< "sm__throughput.avg.pct_of_peak_sustained_elapsed", or the label on the details page
  Column<StringId> unit;     ///< 0: a plain number
  Column<double> value;      ///< in that unit; never NaN
};

/// Kind of a collective or of a message between devices.
enum class CollectiveKind : std::uint8_t {
  kUnknown = 0,  ///< known to communicate by name only
  kAllReduce = 1,
  kAllGather = 2,
  kReduceScatter = 3,
  kAllToAll = 4,
  kBroadcast = 5,
  kReduce = 6,
  kSend = 7,
  kReceive = 8,
  kSendReceive = 9,
  kBarrier = 10,
};

/// Communication between devices: one row per kernel that communicates according to its name
/// (detail/communication.hpp), in kernel order. Source: PyTorch traces, args of the kernel; nsys, the NCCL range around
/// the launch with its payload (exports with blobs), else the kernel's name. No column has NCCL's algorithm or
/// protocol: no export states them, and NCCL runs most of them in the one kernel that it compiled for a collective and
/// type, so the kernel's name (`..._RING_LL`) does not either.
struct CollectiveTable {
  std::uint64_t rows = 0;
  Column<Row> kernel;               ///< row of kernels
  Column<CollectiveKind> kind;      ///< all_reduce, all_gather, ...
  Column<StringId> group;           ///< of ranks, as named in the file: a process group or a communicator; 0: unknown
  Column<StringId> group_ranks;     ///< its global ranks, "0,1"; 0: unknown, or truncated
  Column<std::int32_t> group_size;  ///< ranks in the group; kNone: unknown
  Column<std::int64_t> sequence;    ///< number of the collective within its group; kNone: unknown
  Column<std::int64_t> sent;        ///< bytes that this rank puts in; kNone: unknown
  Column<std::int64_t> received;    ///< bytes that this rank gets out; kNone: unknown
  Column<StringId> dtype;           ///< element type; 0: unknown
};

/// The measured part of the capture. Without `[window]`: the whole capture, or the part of it in which launches have
/// their kernels.
struct Window {
  std::int64_t start = 0, end = 0;            ///< ns, projected onto the device (default)
  std::int64_t host_start = 0, host_end = 0;  ///< ns, the named ranges on the host
  std::uint32_t named = 0;                    ///< 1: from a named range; 2: the part with kernels; 0: the whole capture
  std::uint32_t matches = 0;                  ///< number of ranges with the name
  Str name;                                   ///< empty: the whole capture
};

/// Cell type of a declared table (format.hpp).
enum class CellKind : std::uint32_t {
  kInteger = 0,  ///< std::int64_t
  kReal = 1,     ///< double; NaN: unknown
  kText = 2,     ///< StringId; 0: unknown
};

/// Use of a column of a declared table besides being read.
enum class CellRole : std::uint32_t {
  kPlain = 0,
  kKey = 1,      ///< joins rows of several tables
  kTime = 2,     ///< ns; the rows are sorted by it
  kBegin = 3,    ///< ns, begin of an interval; the rows are sorted by it
  kEnd = 4,      ///< ns, end of the interval, not before its begin
  kCounter = 5,  ///< a level from the row's time to the next: a track of a timeline
  kRow = 6,      ///< row number of the table `of`; kNone: none
  kLabel = 7,    ///< names the row's interval in a timeline
};

/// A column of a declared table. Frozen: a new property replaces a reserved member.
struct DeclaredColumn {
  Str name;
  Str unit;  ///< "ns", "bytes", "1" (a count), ...; empty: a text or a row
  Str of;    ///< kRow: the table, of the report model or declared
  CellKind kind = CellKind::kInteger;
  CellRole role = CellRole::kPlain;
  const void* cells = nullptr;  ///< `rows` of the table, of type `kind`; null: the file has no such column
  std::uint64_t reserved[2] = {};
};

/// A table declared by a format, known by name only to that format and to analyzers for it.
struct DeclaredTable {
  std::uint64_t rows = 0;
  Str name;
  Str title;  ///< for people: "live allocations"
  Span<DeclaredColumn> columns;

  /// The column of that name; absent if the table has no such column, or one of another kind. Linear in columns.
  [[nodiscard]] Column<std::int64_t> integers(std::string_view column) const;
  [[nodiscard]] Column<double> reals(std::string_view column) const;
  [[nodiscard]] Column<StringId> texts(std::string_view column) const;
};

/// One profile. Pointers only, so that each table may grow.
struct Report {
  Str path;                        ///< as in every output: path below the given folder, with '/'
  const Window* window = nullptr;  ///< never null
  Column<Str> strings;             ///< interned names; [0] is empty
  const KernelTable* kernels = nullptr;
  const GraphTable* graphs = nullptr;
  const CopyTable* copies = nullptr;
  const SetTable* sets = nullptr;
  const CallTable* calls = nullptr;
  const RangeTable* ranges = nullptr;  ///< push/pop
  const RangeTable* spans = nullptr;   ///< start/end
  const SyncTable* syncs = nullptr;
  const IterationTable* iterations = nullptr;  ///< null: none declared, or none of that name
  const DeviceTable* devices = nullptr;        ///< never null
  const ProcessTable* processes = nullptr;     ///< never null
  const ThreadTable* threads = nullptr;        ///< never null
  const IssueTable* issues = nullptr;          ///< never null
  const OverheadTable* overheads = nullptr;
  const OpTable* ops = nullptr;
  const AllocationTable* allocations = nullptr;
  const PropertyTable* properties = nullptr;
  const ProfiledTable* profiled = nullptr;  ///< null: no measurements of Nsight Compute belong to the run
  const CounterTable* counters = nullptr;   ///< null exactly if `profiled` is
  const CallTable* repeats = nullptr;       ///< calls that the export lists a second time, under another name and event
                                            ///< class; start, end, thread, in_window, full_name, correlation,
                                            ///< return_value
  const HostEventTable* os_calls = nullptr;
  const HostEventTable* mpi_events = nullptr;
  const HostEventTable* openacc_events = nullptr;
  const HostEventTable* openmp_events = nullptr;
  const MpiTable* mpi = nullptr;  ///< null exactly if `mpi_events` is
  const PageFaultTable* cpu_faults = nullptr;
  const PageFaultTable* gpu_faults = nullptr;
  const CollectiveTable* collectives = nullptr;  ///< null: there are no kernels to derive them from
  Column<const DeclaredTable*> declared;         ///< tables of the file's format, by name
  const StepTable* steps = nullptr;              ///< no rows: no range is a step
  const AccountTable* account = nullptr;
  const CauseTable* causes = nullptr;

  /// Text of an interned id; empty for 0. Lives as long as the report. An id of another report is unchecked.
  [[nodiscard]] std::string_view string(StringId id) const { return strings[id]; }
  /// The declared table of that name; null if the file has none. Needs col::declared.
  [[nodiscard]] const DeclaredTable* table(std::string_view name) const;
};

namespace detail {

/// Text of an AbsentColumn with the name of the column, "kernels.grid_x". A column copied out of the report has no
/// name.
std::string absent_column_text(const Report& report, const AbsentColumn& absent);

}  // namespace detail

/// Ids of tables and columns, for kNeeds and kWants. A table's own id (low byte 0) stands for its core columns: in
/// event tables start, end, device, stream, process, call, membership; in calls start, end, thread, kind, in_window; in
/// ops start, end, name, thread, kind, parent, depth.
namespace col {
/// Id from the numbers of table and column, each at most 255; column 0: the table itself.
constexpr ColumnId make(std::uint16_t table, std::uint16_t column) {
  return static_cast<ColumnId>(table << 8 | column);
}
inline constexpr ColumnId kernels = make(1, 0), kernel_name = make(1, 1), kernel_short_name = make(1, 2),
                          kernel_mangled_name = make(1, 3), kernel_context = make(1, 4),
                          kernel_correlation = make(1, 5), kernel_grid = make(1, 6),  ///< grid_x, grid_y, grid_z
    kernel_block = make(1, 7),                                                        ///< block_x, block_y, block_z
    kernel_registers = make(1, 8), kernel_shared = make(1, 9),                        ///< static, dynamic, executed
    kernel_graph_node = make(1, 10), kernel_blocks_per_sm = make(1, 11), kernel_warps_per_sm = make(1, 12),
                          kernel_occupancy = make(1, 13), kernel_op = make(1, 14), kernel_shared_a_block = make(1, 15),
                          kernel_profiled = make(1, 16), kernel_green_context = make(1, 17);
inline constexpr ColumnId graphs = make(2, 0), graph_id = make(2, 1);
inline constexpr ColumnId copies = make(3, 0), copy_bytes = make(3, 1), copy_direction = make(3, 2),
                          copy_context = make(3, 3), copy_correlation = make(3, 4),
                          copy_memory_kinds = make(3, 5),  ///< source_kind, target_kind
    copy_green_context = make(3, 6), copy_address = make(3, 7);
inline constexpr ColumnId sets = make(4, 0), set_bytes = make(4, 1), set_context = make(4, 2),
                          set_correlation = make(4, 3), set_memory_kind = make(4, 4), set_green_context = make(4, 5);
inline constexpr ColumnId calls = make(5, 0), call_name = make(5, 1), call_range = make(5, 2),
                          call_correlation = make(5, 3), call_return_value = make(5, 4), call_twin = make(5, 5),
                          call_op = make(5, 6), call_full_name = make(5, 7);
inline constexpr ColumnId ranges = make(6, 0), range_row_id = make(6, 1);  ///< push/pop, all columns but the row id
inline constexpr ColumnId spans = make(7, 0), span_row_id = make(7, 1);    ///< start/end, all columns but the row id
inline constexpr ColumnId syncs = make(8, 0), sync_record = make(8, 1);    ///< record, record_stream
inline constexpr ColumnId iterations = make(9, 0);
inline constexpr ColumnId devices = make(10, 0);
inline constexpr ColumnId overheads = make(11, 0), overhead_name = make(11, 1);
inline constexpr ColumnId ops = make(12, 0), op_external_id = make(12, 1),
                          op_python_ids = make(12, 2),        ///< python_id, python_parent, python_module
    op_inputs = make(12, 3),                                  ///< input_dims, input_types, input_strides
    op_sequence = make(12, 4),                                ///< sequence, forward_thread
    op_concrete_inputs = make(12, 5), op_work = make(12, 6);  ///< flops, least_bytes, work_kind, arithmetic
inline constexpr ColumnId allocations = make(13, 0);
inline constexpr ColumnId properties = make(14, 0);
inline constexpr ColumnId profiled = make(15, 0);  ///< all columns, as for every table below
inline constexpr ColumnId counters = make(16, 0);
inline constexpr ColumnId repeats = make(17, 0);
inline constexpr ColumnId os_calls = make(18, 0);
inline constexpr ColumnId mpi_events = make(19, 0);  ///< and mpi
inline constexpr ColumnId openacc_events = make(20, 0);
inline constexpr ColumnId openmp_events = make(21, 0);
inline constexpr ColumnId cpu_faults = make(22, 0);
inline constexpr ColumnId gpu_faults = make(23, 0);
inline constexpr ColumnId thread_names = make(24, 0);  ///< threads: name, priority
inline constexpr ColumnId collectives = make(25, 0);   ///< all columns
inline constexpr ColumnId declared = make(26, 0);      ///< all tables declared by the file's format
inline constexpr ColumnId steps = make(27, 0);         ///< all columns
inline constexpr ColumnId account = make(28, 0);       ///< all columns
inline constexpr ColumnId causes = make(29, 0);        ///< all columns
}  // namespace col

/// Calls `visit(row)` for every row of `spans` with start <= from and end >= to, in no particular order; O(log n +
/// hits). `spans.reach` makes the sorted rows an implicit balanced tree whose root is the middle of a slice.
template <class Visit>
void visit_spans_around(const RangeTable& spans, std::int64_t from, std::int64_t to, Visit&& visit) {
  auto walk = [&](auto& self, std::size_t first, std::size_t last) -> void {
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (spans.reach[middle] < to) return;  // no range in this subtree lasts long enough
      self(self, first, middle);
      if (spans.start[middle] > from) return;  // all rows to the right start too late
      if (spans.end[middle] >= to) visit(static_cast<Row>(middle));
      first = middle + 1;
    }
  };
  walk(walk, 0, static_cast<std::size_t>(spans.rows));
}

/// Calls `visit(table, row)` for every NVTX range around a call: the push/pop ranges of its thread, innermost first,
/// then the start/end ranges of its process that were open during the whole call. Needs col::calls, with
/// col::call_range and col::ranges for the former and col::spans for the latter; null tables contribute nothing.
template <class Visit>
void ranges_around(const Report& report, Row call, Visit&& visit) {
  const CallTable& calls = *report.calls;
  const auto c = static_cast<std::size_t>(call);
  if (report.ranges != nullptr && calls.range.present()) {
    for (Row r = calls.range[c]; r >= 0; r = report.ranges->parent[static_cast<std::size_t>(r)])
      visit(*report.ranges, r);
  }
  if (report.spans != nullptr) {
    const auto process_of = [&](std::uint32_t thread) { return report.threads->process[thread]; };
    const std::uint32_t process = process_of(calls.thread[c]);
    visit_spans_around(*report.spans, calls.start[c], calls.end[c], [&](Row r) {
      if (process_of(report.spans->thread[static_cast<std::size_t>(r)]) == process) visit(*report.spans, r);
    });
  }
}

}  // namespace assay

/// Meaning of integer columns whose type is not sufficient; the list uses these names, and `assay query` reads them
/// there. (`Row`, `std::uint32_t`: a row of another table, of threads or processes.)
namespace cell {
using Start = std::int64_t;  ///< ns, the start of an event; followed by `End`
using End = std::int64_t;
using Time = std::int64_t;  ///< ns; every value is valid, including -1
using Key = std::int64_t;   ///< joins rows of several tables
template <class T>
using Any = T;  ///< every value is valid, including -1
}  // namespace cell

// The one list of columns. It determines what a report stores, points to, can be requested, and has in synthetic
// reports (see columns.hpp); a column of a table above that is missing here, or out of order, does not compile. A row
// is (id that requests it, type, member, whether the id requires it); ids are those of the first table with the struct
// (for RangeTable `ranges`). OWN columns are stored with the rows of their table, WORK columns with those common to all
// device work, VIEW columns belong to a question's window instead of the file.
// clang-format off
#define ASSAY_WORK_COLUMNS(id, OWN)                                                                                    \
  OWN(id, cell::Start, start, true) OWN(id, cell::End, end, true) OWN(id, std::int32_t, device, true)                  \
  OWN(id, std::int32_t, stream, true) OWN(id, std::uint32_t, process, true) OWN(id, Row, call, true)
#define ASSAY_KERNEL_COLUMNS(OWN, WORK, VIEW)                                                                          \
  ASSAY_WORK_COLUMNS(col::kernels, WORK)                                                                               \
  VIEW(col::kernels, Membership, membership, true)                                                                     \
  OWN(col::kernel_name, StringId, name, true)                                                                          \
  OWN(col::kernel_short_name, StringId, short_name, true)                                                              \
  OWN(col::kernel_mangled_name, StringId, mangled_name, true)                                                          \
  OWN(col::kernel_context, std::int32_t, context, true)                                                                \
  WORK(col::kernel_correlation, cell::Key, correlation, true)                                                          \
  OWN(col::kernel_grid, std::int32_t, grid_x, true)                                                                    \
  OWN(col::kernel_grid, std::int32_t, grid_y, true)                                                                    \
  OWN(col::kernel_grid, std::int32_t, grid_z, true)                                                                    \
  OWN(col::kernel_block, std::int32_t, block_x, true)                                                                  \
  OWN(col::kernel_block, std::int32_t, block_y, true)                                                                  \
  OWN(col::kernel_block, std::int32_t, block_z, true)                                                                  \
  OWN(col::kernel_registers, std::int32_t, registers, true)                                                            \
  OWN(col::kernel_shared, std::int32_t, static_shared, true)                                                           \
  OWN(col::kernel_shared, std::int32_t, dynamic_shared, true)                                                          \
  OWN(col::kernel_shared, std::int32_t, executed_shared, true)                                                         \
  OWN(col::kernel_graph_node, cell::Key, graph_node, true)                                                             \
  OWN(col::kernel_blocks_per_sm, double, blocks_per_sm, true)                                                          \
  OWN(col::kernel_warps_per_sm, double, warps_per_sm, true)                                                            \
  OWN(col::kernel_occupancy, double, occupancy, true)                                                                  \
  OWN(col::kernel_op, Row, op, true)                                                                                   \
  OWN(col::kernel_shared_a_block, std::int32_t, shared_a_block, true)                                                  \
  OWN(col::kernel_profiled, Row, profiled, true)                                                                       \
  OWN(col::kernel_green_context, std::int32_t, green_context, true)
#define ASSAY_GRAPH_COLUMNS(OWN, WORK, VIEW)                                                                           \
  ASSAY_WORK_COLUMNS(col::graphs, WORK)                                                                                \
  VIEW(col::graphs, Membership, membership, true)                                                                      \
  OWN(col::graph_id, std::int64_t, graph, true)
#define ASSAY_COPY_COLUMNS(OWN, WORK, VIEW)                                                                            \
  ASSAY_WORK_COLUMNS(col::copies, WORK)                                                                                \
  VIEW(col::copies, Membership, membership, true)                                                                      \
  OWN(col::copy_bytes, std::int64_t, bytes, true)                                                                      \
  OWN(col::copy_direction, CopyDirection, direction, true)                                                             \
  OWN(col::copy_direction, std::int32_t, kind, false)                                                                  \
  OWN(col::copy_context, std::int32_t, context, true)                                                                  \
  WORK(col::copy_correlation, cell::Key, correlation, true)                                                            \
  OWN(col::copy_memory_kinds, MemoryKind, source_kind, true)                                                           \
  OWN(col::copy_memory_kinds, MemoryKind, target_kind, true)                                                           \
  OWN(col::copy_green_context, std::int32_t, green_context, true)                                                      \
  OWN(col::copy_address, std::int64_t, address, true)
#define ASSAY_SET_COLUMNS(OWN, WORK, VIEW)                                                                             \
  ASSAY_WORK_COLUMNS(col::sets, WORK)                                                                                  \
  VIEW(col::sets, Membership, membership, true)                                                                        \
  OWN(col::set_bytes, std::int64_t, bytes, true)                                                                       \
  OWN(col::set_context, std::int32_t, context, true)                                                                   \
  WORK(col::set_correlation, cell::Key, correlation, true)                                                             \
  OWN(col::set_memory_kind, MemoryKind, memory_kind, true)                                                             \
  OWN(col::set_green_context, std::int32_t, green_context, true)
#define ASSAY_SYNC_COLUMNS(OWN, WORK, VIEW)                                                                            \
  WORK(col::syncs, cell::Start, start, true) WORK(col::syncs, cell::End, end, true)                                    \
  WORK(col::syncs, std::int32_t, device, false) WORK(col::syncs, std::int32_t, stream, false)                          \
  WORK(col::syncs, std::uint32_t, process, false)                                                                      \
  OWN(col::syncs, std::int32_t, type, false)                                                                           \
  WORK(col::syncs, Row, call, false)                                                                                   \
  OWN(col::sync_record, Row, record, true)                                                                             \
  OWN(col::sync_record, std::int32_t, record_stream, true)
#define ASSAY_OVERHEAD_COLUMNS(OWN, WORK, VIEW)                                                                        \
  OWN(col::overheads, cell::Start, start, true) OWN(col::overheads, cell::End, end, true)                              \
  OWN(col::overheads, std::uint32_t, process, true)                                                                    \
  OWN(col::overhead_name, StringId, name, true)
#define ASSAY_CAUSE_COLUMNS(OWN, WORK, VIEW)                                                                           \
  OWN(col::causes, cell::Start, start, true) OWN(col::causes, cell::End, end, true)                                    \
  OWN(col::causes, std::uint32_t, thread, true) OWN(col::causes, StringId, name, true)                                 \
  OWN(col::causes, StringId, kind, false) OWN(col::causes, StringId, file, false)                                      \
  OWN(col::causes, std::int64_t, line, false)
#define ASSAY_CALL_COLUMNS(OWN, WORK, VIEW)                                                                            \
  OWN(col::calls, cell::Start, start, true) OWN(col::calls, cell::End, end, true)                                      \
  OWN(col::calls, std::uint32_t, thread, true)                                                                         \
  OWN(col::calls, CallKind, kind, true)                                                                                \
  VIEW(col::calls, std::uint8_t, in_window, true)                                                                      \
  OWN(col::call_name, StringId, name, true)                                                                            \
  OWN(col::call_range, Row, range, true)                                                                               \
  OWN(col::call_correlation, cell::Key, correlation, true)                                                             \
  OWN(col::call_return_value, cell::Any<std::int32_t>, return_value, true)                                             \
  OWN(col::call_twin, Row, twin, true)                                                                                 \
  OWN(col::call_op, Row, op, true)                                                                                     \
  OWN(col::call_full_name, StringId, full_name, true)
#define ASSAY_RANGE_COLUMNS(OWN, WORK, VIEW)                                                                           \
  OWN(col::ranges, cell::Start, start, true) OWN(col::ranges, cell::End, end, true)                                    \
  OWN(col::ranges, StringId, name, true)                                                                               \
  OWN(col::ranges, StringId, domain, false)                                                                            \
  OWN(col::ranges, std::uint32_t, thread, true)                                                                        \
  OWN(col::ranges, std::uint32_t, end_thread, true)                                                                    \
  OWN(col::ranges, std::uint8_t, open, true)                                                                           \
  OWN(col::ranges, Row, parent, true)                                                                                  \
  OWN(col::ranges, cell::Any<std::int32_t>, depth, true)                                                               \
  OWN(col::ranges, cell::Time, reach, false)                                                                           \
  OWN(col::ranges, std::uint8_t, in_named_domain, false)                                                               \
  OWN(col::range_row_id, std::int64_t, row_id, true)
#define ASSAY_OP_COLUMNS(OWN, WORK, VIEW)                                                                              \
  OWN(col::ops, cell::Start, start, true) OWN(col::ops, cell::End, end, true)                                          \
  OWN(col::ops, StringId, name, true)                                                                                  \
  OWN(col::ops, std::uint32_t, thread, true)                                                                           \
  OWN(col::ops, OpKind, kind, true)                                                                                    \
  OWN(col::ops, Row, parent, true)                                                                                     \
  OWN(col::ops, cell::Any<std::int32_t>, depth, true)                                                                  \
  OWN(col::op_external_id, cell::Key, external_id, true)                                                               \
  OWN(col::op_python_ids, std::int64_t, python_id, true)                                                               \
  OWN(col::op_python_ids, std::int64_t, python_parent, true)                                                           \
  OWN(col::op_python_ids, std::int64_t, python_module, true)                                                           \
  OWN(col::op_inputs, StringId, input_dims, true) OWN(col::op_inputs, StringId, input_types, true)                     \
  OWN(col::op_inputs, StringId, input_strides, true)                                                                   \
  OWN(col::op_sequence, std::int64_t, sequence, true)                                                                  \
  OWN(col::op_sequence, std::int64_t, forward_thread, true)                                                             \
  OWN(col::op_concrete_inputs, StringId, concrete_inputs, true)                                                        \
  OWN(col::op_work, double, flops, true) OWN(col::op_work, double, least_bytes, true)                                  \
  OWN(col::op_work, StringId, work_kind, true) OWN(col::op_work, StringId, arithmetic, true)
#define ASSAY_ALLOCATION_COLUMNS(OWN, WORK, VIEW)                                                                      \
  OWN(col::allocations, cell::Time, time, true)                                                                        \
  OWN(col::allocations, std::int32_t, device, true)                                                                    \
  OWN(col::allocations, cell::Any<std::int64_t>, bytes, true)                                                          \
  OWN(col::allocations, std::int64_t, allocated, false)                                                                \
  OWN(col::allocations, std::int64_t, reserved, false)                                                                 \
  OWN(col::allocations, std::uint32_t, thread, false)
#define ASSAY_PROFILED_COLUMNS(OWN, WORK, VIEW)                                                                        \
  OWN(col::profiled, std::int64_t, id, false)                                                                          \
  OWN(col::profiled, std::int64_t, process, false)                                                                     \
  OWN(col::profiled, StringId, name, false)                                                                            \
  OWN(col::profiled, StringId, short_name, true)                                                                       \
  OWN(col::profiled, std::int32_t, grid_x, false)                                                                      \
  OWN(col::profiled, std::int32_t, grid_y, false)                                                                      \
  OWN(col::profiled, std::int32_t, grid_z, false)                                                                      \
  OWN(col::profiled, std::int32_t, block_x, false)                                                                     \
  OWN(col::profiled, std::int32_t, block_y, false)                                                                     \
  OWN(col::profiled, std::int32_t, block_z, false)                                                                     \
  OWN(col::profiled, std::int32_t, device, false)                                                                      \
  OWN(col::profiled, std::int32_t, context, false)                                                                     \
  OWN(col::profiled, std::int32_t, stream, false)                                                                      \
  OWN(col::profiled, Row, group, true)
#define ASSAY_COUNTER_COLUMNS(OWN, WORK, VIEW)                                                                         \
  OWN(col::counters, Row, profiled, true)                                                                              \
  OWN(col::counters, StringId, section, false)                                                                         \
  OWN(col::counters, StringId, name, false)                                                                            \
  OWN(col::counters, StringId, unit, false)                                                                            \
  OWN(col::counters, double, value, true)
#define ASSAY_HOST_EVENT_COLUMNS(OWN, WORK, VIEW)                                                                      \
  OWN(col::os_calls, cell::Start, start, true) OWN(col::os_calls, cell::End, end, true)                                \
  OWN(col::os_calls, StringId, name, true)                                                                             \
  OWN(col::os_calls, std::uint32_t, thread, true)                                                                      \
  OWN(col::os_calls, StringId, source, false)
#define ASSAY_MPI_COLUMNS(OWN, WORK, VIEW)                                                                             \
  OWN(col::mpi_events, std::int64_t, tag, false) OWN(col::mpi_events, std::int64_t, rank, false)                       \
  OWN(col::mpi_events, std::int64_t, remote_rank, false) OWN(col::mpi_events, std::int64_t, root_rank, false)          \
  OWN(col::mpi_events, std::int64_t, size, false)                                                                      \
  OWN(col::mpi_events, std::int64_t, sent_size, false) OWN(col::mpi_events, std::int64_t, recv_size, false)
#define ASSAY_PAGE_FAULT_COLUMNS(OWN, WORK, VIEW)                                                                      \
  OWN(col::cpu_faults, cell::Start, start, true)                                                                       \
  OWN(col::cpu_faults, std::uint32_t, process, false)                                                                  \
  OWN(col::cpu_faults, std::int64_t, address, true)                                                                    \
  OWN(col::cpu_faults, cell::Any<std::int64_t>, count, false)                                                          \
  OWN(col::cpu_faults, std::int64_t, counter, false)                                                                   \
  OWN(col::cpu_faults, StringId, function, false)                                                                      \
  OWN(col::cpu_faults, std::uint8_t, unresolved, false)
#define ASSAY_COLLECTIVE_COLUMNS(OWN, WORK, VIEW)                                                                      \
  OWN(col::collectives, Row, kernel, true)                                                                             \
  OWN(col::collectives, CollectiveKind, kind, true)                                                                    \
  OWN(col::collectives, StringId, group, false)                                                                        \
  OWN(col::collectives, StringId, group_ranks, false)                                                                  \
  OWN(col::collectives, std::int32_t, group_size, false)                                                               \
  OWN(col::collectives, std::int64_t, sequence, false)                                                                 \
  OWN(col::collectives, std::int64_t, sent, false)                                                                     \
  OWN(col::collectives, std::int64_t, received, false)                                                                 \
  OWN(col::collectives, StringId, dtype, false)
#define ASSAY_ITERATION_COLUMNS(OWN, WORK, VIEW)                                                                       \
  VIEW(col::iterations, cell::Any<std::int64_t>, number, true)                                                         \
  VIEW(col::iterations, cell::Start, start, true) VIEW(col::iterations, cell::End, end, true)                          \
  VIEW(col::iterations, std::uint32_t, thread, false)                                                                  \
  VIEW(col::iterations, std::uint8_t, overlapping, false)
#define ASSAY_STEP_COLUMNS(OWN, WORK, VIEW)                                                                            \
  VIEW(col::steps, cell::Start, start, true) VIEW(col::steps, cell::End, end, true)                                    \
  VIEW(col::steps, std::uint32_t, process, true)                                                                       \
  VIEW(col::steps, std::int32_t, number, true)                                                                         \
  VIEW(col::steps, StringId, name, true)                                                                               \
  VIEW(col::steps, std::uint32_t, thread, true)                                                                        \
  VIEW(col::steps, Row, range, true)                                                                                   \
  VIEW(col::steps, std::int64_t, host_start, true) VIEW(col::steps, std::int64_t, host_end, true)                      \
  VIEW(col::steps, std::int64_t, until, true)                                                                          \
  VIEW(col::steps, std::int64_t, device_start, true) VIEW(col::steps, std::int64_t, device_end, true)                  \
  VIEW(col::steps, std::int64_t, launched, true)                                                                       \
  VIEW(col::steps, std::uint8_t, whole, true)                                                                          \
  VIEW(col::steps, Disturbance, disturbed, true)                                                                       \
  VIEW(col::steps, StepSource, source, true)
#define ASSAY_ACCOUNT_COLUMNS(OWN, WORK, VIEW)                                                                         \
  VIEW(col::account, Row, step, true) VIEW(col::account, std::uint32_t, process, true)                                 \
  VIEW(col::account, std::int32_t, device, true)                                                                       \
  VIEW(col::account, AccountKind, kind, true) VIEW(col::account, IdleCause, cause, true)                               \
  VIEW(col::account, StringId, name, true)                                                                             \
  VIEW(col::account, CopyDirection, direction, true)                                                                   \
  VIEW(col::account, Row, range, true)                                                                                 \
  VIEW(col::account, std::int64_t, time, true) VIEW(col::account, std::int64_t, count, true)
#define ASSAY_DEVICE_COLUMNS(OWN, WORK, VIEW)                                                                          \
  OWN(col::devices, std::int32_t, id, true)                                                                            \
  VIEW(col::devices, Str, name, false)                                                                                 \
  OWN(col::devices, std::int32_t, sm_count, false)                                                                     \
  OWN(col::devices, std::int32_t, compute_major, false)                                                                \
  OWN(col::devices, std::int32_t, compute_minor, false)                                                                \
  OWN(col::devices, std::int32_t, max_threads_per_sm, false)                                                           \
  OWN(col::devices, std::int32_t, max_blocks_per_sm, false)                                                            \
  OWN(col::devices, std::int32_t, max_registers_per_sm, false)                                                         \
  OWN(col::devices, std::int32_t, max_shared_per_sm, false)                                                            \
  OWN(col::devices, std::int64_t, total_memory, false)                                                                 \
  OWN(col::devices, std::int64_t, memory_bandwidth, false)                                                             \
  OWN(col::devices, std::int64_t, clock_rate, false)                                                                   \
  OWN(col::devices, std::int64_t, l2_size, false)
// clang-format on

/// Every table of the list with its columns.
#define ASSAY_LISTED_TABLES(TABLE)                 \
  TABLE(KernelTable, ASSAY_KERNEL_COLUMNS)         \
  TABLE(GraphTable, ASSAY_GRAPH_COLUMNS)           \
  TABLE(CopyTable, ASSAY_COPY_COLUMNS)             \
  TABLE(SetTable, ASSAY_SET_COLUMNS)               \
  TABLE(SyncTable, ASSAY_SYNC_COLUMNS)             \
  TABLE(OverheadTable, ASSAY_OVERHEAD_COLUMNS)     \
  TABLE(CauseTable, ASSAY_CAUSE_COLUMNS)           \
  TABLE(CallTable, ASSAY_CALL_COLUMNS)             \
  TABLE(RangeTable, ASSAY_RANGE_COLUMNS)           \
  TABLE(OpTable, ASSAY_OP_COLUMNS)                 \
  TABLE(AllocationTable, ASSAY_ALLOCATION_COLUMNS) \
  TABLE(ProfiledTable, ASSAY_PROFILED_COLUMNS)     \
  TABLE(CounterTable, ASSAY_COUNTER_COLUMNS)       \
  TABLE(HostEventTable, ASSAY_HOST_EVENT_COLUMNS)  \
  TABLE(MpiTable, ASSAY_MPI_COLUMNS)               \
  TABLE(PageFaultTable, ASSAY_PAGE_FAULT_COLUMNS)  \
  TABLE(CollectiveTable, ASSAY_COLLECTIVE_COLUMNS) \
  TABLE(IterationTable, ASSAY_ITERATION_COLUMNS)   \
  TABLE(StepTable, ASSAY_STEP_COLUMNS)             \
  TABLE(AccountTable, ASSAY_ACCOUNT_COLUMNS)       \
  TABLE(DeviceTable, ASSAY_DEVICE_COLUMNS)
