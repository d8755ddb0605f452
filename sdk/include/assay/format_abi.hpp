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
// A format may state the operator of a kernel if it knows that better than the launch does (LinkColumn::kOperator), and
// what a call of an operator computes and moves (OpTable::flops and the columns after it) if it knows that better than
// a formula over the operator's name and inputs, as a compiler does; how its profiler records what a file lacks
// (CaptureSpec); and which programs record its files (RecorderSpec). Its files may be joined to the profile of the same
// run (kTraitBeside), and several formats may declare one table if its columns are equal. It may say what a
// file is that it cannot read (ExplanationSink), and give the results of the profiler's own rules (RuleSink); several
// files of a run may be one request (FormatRequest::also); sizes and ids that only link or group rows have columns of
// their own (LinkColumn); waits of the host may have a name and a place in its source (CauseTable); and tables of its
// own may follow from the finished report (`derive`).
#pragma once

#include <limits>

#include "assay/abi.hpp"
#include "assay/report.hpp"

namespace assay {

/// Version of this boundary, like kAbiMajor and kAbiMinor of the other one.
inline constexpr std::uint32_t kFormatMajor = 1;
inline constexpr std::uint32_t kFormatMinor = 0;

/// First eight bytes of every descriptor: "ASSAYFMT", read as a little-endian number.
inline constexpr std::uint64_t kFormatMagic = 0x544D465941535341ULL;

/// Name of the one exported symbol.
inline constexpr const char* kFormatSymbol = "assay_format";

/// Bits of FormatDescriptor::traits: how the host treats files of the format.
enum FormatTrait : std::uint32_t {
  kTraitFramework = 1,  ///< from a framework's profiler, which records operators and allocations
  kTraitCounters = 2,   ///< counters of kernels: joined to the profile of the same run next to the file
  /// A file next to a profile of another format, with the same name except its ending, is joined to it: its
  /// declared tables and allocations replace those of the profile, with times on the profile's clock. Requires the
  /// property origin_ns in both. Without such a profile the file is a profile itself.
  kTraitBeside = 4,
  /// Files next to each other with the same name except its ending are pages of one profile, and one request
  /// names them all (FormatRequest::also).
  kTraitPages = 8,
  kTraitAskedLast = 16,  ///< others may read a file with its marks, and are asked first
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
/// generically. The host fills a kRow of `ranges` that the format leaves empty, if rows have a kTime and a
/// kRow of `threads`: the innermost range around them.
struct TableSpec {
  Str name;   ///< like a column's; not a table of the report model; it may be one of another format if all
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
  Span<Str> tables = {};   ///< of an SQLite database, as far as they can be read: the names of its tables
  bool all_tables = true;  ///< whether these are all
};

/// Bits of FormatRequest::flags.
enum FormatRequestFlag : std::uint32_t {
  kReadBySqlite = 1,  ///< databases by SQLite alone, without a faster way of the format's own: tests compare the two
};

/// A file to read. Laid out by the host, which may append.
struct FormatRequest {
  Str path;
  std::uint64_t size = 0;     ///< bytes; 0: unknown
  std::uint32_t threads = 1;  ///< max number of threads that the format may start
  std::uint32_t flags = 0;    ///< FormatRequestFlag bits
  Span<Str> also = {};        ///< more files of the format and the run, to be read as one with `path` (kTraitPages)
};

/// Receives what a file is that is named like one of the format, or holds a part of one, but that it does not read.
/// Implemented by the host, which may append.
class ExplanationSink {
 public:
  /// `problem`: "This file is ..."; empty: nothing is wrong, another file is read instead. `remedy`: what to do.
  /// `certain`: no file of another tool looks like this.
  virtual void explain(Str problem, Str remedy, bool certain) noexcept = 0;

 protected:
  ~ExplanationSink() = default;
};

/// What a rule of the profiler says of a launch. `struct_size` first, so that it may grow.
struct RuleView {
  std::uint64_t struct_size = sizeof(RuleView);
  Str section = {}, rule = {};  ///< "SchedulerStats", "IssueSlotUtilization"
  Str kind = {};                ///< as the profiler prints it: INF, WRN, ERR, OPT; empty: none of these
  Str text = {};                ///< without markup
  double speedup = std::numeric_limits<double>::quiet_NaN();  ///< estimated, in %; NaN: not estimated
  bool local = false;  ///< relative to the part of the kernel that the rule is about, not to its whole duration
};

/// Receives the results of the profiler's own rules, launch by launch. Implemented by the host, which may append.
class RuleSink {
 public:
  /// Begins a launch. `ranges`: names of the push/pop ranges around it, outermost first.
  virtual void launch(Str kernel, Span<Str> ranges) noexcept = 0;
  virtual void saying(const RuleView& rule) noexcept = 0;

 protected:
  ~RuleSink() = default;
};

/// Columns by which the host links or groups rows, or which a format reads back in `derive`, and which no report has.
/// Their tables are those of the report model.
enum class LinkColumn : std::uint32_t {
  kOperator = 3,       ///< of kernels: std::int64_t, the operator of a kernel where the format knows it better than the
                       ///< launch does, by OpTable::external_id; kNone: the operator around the launch
  kBlocks = 1,         ///< of profiled: double, blocks of the grid where only their number is known; NaN: unknown
  kThreads = 2,        ///< of profiled: double, threads of a block, likewise
  kExternalId = 10,    ///< of kernels and calls: std::int64_t, OpTable::external_id of the operator around the launch
                       ///< as the profiler guessed it: the host believes it where the times fit; kNone: none
  kLaunched = 13,      ///< of calls: StringId, the kernel that a launch names; 0: none. For `derive`
  kAddress = 14,       ///< of allocations: std::int64_t, virtual address; kNoCell: unknown. For `derive`
  kNarrowId = 20,      ///< of calls, repeats, device work and syncs: std::uint32_t, the correlation id where all fit;
                       ///< takes half the memory of `correlation`; 0: none
  kWideId = 21,        ///< likewise: std::int64_t, where some do not fit; counts before kNarrowId
  kRecordedBy = 22,    ///< of syncs: std::int64_t, the id of the call that recorded the event waited for; 0: none
  kCommunicator = 23,  ///< of ranges around a launch of a collective: StringId, its communicator; 0: not stated
  kPayload = 24,       ///< likewise: std::int64_t, bytes as passed to its function (all_gather: the part that a rank
                       ///< sends; reduce_scatter: the part that it receives); kNone: not stated
  kPriority = 25,      ///< of thread_names: std::int32_t, by row of threads, after the last add_thread; kNone: unknown
};

/// Table id for `cells`: the columns of MpiTable, which is mpi_events seen by what MPI passes.
inline constexpr ColumnId kMpiColumns = static_cast<ColumnId>(static_cast<unsigned>(col::mpi_events) + 1);

/// In columns `process` of device work: the file does not name it. It is the only process, if there is only one.
inline constexpr std::uint32_t kNoProcess = 0xFFFFFFFF;

/// Receives the environment of the recording. Implemented by the host, which may append.
class IdentitySink {
 public:
  /// The host knows "device", "clock", "driver", "cuda", "profiler", "rank", "world_size", "job", "host", "program" and
  /// "recorded" (UTC); values are texts. Do not add what the file does not state.
  virtual void add(Str name, Str value) noexcept = 0;
  /// What reading a large file will find, as far as little of it tells: about that many kernels, from `first` to `last`
  /// (ns). Only shown while the file is read.
  virtual void foretell(std::int64_t kernels, std::int64_t first, std::int64_t last) noexcept = 0;

 protected:
  ~IdentitySink() = default;
};

/// A device, passed by FormatDescriptor::load. `struct_size` first, so that it may grow.
struct DeviceView {
  std::uint64_t struct_size = sizeof(DeviceView);
  std::int32_t id = 0;  ///< as in the `device` columns
  std::int32_t sm_count = kNone, compute_major = kNone, compute_minor = kNone;
  Str name = {};                          ///< may be empty
  std::int64_t total_memory = kNone;      ///< bytes
  std::int64_t memory_bandwidth = kNone;  ///< bytes/s
  std::int64_t clock_rate = kNone;        ///< Hz, maximum clock of the multiprocessors
  std::int64_t l2_size = kNone;           ///< bytes
  /// Limits of a multiprocessor; shared memory in bytes.
  std::int32_t max_threads_per_sm = kNone, max_blocks_per_sm = kNone, max_registers_per_sm = kNone,
               max_shared_per_sm = kNone;
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

  /// Memory of the host for `rows` cells of a column of the report model. Another call keeps the cells below both
  /// numbers of rows; the address may change, also if `rows` is equal. `table`: id of the table (col::kernels);
  /// `offset`: bytes to the Column in its struct. Null: there is no such column, the host computes it, or `rows`
  /// exceeds 2^31 - 1.
  virtual void* cells(ColumnId table, std::uint32_t offset, std::uint64_t rows) noexcept = 0;
  /// Like cells, for a column of a declared table. Null also if the column is declared with another kind.
  virtual void* declared_cells(Str table, Str column, CellKind kind, std::uint64_t rows) noexcept = 0;

  /// Appends a process and returns its row. `id`: of the operating system; kNone: unknown.
  virtual std::uint32_t add_process(std::int64_t id) noexcept = 0;
  /// Appends a thread and returns its row. `process`: a row from add_process, else `load` fails; a name may be empty.
  virtual std::uint32_t add_thread(std::uint32_t process, std::int64_t id, Str name) noexcept = 0;
  /// Appends a row of `devices`.
  virtual void add_device(const DeviceView& device) noexcept = 0;
  /// Appends a row of `properties`; ignored unless col::properties is requested.
  virtual void add_property(Str name, Str value) noexcept = 0;

  /// Sets when the file was recorded, [begin, end] in ns on its own clock. Events more than a second outside are left
  /// out, with an issue; host events may begin earlier. Ignored unless begin < end.
  virtual void set_recorded(std::int64_t begin, std::int64_t end) noexcept = 0;
  /// Time of the file's clock that becomes 0, in ns; by default times are not shifted. Where rows with impossible times
  /// are left out, the first that stays becomes 0 instead.
  virtual void set_origin(std::int64_t time) noexcept = 0;

  /// Appends an issue: a code such as "bad_end", the number of rows concerned (0: not about rows), one sentence.
  virtual void issue(Str code, Severity severity, std::int64_t count, Str text) noexcept = 0;
  /// Reports rows of the file that were not read: "table", "SCHED_EVENTS", 5012. Ignored for 0 rows.
  virtual void passed_over(Str kind, Str name, std::int64_t rows) noexcept = 0;

  /// Like cells, for a column that links rows; null also if the table has no such column.
  virtual void* link_cells(ColumnId table, LinkColumn column, std::uint64_t rows) noexcept = 0;
  /// The text of an id from intern, valid until the next text is interned.
  virtual Str text(StringId id) noexcept = 0;
  /// What to do about the file, before `load` throws why it cannot be read: "record it again".
  virtual void advise(Str remedy) noexcept = 0;
  /// A sentence for the log.
  virtual void note(Str text) noexcept = 0;
  /// What the file calls the rows of a table, for sentences about them: "CUPTI_ACTIVITY_KIND_KERNEL".
  virtual void read_from(ColumnId table, Str part) noexcept = 0;
  /// The file may have calls, but none were read, since nobody requested them: work without a call means
  /// nothing.
  virtual void leave_out_calls() noexcept = 0;
  /// Time 0 of the file's clock, in ns since the epoch: added to the property origin_ns.
  virtual void set_epoch(std::int64_t time) noexcept = 0;

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
  Span<CaptureSpec> captures;
  Span<RecorderSpec> recorders;
  Str again;  ///< how to get an intact file, "export it again"; empty: "copy it again"
  /// Explains a file that `sniff` refused. Null: the format cannot.
  void (*explain)(const FormatFile& file, ExplanationSink& sink) noexcept = nullptr;
  /// Gives the results of the profiler's rules in a file that `sniff` accepted; false after `errors.fail`.
  /// Null: its files have none.
  bool (*rules)(const FormatFile& file, RuleSink& sink, ErrorSink& errors) noexcept = nullptr;
  /// Fills declared tables from the finished report, if any are requested: its rows are sorted and linked,
  /// its times final, and link_cells gives the cells of `load` in the order of its rows. Texts by TableSink::text,
  /// since there are more than the report has. Null: the format derives nothing.
  void (*derive)(const Report& report, TableSink& sink, ErrorSink& errors) noexcept = nullptr;
};

}  // namespace assay
