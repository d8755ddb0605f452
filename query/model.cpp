#include "query/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <deque>
#include <map>
#include <mutex>

#include "assay/algo/steps.hpp"
#include "assay/detail/columns.hpp"
#include "assay/detail/communication.hpp"
#include "assay/detail/copy_kinds.hpp"
#include "load/columns.hpp"
#include "load/format.hpp"
#include "query/declared_tables.hpp"
#include "query/range_paths.hpp"

namespace assay::query {
namespace {

template <class T>
const Column<T>& column_at(const void* table, std::size_t offset) {
  return *reinterpret_cast<const Column<T>*>(static_cast<const char*>(table) + offset);
}

void set_text_cell(sqlite3_context* to, std::string_view text) {
  // The report outlives every statement over it.
  sqlite3_result_text64(to, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

std::string_view word(Membership value) {
  constexpr std::array<std::string_view, 3> kWords{"outside", "inside", "foreign"};
  return kWords[std::min<std::size_t>(static_cast<std::size_t>(value), kWords.size() - 1)];
}
std::string_view word(MemoryKind value) { return memory_kind_name(value); }
std::string_view word(CopyDirection value) { return direction_name(value); }
std::string_view word(CallKind value) {
  constexpr std::array<std::string_view, 9> kWords{"other",       "kernel_launch", "graph_launch",
                                                   "copy",        "set",           "device_sync",
                                                   "stream_sync", "event_sync",    "blocking_copy"};
  const auto at = static_cast<std::size_t>(value);
  return at < kWords.size() ? kWords[at] : kWords[0];
}
std::string_view word(OpKind value) {
  constexpr std::array<std::string_view, 3> kWords{"operator", "python_function", "annotation"};
  return kWords[std::min<std::size_t>(static_cast<std::size_t>(value), kWords.size() - 1)];
}
std::string_view word(CollectiveKind value) { return collective_name(value); }
std::string_view word(Disturbance value) { return disturbance_name(value); }
std::string_view word(AccountKind value) { return account_kind_name(value); }
std::string_view word(IdleCause value) { return idle_cause_name(value); }
std::string_view word(StepSource value) { return step_source_name(value); }
std::string_view word(Severity value) {
  constexpr std::array<std::string_view, 3> kWords{"info", "warning", "error"};
  return kWords[std::min<std::size_t>(static_cast<std::size_t>(value), kWords.size() - 1)];
}

template <class T>
concept HasWord = requires(T value) {
  { word(value) } -> std::same_as<std::string_view>;
};

template <class T>
bool is_present(const void* table, std::size_t offset) {
  return column_at<T>(table, offset).present();
}

/// `kAny`: every value is valid, including -1.
template <class T, bool kAny, bool kIsReference>
std::int64_t integer_of(const CellSource& from, std::size_t row, std::size_t offset) {
  const T value = column_at<T>(from.table, offset)[row];
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (value == kNoCell) return kNull;
  }
  if constexpr (std::is_signed_v<T> && !kAny) {
    if (value == T{kNone}) return kNull;
  }
  return static_cast<std::int64_t>(value) + (kIsReference ? from.base : 0);
}

template <class T, bool kAny, bool kIsReference>
void set_result_integer(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t offset) {
  const std::int64_t value = integer_of<T, kAny, kIsReference>(from, row, offset);
  value == kNull ? sqlite3_result_null(to) : sqlite3_result_int64(to, value);
}

template <class T>
void set_result_other(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t offset) {
  const T& value = column_at<T>(from.table, offset)[row];
  if constexpr (HasWord<T>) {
    set_text_cell(to, word(value));
  } else if constexpr (std::is_same_v<T, double>) {
    sqlite3_result_double(to, value);  // turns NaN into NULL
  } else if constexpr (std::is_same_v<T, StringId>) {
    value == 0 ? sqlite3_result_null(to) : set_text_cell(to, from.report->string(value));
  } else {
    set_text_cell(to, value.view());
  }
}

/// An unknown name is an empty one in the model.
void set_result_name(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t offset) {
  const Str& value = column_at<Str>(from.table, offset)[row];
  value.view().empty() ? sqlite3_result_null(to) : set_text_cell(to, value.view());
}

void set_result_row_number(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t) {
  sqlite3_result_int64(to, from.base + static_cast<std::int64_t>(row));
}
std::int64_t row_number(const CellSource& from, std::size_t row, std::size_t) {
  return from.base + static_cast<std::int64_t>(row);
}

void set_result_report(sqlite3_context* to, const CellSource& from, std::size_t, std::size_t) {
  set_text_cell(to, from.report->path.view());
}

/// Type names as in the list of report.hpp: StringId and rows of threads and processes are the same C++ type, and so
/// are Row and small numbers.
#define ASSAY_NAMED_TYPE(id, type, member, needed) #type,
#define ASSAY_NAMED_TYPES(Table, COLUMNS)                                                                    \
  [[maybe_unused]] constexpr auto named_types(const Table*) {                                                \
    return std::to_array<std::string_view>({COLUMNS(ASSAY_NAMED_TYPE, ASSAY_NAMED_TYPE, ASSAY_NAMED_TYPE)}); \
  }
ASSAY_LISTED_TABLES(ASSAY_NAMED_TYPES)
#undef ASSAY_NAMED_TYPES
#undef ASSAY_NAMED_TYPE

/// Whether a cell is a row number of another table.
constexpr bool is_row(std::string_view named_type) { return named_type == "Row" || named_type == "std::uint32_t"; }

/// Whether -1 is a valid value of it.
constexpr bool takes_any(std::string_view named_type) {
  return named_type.starts_with("cell::") && named_type != "cell::Key";
}

constexpr Role role_of(std::string_view named_type) {
  return is_row(named_type)            ? Role::kReference
         : named_type == "cell::Start" ? Role::kStart
         : named_type == "cell::End"   ? Role::kEnd
         : named_type == "cell::Key"   ? Role::kKey
                                       : Role::kPlain;
}

/// Replaces SQL keywords, and ids that are not row numbers.
std::string sql_name(std::string_view table, std::string_view name) {
  if (name == "group") return table == "profiled" ? "launch_group" : "group_name";
  if (table == "profiled" && name == "id") return "result";
  if (table == "profiled" && name == "process") return "pid";
  if (table == "processes" && name == "id") return "pid";
  if (table == "threads" && name == "id") return "tid";
  return std::string(name);
}

template <class T>
void set_integer(SqlColumn& column, bool any) {
  const bool row = column.role == Role::kReference;
  column.set_result = row   ? &set_result_integer<T, false, true>
                      : any ? &set_result_integer<T, true, false>
                            : &set_result_integer<T, false, false>;
  column.integer = row ? &integer_of<T, false, true> : any ? &integer_of<T, true, false> : &integer_of<T, false, false>;
}

template <class T>
EnumNames words_of() {
  static_assert(std::is_same_v<std::underlying_type_t<T>, std::uint8_t>);
  return {[](const void* table, std::size_t row, std::size_t offset) {
            return static_cast<std::uint8_t>(column_at<T>(table, offset)[row]);
          },
          [](std::uint8_t code) { return word(static_cast<T>(code)); }};
}

/// A column of the model.
template <class T>
SqlColumn model_column(std::string_view table, std::string_view name, ColumnId id, std::size_t offset,
                       std::string_view named_type) {
  SqlColumn column{.name = sql_name(table, name), .type = "TEXT", .id = id, .offset = offset};
  column.present = &is_present<T>;
  column.role = role_of(named_type);
  if constexpr (std::is_same_v<T, double>) {
    column.type = "REAL";
    column.set_result = &set_result_other<T>;
  } else if constexpr (std::is_same_v<T, Str>) {
    column.set_result = name == "name" && table != "properties" ? &set_result_name : &set_result_other<T>;
  } else if constexpr (std::is_integral_v<T>) {
    if (std::is_same_v<T, StringId> && column.role != Role::kReference) {
      column.set_result = &set_result_other<StringId>;
      column.strings = [](const void* from, std::size_t at) { return &column_at<StringId>(from, at); };
    } else {
      column.type = "INTEGER";
      set_integer<T>(column, takes_any(named_type));
    }
  } else {
    column.set_result = &set_result_other<T>;
    if constexpr (HasWord<T>) column.words = words_of<T>();
  }
  return column;
}

void set_result_duration(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t offset) {
  // `end` follows `start` in every event table.
  const auto& start = column_at<std::int64_t>(from.table, offset);
  const auto& end = column_at<std::int64_t>(from.table, offset + sizeof(Column<std::int64_t>));
  sqlite3_result_int64(to, end[row] - start[row]);
}

/// Adds `duration` after `end`, `report` in front, and `id` if rows are referred to.
void add_made_columns(SqlTable& table, bool numbered) {
  std::vector<SqlColumn>& columns = table.columns;
  const auto end = std::ranges::find(columns, Role::kEnd, &SqlColumn::role);
  const auto start = std::ranges::find(columns, Role::kStart, &SqlColumn::role);
  if (!table.declared && end != columns.end() && start != columns.end() &&
      end->offset == start->offset + sizeof(Column<std::int64_t>)) {
    SqlColumn duration{.name = "duration", .type = "INTEGER", .id = start->id, .offset = start->offset};
    duration.set_result = &set_result_duration;
    columns.insert(end + 1, duration);
  }
  if (numbered) {
    SqlColumn id{.name = "id", .type = "INTEGER", .role = Role::kRowNumber, .id = table.id};
    id.set_result = &set_result_row_number;
    id.integer = &row_number;
    columns.insert(columns.begin(), id);
  }
  SqlColumn report{.name = "report", .type = "TEXT", .role = Role::kReport, .id = table.id};
  report.set_result = &set_result_report;
  columns.insert(columns.begin(), report);
}

template <auto Table>
const void* in_report(const Report& report) {
  return report.*Table;
}

template <class Table>
std::size_t offset_in(const Table& table, const void* column) {
  return static_cast<std::size_t>(static_cast<const char*>(column) - reinterpret_cast<const char*>(&table));
}

/// A table of the list of report.hpp.
template <auto Table>
SqlTable listed(ColumnId id, const std::string& name, bool numbered = true) {
  SqlTable made{.name = name, .words = {}, .id = id, .in = &in_report<Table>, .columns = {}};
  const ColumnInfo* info = find_column(id);
  made.words = info != nullptr ? std::string(info->table) : made.name + " table";
  const std::remove_cvref_t<decltype(*(Report{}.*Table))> empty;
  constexpr auto kTypes = named_types(static_cast<std::remove_cvref_t<decltype(Report{}.*Table)>>(nullptr));
  each_column(empty, [&]<class T>(const ListedColumn& column, const Column<T>& cells) {
    made.columns.push_back(model_column<T>(made.name, column.name, of_table(id, column.id), offset_in(empty, &cells),
                                           kTypes[made.columns.size()]));
  });
  add_made_columns(made, numbered);
  return made;
}

/// A table that is not in the list: members by name.
template <auto Table>
class TableBuilder {
 public:
  TableBuilder(ColumnId id, const std::string& name, const std::string& words)
      : made_{.name = name, .words = words, .id = id, .in = &in_report<Table>, .columns = {}} {}
  template <class T, class Struct>
  TableBuilder& column(std::string_view name, Column<T> Struct::* member, ColumnId id,
                       std::string_view named_type = {}) {
    const Struct empty;
    made_.columns.push_back(model_column<T>(made_.name, name, id, offset_in(empty, &(empty.*member)), named_type));
    return *this;
  }
  SqlTable build(bool numbered) {
    add_made_columns(made_, numbered);
    return std::move(made_);
  }

 private:
  SqlTable made_;
};

/// The window is not a table in the model; its members form one row.
struct WindowRow {
  static const void* in(const Report&) {
    static constexpr std::uint64_t kOne = 1;
    return &kOne;
  }
  template <auto Member>
  static void set_result(sqlite3_context* to, const CellSource& from, std::size_t, std::size_t) {
    const auto& value = from.report->window->*Member;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Str>) {
      value.view().empty() ? sqlite3_result_null(to) : set_text_cell(to, value.view());
    } else {
      sqlite3_result_int64(to, static_cast<std::int64_t>(value));
    }
  }
  static void duration(sqlite3_context* to, const CellSource& from, std::size_t, std::size_t) {
    sqlite3_result_int64(to, from.report->window->end - from.report->window->start);
  }
};

SqlTable windows() {
  // Without roles for start and end: one row needs no search.
  SqlTable made{.name = "windows", .words = "window", .id = {}, .in = &WindowRow::in, .columns = {}};
  const auto add = [&](std::string name, std::string_view type, auto set_result) {
    SqlColumn column{.name = std::move(name), .type = type};
    column.set_result = set_result;
    made.columns.push_back(column);
  };
  add("start", "INTEGER", &WindowRow::set_result<&Window::start>);
  add("end", "INTEGER", &WindowRow::set_result<&Window::end>);
  add("duration", "INTEGER", &WindowRow::duration);
  add("host_start", "INTEGER", &WindowRow::set_result<&Window::host_start>);
  add("host_end", "INTEGER", &WindowRow::set_result<&Window::host_end>);
  add("named", "INTEGER", &WindowRow::set_result<&Window::named>);
  add("matches", "INTEGER", &WindowRow::set_result<&Window::matches>);
  add("name", "TEXT", &WindowRow::set_result<&Window::name>);
  add_made_columns(made, false);
  return made;
}

std::vector<SqlTable> make_tables() {
  std::vector<SqlTable> tables;
  tables.push_back(listed<&Report::kernels>(col::kernels, "kernels"));
  tables.push_back(listed<&Report::graphs>(col::graphs, "graphs"));
  tables.push_back(listed<&Report::copies>(col::copies, "copies"));
  tables.push_back(listed<&Report::sets>(col::sets, "sets"));
  tables.push_back(listed<&Report::calls>(col::calls, "calls"));
  tables.push_back(listed<&Report::ranges>(col::ranges, "ranges"));
  tables.push_back(listed<&Report::spans>(col::spans, "spans"));
  tables.push_back(listed<&Report::syncs>(col::syncs, "syncs"));
  tables.push_back(listed<&Report::overheads>(col::overheads, "overheads"));
  tables.push_back(listed<&Report::causes>(col::causes, "causes"));
  tables.push_back(listed<&Report::ops>(col::ops, "ops"));
  tables.push_back(listed<&Report::allocations>(col::allocations, "allocations"));
  tables.push_back(listed<&Report::collectives>(col::collectives, "collectives"));
  tables.push_back(listed<&Report::iterations>(col::iterations, "iterations"));
  tables.push_back(listed<&Report::steps>(col::steps, "steps"));
  tables.push_back(listed<&Report::account>(col::account, "account", false));
  tables.push_back(listed<&Report::devices>(col::devices, "devices", false));
  tables.push_back(listed<&Report::profiled>(col::profiled, "profiled"));
  tables.push_back(listed<&Report::counters>(col::counters, "counters"));
  tables.push_back(listed<&Report::os_calls>(col::os_calls, "os_calls"));
  tables.push_back(listed<&Report::mpi_events>(col::mpi_events, "mpi_events"));
  tables.push_back(listed<&Report::openacc_events>(col::openacc_events, "openacc_events"));
  tables.push_back(listed<&Report::openmp_events>(col::openmp_events, "openmp_events"));
  using I = IssueTable;
  tables.push_back(TableBuilder<&Report::issues>({}, "issues", "issue table")
                       .column("name", &I::name, {})
                       .column("severity", &I::severity, {})
                       .column("count", &I::count, {}, "cell::Any")
                       .column("text", &I::text, {})
                       .build(false));
  tables.push_back(TableBuilder<&Report::properties>(col::properties, "properties", "property table")
                       .column("name", &PropertyTable::name, col::properties)
                       .column("value", &PropertyTable::value, col::properties)
                       .build(false));
  tables.push_back(TableBuilder<&Report::processes>({}, "processes", "process table")
                       .column("id", &ProcessTable::id, {})
                       .build(true));
  tables.push_back(TableBuilder<&Report::threads>({}, "threads", "thread table")
                       .column("process", &ThreadTable::process, {}, "Row")
                       .column("id", &ThreadTable::id, {})
                       .column("name", &ThreadTable::name, col::thread_names)
                       .column("priority", &ThreadTable::priority, col::thread_names)
                       .build(true));
  tables.push_back(windows());
  tables.push_back(range_paths());
  add_made_columns(tables.back(), false);
  for (const load::Format* format : load::formats()) {
    for (const TableSpec& table : format->notes.tables) {
      if (std::ranges::find(tables, table.name.view(), &SqlTable::name) != tables.end()) continue;  // of two formats
      tables.push_back(declared_table(table));
      add_made_columns(tables.back(), true);
    }
  }
  std::ranges::sort(tables, {}, &SqlTable::name);
  return tables;
}

}  // namespace

std::span<const SqlTable> sql_tables() {
  static std::mutex mutex;
  static std::deque<std::vector<SqlTable>> made;  // statements may refer to tables from before a format was loaded
  static std::size_t formats = 0;
  const std::lock_guard lock(mutex);
  if (made.empty() || formats != load::formats().size()) made.push_back(make_tables());
  formats = load::formats().size();
  return made.back();
}

const SqlTable* find_table(std::string_view name) {
  const std::span<const SqlTable> tables = sql_tables();
  const auto at =
      std::ranges::lower_bound(tables, name, {}, [](const SqlTable& t) { return std::string_view(t.name); });
  return at != tables.end() && at->name == name ? &*at : nullptr;
}

}  // namespace assay::query
