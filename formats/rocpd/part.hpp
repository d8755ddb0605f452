// The tables of one process, and the meaning of the numbers in them. Numbering is separate per process, so nothing is
// looked up in the tables of another.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/columns/row_writer.hpp"
#include "formats/rocpd/tables.hpp"
#include "formats/sqlite/table_load.hpp"

namespace assay::load::rocpd {

/// A column of a table, indexed by id; kNoValue if there is no such row or cell.
struct IdColumn {
  RowOfId rows;
  OwnedColumn<std::int64_t> cells;
  [[nodiscard]] std::int64_t operator()(std::int64_t id) const;
};

/// Properties of the code of a kernel.
struct KernelSymbol {
  StringId name = 0, short_name = 0, mangled_name = 0;
  std::int32_t registers = kNone, static_shared = kNone;
};

/// A GPU or CPU of the process.
struct Agent {
  bool gpu = false;
  bool described = true;        ///< by a row
  std::int32_t device = kNone;  ///< Device::id
};

/// References that are in tracks since schema 4.
struct Tracks {
  RowOfId rows;
  OwnedColumn<std::int64_t> thread, agent, queue, stream;
};

/// Union of the traced domains over all processes of a file.
struct TracedDomains {
  bool kernels = false, copies = false, allocations = false, calls = false, markers = false;
};

/// The tables of a file, over all its processes.
struct FileTables {
  explicit FileTables(TableSink& to) : out(to) {}

  TableSink& out;
  TracedDomains traced = {};
  formats::RowWriter<KernelTable> kernels{out, col::kernels};
  formats::RowWriter<CopyTable> copies{out, col::copies};
  formats::RowWriter<CallTable> calls{out, col::calls};
  formats::RowWriter<RangeTable> ranges{out, col::ranges}, spans{out, col::spans};
  formats::RowWriter<AllocationTable> allocations{out, col::allocations};
  formats::RowWriter<ProfiledTable> profiled{out, col::profiled};
  formats::RowWriter<CounterTable> counters{out, col::counters};
  std::vector<std::string> device_identities = {};  ///< by number in `device_ids`
  std::vector<std::int32_t> device_ids = {};
  std::int64_t launches = 0;
  StringPool texts = {};

  /// The host's number of a text.
  StringId id(StringId text) {
    if (text >= ids_.size()) ids_.resize(texts.all().size(), 0);
    if (ids_[text] == 0 && text != 0) ids_[text] = out.intern(texts[text]);
    return ids_[text];
  }
  void finish() {
    kernels.finish();
    copies.finish();
    calls.finish();
    ranges.finish();
    spans.finish();
    allocations.finish();
    profiled.finish();
    counters.finish();
  }

 private:
  std::vector<StringId> ids_;
};

struct ProcessData {
  const Source& source;
  FileTables& file;
  std::string suffix;
  std::uint32_t process = 0;  ///< row of processes
  std::int64_t pid = kNone;
  RowOfId string_rows = {};
  OwnedColumn<StringId> strings = {};
  RowOfId category_rows = {};
  OwnedColumn<StringId> categories = {};  ///< since schema 4; events refer to strings before that
  RowOfId event_rows = {};
  OwnedColumn<std::int64_t> event_category = {}, event_stack = {};
  Tracks tracks = {};
  IdColumn timestamps = {};  ///< only in schema 4.0
  std::map<std::int64_t, KernelSymbol> symbols = {};
  std::map<std::int64_t, Agent> agents = {};
  std::map<std::int64_t, std::int64_t> thread_ids = {};  ///< of the operating system, by row of info_thread
  std::map<std::int64_t, std::uint32_t> threads = {};    ///< rows of threads
  std::optional<RecordedTime> recorded = {};             ///< of the process

  /// Null if the process has no such table.
  [[nodiscard]] const TableInfo* table(std::string_view word) const {
    return source.schema.find(std::string(word) + suffix);
  }
  /// Text of a row of strings; 0: none.
  [[nodiscard]] StringId string(std::int64_t id) const;
  [[nodiscard]] StringId category_of_event(std::int64_t event) const;
  /// Links a call and its work; 0: no link.
  [[nodiscard]] std::int64_t stack_of_event(std::int64_t event) const;
  [[nodiscard]] Agent agent(std::int64_t id) const;
  /// Row of threads for a row of info_thread.
  std::uint32_t thread(std::int64_t id);
  /// Whether there is an event row with this id; always true if the process has no events.
  [[nodiscard]] bool has_event(std::int64_t id) const {
    return event_stack.values().empty() || event_rows.find(id) != RowOfId::kNoRow;
  }
  [[nodiscard]] bool has_thread(std::int64_t id) const { return thread_ids.contains(id); }
};

/// Reports rows of a table that refer to missing rows of another. `so`: the consequence.
void note_lost(std::vector<Issue>& issues, const char* name, std::int64_t rows, const std::string& table,
               std::string_view what, std::string_view so);

/// Time and place of events, from the columns that the schema version has.
struct EventColumns {
  OwnedColumn<std::int64_t> start, end, thread, agent, queue, stream, event;
  OwnedColumn<std::int64_t> start_id, end_id, track;

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  void request(TableLoad& table);
  /// Call after the table was read.
  void resolve(const ProcessData& part, const TableInfo& info, std::vector<Issue>& issues);
};

/// A cell of a column that may be missing.
inline std::int64_t cell(const OwnedColumn<std::int64_t>& column, std::size_t row) {
  return column.present() ? column[row] : kNoValue;
}
/// kNone for missing values and values that do not fit.
inline std::int32_t small(std::int64_t value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(value) : kNone;
}

/// Tables that others refer to: strings, events, tracks, threads.
void read_references(ProcessData& part, std::vector<Issue>& issues);
/// Agents, with GPUs added as devices, and kernel symbols.
void read_agents(ProcessData& part, std::vector<Issue>& issues);
/// Adds a device without properties, for an agent that ran work but has no row.
std::int32_t add_unknown_device(ProcessData& part, std::int64_t agent);
void read_symbols(ProcessData& part, std::vector<Issue>& issues);
/// Dispatches as kernels, with their counters; copies; allocations. Rows are appended unsorted.
void read_dispatches(ProcessData& part, std::vector<Issue>& issues);
void read_copies(ProcessData& part, std::vector<Issue>& issues);
void read_allocations(ProcessData& part, std::vector<Issue>& issues);
/// Regions: calls, and ranges if they are from roctx.
void read_regions(ProcessData& part, std::vector<Issue>& issues);
/// Counters of the kernels from row `first` on, given their event ids.
void read_counters(ProcessData& part, std::size_t first, std::span<const std::int64_t> events,
                   std::span<const std::int64_t> dispatches, std::vector<Issue>& issues);

}  // namespace assay::load::rocpd
