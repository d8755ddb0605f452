// The binary boundary between the assay host and a format: code that reads the files of one profiler.
//
// A format is a shared library that exports one symbol, `assay_format`: a constant FormatDescriptor, which ASSAY_FORMAT
// in the last line of its source writes. The host loads it as it loads analyzers (abi.hpp): the handshake, the rules
// for growth, and the rules for both sides (no exception crosses, no type of a standard library, inputs borrowed for
// the call) are the same, with the version and the sizes below.
//
// What crosses are columns, never events. `load` asks the host for the memory of a column (`TableSink::cells`) and
// fills it; that memory is the column that analyzers and SQL read, no copy is made. Everything that is equal for all
// formats is done by the host when `load` has returned: it checks lengths, ids and row numbers, leaves out rows whose
// times cannot be, sorts, links device work to calls by correlation ids, nests ranges and operators, finds collectives,
// and drops what nobody asked for.
//
// Since 1.1 a format may fill KernelTable::op where it knows the operator of a kernel better than the launch tells:
// with the OpTable::external_id of the operator's row, or kNone for the operator around the launch.
// Since 1.2 it may state what a call of an operator computes and moves (OpTable::flops and the columns after it) where
// it knows that better than a formula over the operator's name and inputs, as a compiler does; how its profiler records
// what a file lacks (CaptureSpec); and which programs record its files (RecorderSpec). Its files may join the profile
// of the same run (kTraitBeside), and several formats may declare one table if its columns are equal.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "assay/abi.hpp"
#include "assay/plugin.hpp"
#include "assay/report.hpp"

namespace assay {

/// Version of this boundary, as kAbiMajor and kAbiMinor of the other.
inline constexpr std::uint32_t kFormatMajor = 1;
inline constexpr std::uint32_t kFormatMinor = 2;

/// First eight bytes of every descriptor: "ASSAYFMT", read as a little-endian number.
inline constexpr std::uint64_t kFormatMagic = 0x544D465941535341ULL;

/// Name of the one exported symbol.
inline constexpr const char* kFormatSymbol = "assay_format";

/// Bits of FormatDescriptor::traits: what the host does with files of the format.
enum FormatTrait : std::uint32_t {
  kTraitFramework = 1,  ///< of a framework's profiler, which records operators and allocations
  kTraitCounters = 2,   ///< counters of kernels: a file beside a profile of the same run joins it
  /// Since 1.2: a file next to a profile of another format, of the same name but for its end, joins it: the profile
  /// gets its declared tables and its allocations in the place of its own, with times moved to the profile's clock.
  /// Needs the property origin_ns of both. Without such a profile the file is one itself.
  kTraitBeside = 4,
};

/// How files are named. Frozen.
struct FileNames {
  Span<Str> extensions;  ///< ends of names, ".sqlite"; of two of which one ends with the other any order
  Span<Str> telling;     ///< those of them that no other files have: a file named so is expected to be a profile
  Span<Str> raw;         ///< files that only the profiler's own program reads and exports, ".nsys-rep"
  Span<Str> globs;       ///< files below a folder that a question reads, as [reports] include has it: "**/*.sqlite"
  Str one_file;          ///< one file where files are counted: "nsys report"
  Str expected;          ///< for "expected ...": "exports of Nsight Systems (.sqlite)"
};

/// A part of a file and what becomes of it, for `assay describe`.
struct FormatPart {
  Str name;     ///< "CUPTI_ACTIVITY_KIND_KERNEL", "category gpu_memcpy"
  Str becomes;  ///< "kernels"; of a part that is passed over: what it holds
};

/// How the profiler records what one of its files may lack. `look` says it where that is missing.
struct CaptureSpec {
  Str what;         ///< "counters of kernels"
  Str command;      ///< "ncu --set full -o NAME PROGRAM"
  ColumnId column;  ///< a column, or a table by its own id
  std::uint16_t reserved[3] = {};
};

/// A column of a table that the format declares.
struct ColumnSpec {
  Str name;  ///< lowercase letters, digits and '_', a letter first; unique in its table
  CellKind kind = CellKind::kInteger;
  CellRole role = CellRole::kPlain;
  Str unit = {};  ///< as DeclaredColumn::unit
  Str of = {};    ///< kRow: the table
  Str doc = {};   ///< one sentence
};

/// A table of the format's own. SQL, analyzers (Report::table), timelines, `list`, caches and `merge` handle it without
/// knowing its name.
struct TableSpec {
  Str name;   ///< as a column's; no table of the report model; since 1.2 of another format if all columns are equal
  Str title;  ///< for people, without article: "allocations on the device"
  Str doc;    ///< one sentence
  Span<ColumnSpec> columns;
};

/// What records files of the format: a value of `profiler` in [experiment] of a question.
struct RecorderSpec {
  Str name;             ///< "nsys"; `NAME --version` prints its version if there is a command
  Span<Str> command;    ///< before options and program; "{report}": path to write, without its ending. Empty: the
                        ///< program records itself
  Str ends_options;     ///< word between the options and the program, "--"; empty: none
  Str numbered_ending;  ///< end of names before which the number of the process may stand, "_results.db"; empty: none
  Str install;          ///< how to get it: "install X and put it into PATH"
};

/// A file whose kind is asked.
struct FormatFile {
  Str path;
  std::uint64_t size = 0;
  Str head;  ///< its first bytes, at most 512
};

/// A file that is to be read. Laid out by the host, which may append.
struct FormatRequest {
  Str path;
  std::uint64_t size = 0;
  std::uint32_t threads = 1;  ///< at most so many of the format's own
  std::uint32_t reserved = 0;
};

/// Receives where a file was made. Implemented by the host, which may append.
class IdentitySink {
 public:
  /// The host knows "device", "clock", "driver", "cuda", "profiler", "rank", "world_size", "job", "host", "program" and
  /// "recorded" (UTC); values are texts. What the file does not say is not added.
  virtual void add(Str name, Str value) noexcept = 0;

 protected:
  ~IdentitySink() = default;
};

/// A device, as FormatDescriptor::load names it. `struct_size` first, so that it may grow.
struct DeviceView {
  std::uint64_t struct_size = sizeof(DeviceView);
  std::int32_t id = 0;  ///< as in the `device` columns
  std::int32_t sm_count = kNone, compute_major = kNone, compute_minor = kNone;
  Str name;
  std::int64_t total_memory = kNone;      ///< bytes
  std::int64_t memory_bandwidth = kNone;  ///< bytes/s
  std::int64_t clock_rate = kNone;        ///< Hz
  std::int64_t l2_size = kNone;           ///< bytes
};

/// Receives what a file holds. Implemented by the host, which may append. After a refusal (null, kRefused) `load` has
/// only to return: the host has noted why.
class TableSink {
 public:
  /// Whether anybody reads the table or column. What nobody reads may be filled, and is dropped.
  virtual bool wants(ColumnId column) const noexcept = 0;

  virtual StringId intern(Str text) noexcept = 0;
  virtual void intern_all(Span<Str> texts, StringId* ids) noexcept = 0;

  /// Memory for `rows` cells of a column of the report model: the host's own. Cells written before are kept when it is
  /// asked for more; the address may then change. `table`: the id of the table (col::kernels); `offset`: of the Column
  /// in its struct. Null: there is no such column, or the host computes it.
  virtual void* cells(ColumnId table, std::uint32_t offset, std::uint64_t rows) noexcept = 0;
  /// The same for a column of a table that the descriptor declares.
  virtual void* declared_cells(Str table, Str column, CellKind kind, std::uint64_t rows) noexcept = 0;

  /// Rows of `processes` and `threads`; ids are the operating system's, kNone: not said. A name may be empty.
  virtual std::uint32_t add_process(std::int64_t id) noexcept = 0;
  virtual std::uint32_t add_thread(std::uint32_t process, std::int64_t id, Str name) noexcept = 0;
  virtual void add_device(const DeviceView& device) noexcept = 0;
  virtual void add_property(Str name, Str value) noexcept = 0;

  /// When the file was recorded, on its own clock: events far outside cannot be.
  virtual void set_recorded(std::int64_t begin, std::int64_t end) noexcept = 0;
  /// The time of the file's clock that becomes 0, ns; without it times stay as they are.
  virtual void set_origin(std::int64_t time) noexcept = 0;

  /// Something wrong or missing: a code such as "bad_end", the rows concerned (0: it is not about rows), one sentence.
  virtual void issue(Str code, Severity severity, std::int64_t count, Str text) noexcept = 0;
  /// Rows of the file that were not read: "table", "SCHED_EVENTS", 5012.
  virtual void passed_over(Str kind, Str name, std::int64_t rows) noexcept = 0;

 protected:
  ~TableSink() = default;
};

/// Sizes of the structures that cross, as the format was compiled.
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
  Str id;       ///< the format's word: lowercase letters, digits and '_'
  Str version;  ///< of the format's code, "1.2.3"
  Str summary;  ///< one sentence: which files these are
  std::uint32_t traits = 0;
  std::uint32_t reserved = 0;
  FileNames names;
  Span<FormatPart> reads;
  Span<FormatPart> passes_over;
  Span<ColumnId> fills;
  Span<TableSpec> tables;
  /// Whether the file is one, by what it holds: reads a few kilobytes at most, and never changes it.
  bool (*sniff)(const FormatFile& file) noexcept = nullptr;
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
/// Core columns that are not filled are completed by the host: the only process, thread and device, no stream.
template <class Table>
class RowsOf {
 public:
  RowsOf(TableSink& sink, ColumnId table, std::uint64_t rows) : sink_(&sink), table_(table), rows_(rows) {}

  /// The cells of a column, unwritten where they are new. Throws if the host does not take it.
  template <class T>
  std::span<T> operator[](Column<T> Table::* column) {
    static const Table kTable;
    const auto offset = reinterpret_cast<const char*>(&(kTable.*column)) - reinterpret_cast<const char*>(&kTable);
    void* const cells = sink_->cells(table_, static_cast<std::uint32_t>(offset), rows_);
    if (cells == nullptr) throw std::runtime_error("the host takes no such column");
    return {static_cast<T*>(cells), rows_};
  }
  /// Another number of rows; columns must be asked for again.
  void resize(std::uint64_t rows) { rows_ = rows; }

 private:
  TableSink* sink_;
  ColumnId table_;
  std::uint64_t rows_;
};

/// The same for a table that the format declares, by the names of its columns.
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

/// What an author's `load` fills.
class Tables {
 public:
  explicit Tables(TableSink& sink) : sink_(sink) {}

  template <class Table>
  RowsOf<Table> rows(ColumnId table, std::uint64_t count) {
    return {sink_, table, count};
  }
  DeclaredRows declared(std::string_view table, std::uint64_t count) { return {sink_, table, count}; }
  [[nodiscard]] bool wants(ColumnId column) const { return sink_.wants(column); }
  StringId intern(std::string_view text) { return sink_.intern(text); }
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
  } catch (...) {  // what cannot be read is not said
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

#define ASSAY_FORMAT(id, version, FormatClass)                                                                         \
  extern "C" {                                                                                                         \
  __attribute__((visibility("default"))) extern const ::assay::FormatDescriptor assay_format;                          \
  constinit const ::assay::FormatDescriptor assay_format = ::assay::detail::describe_format<FormatClass>(id, version); \
  }                                                                                                                    \
  static_assert(true)
