// The binary boundary between the assay host and a format: code that reads the files of one profiler.
//
// A format is a shared library that exports one symbol, `assay_format`: a constant FormatDescriptor, written by
// ASSAY_FORMAT in the last line of its source. The host loads it like an analyzer (abi.hpp): the handshake, the rules
// for growth, and the rules for both sides (no exception crosses, no type of a standard library, inputs borrowed for
// the call) are the same, with the version and the sizes below.
//
// Columns cross the boundary, never events. `load` requests the memory of a column from the host (`TableSink::cells`)
// and fills it; analyzers and SQL read that memory, without a copy. The host does everything that is equal for all
// formats after `load` has returned: it checks lengths, ids and row numbers, drops rows with impossible times, sorts,
// links device work to calls by correlation ids, nests ranges and operators, finds collectives, and drops what was not
// requested.
//
// Since 1.1 a format may fill KernelTable::op if it knows the operator of a kernel better than the launch does: with
// the OpTable::external_id of the operator's row, or kNone for the operator around the launch. Since 1.2 it may state
// what a call of an operator computes and moves (OpTable::flops and the columns after it) if it knows that better than
// a formula over the operator's name and inputs, as a compiler does; how its profiler records what a file lacks
// (CaptureSpec); and which programs record its files (RecorderSpec). Its files may be joined to the profile of the same
// run (kTraitBeside), and several formats may declare one table if its columns are equal.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "assay/abi.hpp"
#include "assay/plugin.hpp"
#include "assay/report.hpp"

namespace assay {

/// Version of this boundary, like kAbiMajor and kAbiMinor of the other one.
inline constexpr std::uint32_t kFormatMajor = 1;
inline constexpr std::uint32_t kFormatMinor = 2;

/// First eight bytes of every descriptor: "ASSAYFMT", read as a little-endian number.
inline constexpr std::uint64_t kFormatMagic = 0x544D465941535341ULL;

/// Name of the one exported symbol.
inline constexpr const char* kFormatSymbol = "assay_format";

/// Bits of FormatDescriptor::traits: how the host treats files of the format.
enum FormatTrait : std::uint32_t {
  kTraitFramework = 1,  ///< from a framework's profiler, which records operators and allocations
  kTraitCounters = 2,   ///< counters of kernels: joined to the profile of the same run next to the file
  /// Since 1.2: a file next to a profile of another format, with the same name except its ending, is joined to it: its
  /// declared tables and allocations replace those of the profile, with times on the profile's clock. Requires the
  /// property origin_ns in both. Without such a profile the file is a profile itself.
  kTraitBeside = 4,
};

/// File naming of a format. Frozen.
struct FileNames {
  Span<Str> extensions;  ///< file name endings, ".sqlite"; if one ends with another, in any order
  Span<Str> telling;     ///< those that no other files have: a file with such a name is expected to be a profile
  Span<Str> raw;         ///< files that only the profiler's own program reads and exports, ".nsys-rep"
  Span<Str> globs;       ///< files below a folder that a question reads, like [reports] include: "**/*.sqlite"
  Str one_file;          ///< singular for counts: "nsys report"
  Str expected;          ///< for "expected ...": "exports of Nsight Systems (.sqlite)"
};

/// A part of a file and what it becomes, for `assay describe`.
struct FormatPart {
  Str name;     ///< "CUPTI_ACTIVITY_KIND_KERNEL", "category gpu_memcpy"
  Str becomes;  ///< "kernels"; for a part that is not read: its content
};

/// How the profiler records data that a file may lack. Shown by `look` if the data are missing.
struct CaptureSpec {
  Str what;         ///< "counters of kernels"
  Str command;      ///< "ncu --set full -o NAME PROGRAM"
  ColumnId column;  ///< a column, or a table by its own id
  std::uint16_t reserved[3] = {};
};

/// A column of a declared table.
struct ColumnSpec {
  Str name;  ///< lower-case letters, digits and '_', starting with a letter; unique in its table
  CellKind kind = CellKind::kInteger;
  CellRole role = CellRole::kPlain;
  Str unit = {};  ///< like DeclaredColumn::unit
  Str of = {};    ///< kRow: the table
  Str doc = {};   ///< one sentence
};

/// A table declared by the format. SQL, analyzers (Report::table), timelines, `list`, caches and `merge` handle it
/// generically.
struct TableSpec {
  Str name;   ///< like a column's; not a table of the report model; since 1.2 it may be one of another format if all
              ///< columns are equal
  Str title;  ///< for people, without article: "allocations on the device"
  Str doc;    ///< one sentence
  Span<ColumnSpec> columns;
};

/// A recorder of the format's files: a value of `profiler` in [experiment] of a question.
struct RecorderSpec {
  Str name;             ///< "nsys"; if there is a command, `NAME --version` prints its version
  Span<Str> command;    ///< before options and program; "{report}": path to write, without ending. Empty: the program
                        ///< records itself
  Str ends_options;     ///< word between the options and the program, "--"; empty: none
  Str numbered_ending;  ///< name ending that a process id may precede, "_results.db"; empty: none
  Str install;          ///< how to get it: "install X and put it into PATH"
};

/// A file to recognize. Laid out by the host.
struct FormatFile {
  Str path;
  std::uint64_t size = 0;  ///< bytes
  Str head;                ///< its first bytes, at most 512
};

/// A file to read. Laid out by the host, which may append.
struct FormatRequest {
  Str path;
  std::uint64_t size = 0;     ///< bytes; 0: unknown
  std::uint32_t threads = 1;  ///< max number of threads that the format may start
  std::uint32_t reserved = 0;
};

/// Receives the environment of the recording. Implemented by the host, which may append.
class IdentitySink {
 public:
  /// The host knows "device", "clock", "driver", "cuda", "profiler", "rank", "world_size", "job", "host", "program" and
  /// "recorded" (UTC); values are texts. Do not add what the file does not state.
  virtual void add(Str name, Str value) noexcept = 0;

 protected:
  ~IdentitySink() = default;
};

/// A device, passed by FormatDescriptor::load. `struct_size` first, so that it may grow.
struct DeviceView {
  std::uint64_t struct_size = sizeof(DeviceView);
  std::int32_t id = 0;  ///< as in the `device` columns
  std::int32_t sm_count = kNone, compute_major = kNone, compute_minor = kNone;
  Str name;                               ///< may be empty
  std::int64_t total_memory = kNone;      ///< bytes
  std::int64_t memory_bandwidth = kNone;  ///< bytes/s
  std::int64_t clock_rate = kNone;        ///< Hz, maximum clock of the multiprocessors
  std::int64_t l2_size = kNone;           ///< bytes
};

/// Receives the content of a file. Implemented by the host, which may append. After a refusal (null, kRefused) `load`
/// only has to return: the host knows the reason.
class TableSink {
 public:
  /// Whether the table or column is requested. Others may be filled; the host drops them.
  virtual bool wants(ColumnId column) const noexcept = 0;

  /// Id of a text, equal for equal texts; 0 for the empty text.
  virtual StringId intern(Str text) noexcept = 0;
  /// Like intern, for all `texts` in order; `ids` has room for as many.
  virtual void intern_all(Span<Str> texts, StringId* ids) noexcept = 0;

  /// Memory of the host for `rows` cells of a column of the report model. Another call with other `rows` keeps the
  /// cells below both; the address may change. `table`: id of the table (col::kernels); `offset`: bytes to the Column
  /// in its struct. Null: there is no such column, the host computes it, or `rows` exceeds 2^31 - 1.
  virtual void* cells(ColumnId table, std::uint32_t offset, std::uint64_t rows) noexcept = 0;
  /// Like cells, for a column of a declared table. Null also if the column is declared with another kind.
  virtual void* declared_cells(Str table, Str column, CellKind kind, std::uint64_t rows) noexcept = 0;

  /// Appends a process and returns its row. `id`: of the operating system; kNone: unknown.
  virtual std::uint32_t add_process(std::int64_t id) noexcept = 0;
  /// Appends a thread and returns its row. `process`: a row from add_process, else `load` fails; a name may be empty.
  virtual std::uint32_t add_thread(std::uint32_t process, std::int64_t id, Str name) noexcept = 0;
  /// Appends a row of `devices`; the limits per multiprocessor are unknown.
  virtual void add_device(const DeviceView& device) noexcept = 0;
  /// Appends a row of `properties`; ignored unless col::properties is requested.
  virtual void add_property(Str name, Str value) noexcept = 0;

  /// Sets when the file was recorded, [begin, end] in ns on its own clock. Events more than a second outside are left
  /// out, with an issue; host events may begin earlier. Ignored unless begin < end.
  virtual void set_recorded(std::int64_t begin, std::int64_t end) noexcept = 0;
  /// Time of the file's clock that becomes 0, in ns; by default times are not shifted.
  virtual void set_origin(std::int64_t time) noexcept = 0;

  /// Appends an issue: a code such as "bad_end", the number of rows concerned (0: not about rows), one sentence.
  virtual void issue(Str code, Severity severity, std::int64_t count, Str text) noexcept = 0;
  /// Reports rows of the file that were not read: "table", "SCHED_EVENTS", 5012. Ignored for 0 rows.
  virtual void passed_over(Str kind, Str name, std::int64_t rows) noexcept = 0;

 protected:
  ~TableSink() = default;
};

/// Sizes in bytes of the structures that cross, as compiled into the format.
struct FormatSizes {
  std::uint32_t descriptor = 0, table_spec = 0, column_spec = 0, part = 0;  ///< laid out by the format
  std::uint32_t file = 0, request = 0;                                      ///< laid out by the host
  std::uint32_t capture = 0, recorder = 0;                                  ///< laid out by the format; 0 before 1.2
  std::uint32_t reserved[4] = {};
};

/// The exported constant.
struct FormatDescriptor {
  std::uint64_t magic = kFormatMagic;
  std::uint32_t major = kFormatMajor;
  std::uint32_t minor = kFormatMinor;
  FormatSizes sizes;
  Str cxx_abi;
  Str id;                    ///< word for the format: lower-case letters, digits and '_'
  Str version;               ///< of the format's code, "1.2.3"
  Str summary;               ///< one sentence: which files these are
  std::uint32_t traits = 0;  ///< FormatTrait bits
  std::uint32_t reserved = 0;
  FileNames names;
  Span<FormatPart> reads;
  Span<FormatPart> passes_over;
  Span<ColumnId> fills;    ///< tables and columns that files of the format may have
  Span<TableSpec> tables;  ///< declared tables
  /// Whether the file is of this format, by content: reads at most a few kilobytes and never changes it.
  bool (*sniff)(const FormatFile& file) noexcept = nullptr;
  /// States the environment of the recording, without loading the file. Null: the format states none.
  void (*identify)(const FormatFile& file, IdentitySink& sink) noexcept = nullptr;
  /// False after `errors.fail`: nothing of the file can be read.
  bool (*load)(const FormatRequest& request, TableSink& sink, ErrorSink& errors) noexcept = nullptr;
  Build build = Build::kNotSaid;
  Span<CaptureSpec> captures;    ///< since 1.2
  Span<RecorderSpec> recorders;  ///< since 1.2
};

/// Rows of a table of the report model while they are filled:
///   auto kernels = out.rows<KernelTable>(col::kernels, n);
///   std::span<std::int64_t> start = kernels[&KernelTable::start];
/// The host completes core columns that are not filled: the only process, thread and device, no stream.
template <class Table>
class RowsOf {
 public:
  RowsOf(TableSink& sink, ColumnId table, std::uint64_t rows) : sink_(&sink), table_(table), rows_(rows) {}

  /// All cells of a column, uninitialized if new. Throws std::runtime_error if the host refuses them.
  template <class T>
  std::span<T> operator[](Column<T> Table::* column) {
    static const Table kTable;
    const auto offset = reinterpret_cast<const char*>(&(kTable.*column)) - reinterpret_cast<const char*>(&kTable);
    void* const cells = sink_->cells(table_, static_cast<std::uint32_t>(offset), rows_);
    if (cells == nullptr) throw std::runtime_error("the host takes no such column");
    return {static_cast<T*>(cells), rows_};
  }
  /// Changes the number of rows; request columns again afterwards.
  void resize(std::uint64_t rows) { rows_ = rows; }

 private:
  TableSink* sink_;
  ColumnId table_;
  std::uint64_t rows_;
};

/// Like RowsOf, for a declared table, by column name. Throws std::runtime_error for a column that is not declared with
/// that kind.
class DeclaredRows {
 public:
  DeclaredRows(TableSink& sink, std::string_view table, std::uint64_t rows)
      : sink_(&sink), table_(table), rows_(rows) {}

  std::span<std::int64_t> integers(std::string_view column) { return cells<std::int64_t>(column, CellKind::kInteger); }
  std::span<double> reals(std::string_view column) { return cells<double>(column, CellKind::kReal); }
  std::span<StringId> texts(std::string_view column) { return cells<StringId>(column, CellKind::kText); }
  void resize(std::uint64_t rows) { rows_ = rows; }

 private:
  template <class T>
  std::span<T> cells(std::string_view column, CellKind kind) {
    void* const at = sink_->declared_cells(table_, column, kind, rows_);
    if (at == nullptr) throw std::runtime_error("the host takes no column '" + std::string(column) + "'");
    return {static_cast<T*>(at), rows_};
  }
  TableSink* sink_;
  std::string_view table_;
  std::uint64_t rows_;
};

/// Output of an author's `load`. Borrows the sink.
class Tables {
 public:
  explicit Tables(TableSink& sink) : sink_(sink) {}

  /// `count` rows of a table of the report model.
  template <class Table>
  RowsOf<Table> rows(ColumnId table, std::uint64_t count) {
    return {sink_, table, count};
  }
  /// `count` rows of a declared table; `table` must outlive the result.
  DeclaredRows declared(std::string_view table, std::uint64_t count) { return {sink_, table, count}; }
  /// Like TableSink::wants and intern.
  [[nodiscard]] bool wants(ColumnId column) const { return sink_.wants(column); }
  StringId intern(std::string_view text) { return sink_.intern(text); }
  /// For everything else: threads, devices, issues, times.
  TableSink& sink() { return sink_; }

 private:
  TableSink& sink_;
};

namespace detail {

ASSAY_OPTIONAL_MEMBER_(reads_of, kReads, FormatPart)
ASSAY_OPTIONAL_MEMBER_(passes_over_of, kPassesOver, FormatPart)
ASSAY_OPTIONAL_MEMBER_(fills_of, kFills, ColumnId)
ASSAY_OPTIONAL_MEMBER_(tables_of, kTables, TableSpec)
ASSAY_OPTIONAL_MEMBER_(captures_of, kCaptures, CaptureSpec)
ASSAY_OPTIONAL_MEMBER_(recorders_of, kRecorders, RecorderSpec)

template <class T>
bool sniff(const FormatFile& file) noexcept {
  try {
    return T::sniff(file);
  } catch (...) {
    return false;
  }
}

template <class T>
void identify(const FormatFile& file, IdentitySink& sink) noexcept {
  try {
    T::identify(file, sink);
  } catch (...) {  // no message available
  }
}

template <class T>
bool load(const FormatRequest& request, TableSink& sink, ErrorSink& errors) noexcept {
  return guarded(errors, [&] {
    Tables out(sink);
    T::load(request, out);
  });
}

template <class T>
consteval FormatDescriptor describe_format(Str id, Str version) {
  static_assert(
      requires(const FormatFile& file) {
        { T::sniff(file) } -> std::same_as<bool>;
      }, "a format needs `static bool sniff(const FormatFile&)`");
  static_assert(
      requires(const FormatRequest& file, Tables& out) { T::load(file, out); },
      "a format needs `static void load(const FormatRequest&, Tables&)`");
  FormatDescriptor d;
  d.sizes = {sizeof(FormatDescriptor), sizeof(TableSpec),     sizeof(ColumnSpec),  sizeof(FormatPart),
             sizeof(FormatFile),       sizeof(FormatRequest), sizeof(CaptureSpec), sizeof(RecorderSpec)};
  d.cxx_abi = Str(kCxxAbi);
  d.id = id;
  d.version = version;
  d.summary = Str(T::kSummary);
  if constexpr (requires { T::kTraits; }) d.traits = T::kTraits;
  d.names = T::kNames;
  d.reads = reads_of<T>();
  d.passes_over = passes_over_of<T>();
  d.fills = fills_of<T>();
  d.tables = tables_of<T>();
  d.captures = captures_of<T>();
  d.sniff = &sniff<T>;
  if constexpr (requires(const FormatFile& file, IdentitySink& sink) { T::identify(file, sink); })
    d.identify = &identify<T>;
  d.load = &load<T>;
  d.build = kBuild;
  d.recorders = recorders_of<T>();
  return d;
}

}  // namespace detail
}  // namespace assay

// Exports FormatClass, a class of static members: kSummary, kNames, sniff, load, and optionally kTraits, kReads,
// kPassesOver, kFills, kTables, kCaptures, kRecorders, identify.
#define ASSAY_FORMAT(id, version, FormatClass)                                                                         \
  extern "C" {                                                                                                         \
  __attribute__((visibility("default"))) extern const ::assay::FormatDescriptor assay_format;                          \
  constinit const ::assay::FormatDescriptor assay_format = ::assay::detail::describe_format<FormatClass>(id, version); \
  }                                                                                                                    \
  static_assert(true)
