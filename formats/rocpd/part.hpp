// The tables of one process, and what the numbers in them stand for. Numbers begin anew in every process, so that
// nothing is ever looked up in the tables of another.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/rocpd/tables.hpp"
#include "formats/sqlite/table_load.hpp"

namespace assay::load::rocpd {

/// A column of a table by its ids; kNoValue where there is no such row or cell.
struct IdColumn {
  RowOfId rows;
  OwnedColumn<std::int64_t> cells;
  [[nodiscard]] std::int64_t operator()(std::int64_t id) const;
};

/// What is said of a kernel's code.
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

/// Numbers that stand in tracks since schema 4.
struct Tracks {
  RowOfId rows;
  OwnedColumn<std::int64_t> thread, agent, queue, stream;
};

struct ProcessData {
  const Source& source;
  Profile::Store& store;
  std::vector<std::string>& device_identities;  ///< of the rows of devices, for all processes
  std::string suffix;
  std::uint32_t process = 0;  ///< row of processes
  RowOfId string_rows = {};
  OwnedColumn<StringId> strings = {};
  RowOfId category_rows = {};
  OwnedColumn<StringId> categories = {};  ///< since schema 4; before, events refer to strings
  RowOfId event_rows = {};
  OwnedColumn<std::int64_t> event_category = {}, event_stack = {};
  Tracks tracks = {};
  IdColumn timestamps = {};  ///< in schema 4.0 alone
  std::map<std::int64_t, KernelSymbol> symbols = {};
  std::map<std::int64_t, Agent> agents = {};
  std::map<std::int64_t, std::int64_t> thread_ids = {};  ///< the operating system's, by row of info_thread
  std::map<std::int64_t, std::uint32_t> threads = {};    ///< rows of threads
  std::optional<RecordedTime> recorded = {};             ///< of the process

  /// Null where the process has no such table.
  [[nodiscard]] const TableInfo* table(std::string_view word) const {
    return source.schema.find(std::string(word) + suffix);
  }
  /// The text of a row of strings; 0: none.
  [[nodiscard]] StringId string(std::int64_t id) const;
  [[nodiscard]] StringId category_of_event(std::int64_t event) const;
  /// What links a call and its work; 0: nothing.
  [[nodiscard]] std::int64_t stack_of_event(std::int64_t event) const;
  [[nodiscard]] Agent agent(std::int64_t id) const;
  /// The row of threads of a row of info_thread.
  std::uint32_t thread(std::int64_t id);
  /// Whether there is a row of that number; always where the process has no events.
  [[nodiscard]] bool has_event(std::int64_t id) const {
    return event_stack.values().empty() || event_rows.find(id) != RowOfId::kNoRow;
  }
  [[nodiscard]] bool has_thread(std::int64_t id) const { return thread_ids.contains(id); }
};

/// Says that rows of a table refer to rows of another that are not there. `so`: what follows from it.
void note_lost(std::vector<Issue>& issues, const char* name, std::int64_t rows, const std::string& table,
               std::string_view what, std::string_view so);

/// Where and when something happened, by whichever columns the version of the schema has for it.
struct EventColumns {
  OwnedColumn<std::int64_t> start, end, thread, agent, queue, stream, event;
  OwnedColumn<std::int64_t> start_id, end_id, track;

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  void request(TableLoad& table);
  /// Call after the table was read.
  void resolve(const ProcessData& part, const TableInfo& info, std::vector<Issue>& issues);
};

/// A cell of a column that the table may not have.
inline std::int64_t cell(const OwnedColumn<std::int64_t>& column, std::size_t row) {
  return column.present() ? column[row] : kNoValue;
}
/// kNone for what is not there or does not fit.
inline std::int32_t small(std::int64_t value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(value) : kNone;
}

/// Strings, events, tracks, threads: what other tables refer to.
void read_references(ProcessData& part, std::vector<Issue>& issues);
/// Agents, with the GPUs among them as devices, and kernel symbols.
void read_agents(ProcessData& part, std::vector<Issue>& issues);
/// A device of which nothing is known, for an agent that ran something and that no row describes.
std::int32_t add_unknown_device(ProcessData& part, std::int64_t agent);
void read_symbols(ProcessData& part, std::vector<Issue>& issues);
/// Dispatches as kernels, with their counters; copies; allocations. Rows are appended, not sorted.
void read_dispatches(ProcessData& part, std::vector<Issue>& issues);
void read_copies(ProcessData& part, std::vector<Issue>& issues);
void read_allocations(ProcessData& part, std::vector<Issue>& issues);
/// Regions: calls, and ranges where they are of roctx.
void read_regions(ProcessData& part, std::vector<Issue>& issues);
/// Counters of the kernels from row `first` on, whose numbers of events are given.
void read_counters(ProcessData& part, std::size_t first, std::span<const std::int64_t> events,
                   std::span<const std::int64_t> dispatches, std::vector<Issue>& issues);

/// Tells which counted dispatches are of the same kernel and shape, and of which kernels they are. Call when kernels
/// are sorted.
void group_counters(Profile::Store& store, const WantedColumns& wanted);

}  // namespace assay::load::rocpd
