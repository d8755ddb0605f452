#include "query/table_module.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>

#include "query/row_order.hpp"
#include "query/table_plan.hpp"
#include "sqlite/database.hpp"

namespace assay::query {
namespace table_module {
namespace {

constexpr char kModule[] = "assay_report";

/// The rows of one report to scan.
struct RowRange {
  std::size_t first = 0, last = 0;
  const RowOrder* rows = nullptr;  ///< null: rows in table order
};

struct Cursor : sqlite3_vtab_cursor {
  std::size_t report = 0, next_report = 0, last_report = 0;  ///< current report, and the following ones
  bool done = true;
  RowRange at;
  int plan = 0;
  std::int64_t id = 0, from_id = 0, to_id = 0, from_start = 0, to_start = 0;
  bool has_value = false;
  std::int64_t value = 0;
  ScanPlan listed;
  CellSource place;
};

Table& table_of(sqlite3_vtab* vtab) { return *static_cast<Table*>(vtab); }
Cursor& cursor_of(sqlite3_vtab_cursor* cursor) { return *static_cast<Cursor*>(cursor); }

template <class Body>
int guarded(Body&& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (...) {
    return SQLITE_ERROR;
  }
}

/// An SQL number as a bound that excludes no row: rounded down if lower, up if upper. Empty if it is not a number.
std::optional<std::int64_t> bound(sqlite3_value* value, bool lower) {
  constexpr double kBeyond = 9.2e18;
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return sqlite3_value_int64(value);
    case SQLITE_FLOAT: {
      const double number = sqlite3_value_double(value);
      if (!(std::abs(number) < kBeyond)) return std::nullopt;
      return static_cast<std::int64_t>(lower ? std::floor(number) : std::ceil(number));
    }
    default:
      return std::nullopt;
  }
}

int connect(sqlite3* db, void* sources, int, const char* const* arguments, sqlite3_vtab** out, char** error) {
  return guarded([&] {
    const SqlTable* model = find_table(arguments[2]);
    if (model == nullptr) {
      *error = sqlite3_mprintf("there is no table '%s'", arguments[2]);
      return SQLITE_ERROR;
    }
    auto table = std::make_unique<Table>();
    table->model = model;
    table->sources = static_cast<Sources*>(sources);
    table->columns = columns_of(*model, *table->sources);
    for (const Report* report : table->sources->reports) {
      const void* rows = model->in(*report);
      if (rows != nullptr && !model->computed) table->rows += static_cast<double>(SqlTable::rows(rows));
    }
    const int outcome = sqlite3_declare_vtab(db, declaration(*model, *table->sources).c_str());
    if (outcome != SQLITE_OK) return outcome;
    *out = table.release();
    return SQLITE_OK;
  });
}

int disconnect(sqlite3_vtab* vtab) {
  delete &table_of(vtab);
  return SQLITE_OK;
}

int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  return guarded([&] { return find_plan(table_of(vtab), info); });
}

int open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  return guarded([&] {
    *out = std::make_unique<Cursor>().release();
    return SQLITE_OK;
  });
}

int close(sqlite3_vtab_cursor* cursor) {
  delete &cursor_of(cursor);
  return SQLITE_OK;
}

/// First row whose start is not below (`after`: is above) `time`.
std::size_t first_start(const SqlColumn& column, const CellSource& place, std::size_t rows, std::int64_t time,
                        bool after) {
  std::size_t first = 0, last = rows;
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    const std::int64_t start = column.integer(place, middle, column.offset);
    start < time || (after && start == time) ? first = middle + 1 : last = middle;
  }
  return first;
}

RowRange in_order(const Table& table, const Cursor& cursor) {
  const auto [at, first_time] = table.sources->orders.try_emplace({cursor.report, cursor.listed.order});
  if (first_time) at->second = rows_by(cursor.listed.order, cursor.place);
  return {0, at->second.size(), &at->second};
}

RowRange by_value(const Table& table, const Cursor& cursor) {
  const SqlColumn& column = *table.columns[static_cast<std::size_t>(cursor.plan >> kColumnShift)];
  if (!column.present(cursor.place.table, column.offset)) return {};
  const auto [at, first_time] = table.sources->lookups.try_emplace({cursor.report, &column});
  if (first_time) at->second = rows_with_number(column, cursor.place);
  const RowOrder& lookup = at->second;
  const auto value = [&](std::uint32_t row) { return column.integer(cursor.place, row, column.offset); };
  const auto [first, last] = std::ranges::equal_range(lookup, cursor.value, {}, value);
  const auto lookup_index = [&](auto found) { return static_cast<std::size_t>(found - lookup.begin()); };
  return {lookup_index(first), lookup_index(last), &lookup};
}

/// Rows to scan in the cursor's report. Precondition: it has the table.
RowRange stretch_of(const Table& table, const Cursor& cursor) {
  const std::size_t rows = SqlTable::rows(cursor.place.table);
  if (cursor.has_value) return by_value(table, cursor);
  if (!cursor.listed.order.empty()) return in_order(table, cursor);
  RowRange out{0, rows};
  const auto row_at = [&](std::int64_t id) {
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(id - cursor.place.base, 0, static_cast<std::int64_t>(rows)));
  };
  if ((cursor.plan & kFromId) != 0) out.first = row_at(cursor.from_id);
  if ((cursor.plan & kToId) != 0) {
    const std::size_t last = cursor.to_id < cursor.place.base ? 0 : row_at(cursor.to_id) + 1;
    out.last = std::min(last, rows);
  }
  if ((cursor.plan & (kFromStart | kToStart)) != 0) {
    const auto start = std::ranges::find(table.columns, Role::kStart, [](const SqlColumn* c) { return c->role; });
    if ((cursor.plan & kFromStart) != 0)
      out.first = std::max(out.first, first_start(**start, cursor.place, rows, cursor.from_start, false));
    if ((cursor.plan & kToStart) != 0)
      out.last = std::min(out.last, first_start(**start, cursor.place, rows, cursor.to_start, true));
  }
  out.last = std::max(out.first, out.last);
  return out;
}

std::size_t row_at(const Cursor& cursor) {
  return cursor.at.rows != nullptr ? (*cursor.at.rows)[cursor.at.first] : cursor.at.first;
}

/// Advances to the next row in this report that passes the filters.
void skip(Cursor& cursor) {
  const auto passes = [&](const RowFilter& filter) { return filter.passes(cursor.place, row_at(cursor)); };
  while (cursor.at.first < cursor.at.last && !std::ranges::all_of(cursor.listed.filters, passes)) ++cursor.at.first;
}

/// Null: not captured.
const void* rows_of(const Table& table, std::size_t report) {
  const Report& from = *table.sources->reports[report];
  const void* const rows = table.model->in(from);
  if (rows == nullptr || !table.model->computed) return rows;
  std::shared_ptr<const void>& computed = table.sources->computed[{report, table.model}];
  if (computed == nullptr) computed = table.model->computed(from);
  return computed.get();
}

/// Advances to the next matching row, across reports.
void advance_to_match(Cursor& cursor) {
  const Table& table = table_of(cursor.pVtab);
  if (!cursor.listed.filters.empty()) skip(cursor);
  while (cursor.at.first >= cursor.at.last) {
    cursor.done = cursor.next_report >= cursor.last_report;
    if (cursor.done) return;
    cursor.report = cursor.next_report++;
    const Report& report = *table.sources->reports[cursor.report];
    cursor.place = {&report, rows_of(table, cursor.report), base_of(cursor.report)};
    cursor.at = cursor.place.table != nullptr ? stretch_of(table, cursor) : RowRange{};
    if (cursor.listed.filters.empty() || cursor.place.table == nullptr) continue;
    for (RowFilter& filter : cursor.listed.filters) filter.enter(cursor.place);
    skip(cursor);
  }
}

int filter(sqlite3_vtab_cursor* base, int plan, const char* listed, int, sqlite3_value** arguments) {
  return guarded([&] {
    Cursor& cursor = cursor_of(base);
    const Table& table = table_of(cursor.pVtab);
    std::size_t first = 0, last = table.sources->reports.size();
    cursor.plan = plan;
    cursor.has_value = false;
    sqlite3_value** next = arguments;
    const auto read_bound = [&](int use, std::int64_t& to, bool lower) {
      if ((plan & use) == 0) return;
      const std::optional<std::int64_t> value = bound(*next++, lower);
      value ? void(to = *value) : void(cursor.plan &= ~use);
    };
    std::int64_t id = 0;
    read_bound(kById, id, true);
    if ((cursor.plan & kById) != 0) {  // one row of one report
      first = id < 0 ? last : std::min(report_of(id), last);
      last = std::min(first + 1, last);
    }
    read_bound(kFromId, cursor.from_id, true);
    read_bound(kToId, cursor.to_id, false);
    read_bound(kFromStart, cursor.from_start, true);
    read_bound(kToStart, cursor.to_start, false);
    if ((plan & kByValue) != 0) {
      const std::optional<std::int64_t> value = bound(*next++, true);
      if (value) {
        cursor.has_value = true;
        cursor.value = *value;
      }
    }
    sqlite3_value* const report = (plan & kByReport) != 0 ? *next++ : nullptr;
    if (report != nullptr && sqlite3_value_type(report) == SQLITE_TEXT) {
      const std::string_view name(reinterpret_cast<const char*>(sqlite3_value_text(report)),
                                  static_cast<std::size_t>(sqlite3_value_bytes(report)));
      while (first < last && table.sources->reports[first]->path.view() != name) ++first;
      last = std::min(first + 1, last);
    }
    cursor.listed = read_listed(listed, table, next);
    if ((cursor.plan & kById) != 0) {
      cursor.from_id = (cursor.plan & kFromId) != 0 ? std::max(cursor.from_id, id) : id;
      cursor.to_id = (cursor.plan & kToId) != 0 ? std::min(cursor.to_id, id) : id;
      cursor.plan |= kFromId | kToId;
      cursor.has_value = false;
    }
    cursor.next_report = first;
    cursor.last_report = last;
    cursor.done = false;
    cursor.at = {};
    advance_to_match(cursor);
    return SQLITE_OK;
  });
}

int next(sqlite3_vtab_cursor* base) {
  return guarded([&] {
    Cursor& cursor = cursor_of(base);
    ++cursor.at.first;
    advance_to_match(cursor);
    return SQLITE_OK;
  });
}

int eof(sqlite3_vtab_cursor* base) { return cursor_of(base).done ? 1 : 0; }

int column(sqlite3_vtab_cursor* base, sqlite3_context* to, int number) {
  return guarded([&] {
    const Cursor& cursor = cursor_of(base);
    const SqlColumn& of = *table_of(cursor.pVtab).columns[static_cast<std::size_t>(number)];
    const bool there = of.present == nullptr || of.present(cursor.place.table, of.offset);
    there ? of.set_result(to, cursor.place, row_at(cursor), of.offset) : sqlite3_result_null(to);
    return SQLITE_OK;
  });
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  const Cursor& cursor = cursor_of(base);
  *out = cursor.place.base + static_cast<std::int64_t>(row_at(cursor));
  return SQLITE_OK;
}

sqlite3_module make_module() {
  sqlite3_module module{};
  module.xCreate = &connect;
  module.xConnect = &connect;
  module.xBestIndex = &best_index;
  module.xDisconnect = &disconnect;
  module.xDestroy = &disconnect;
  module.xOpen = &open;
  module.xClose = &close;
  module.xFilter = &filter;
  module.xNext = &next;
  module.xEof = &eof;
  module.xColumn = &column;
  module.xRowid = &row_id;
  return module;
}

const sqlite3_module kTableModule = make_module();

}  // namespace
}  // namespace table_module

bool has_table(const SqlTable& table, const Sources& sources) {
  if (sources.all_columns) return true;
  return std::ranges::any_of(sources.reports, [&](const Report* report) { return table.in(*report) != nullptr; });
}

std::vector<const SqlColumn*> columns_of(const SqlTable& table, const Sources& sources) {
  std::vector<const SqlColumn*> columns;
  for (const SqlColumn& column : table.columns) {
    const bool there = std::ranges::any_of(sources.reports, [&](const Report* report) {
      const void* rows = table.in(*report);
      return rows != nullptr && (column.present == nullptr || column.present(rows, column.offset));
    });
    if (there || sources.all_columns) columns.push_back(&column);
  }
  return columns;
}

std::string declaration(const SqlTable& table, const Sources& sources) {
  std::string text = "CREATE TABLE " + (table.declared ? sqlite::quoted(table.name) : table.name) + "(";
  bool first = true;
  for (const SqlColumn* column : columns_of(table, sources)) {
    // With one report its name is redundant, so '*' leaves it out; it can still be named.
    const bool hidden = column->role == Role::kReport && sources.reports.size() < 2;
    text += fmt::format("{}{} {}{}", first ? "" : ", ", table.declared ? sqlite::quoted(column->name) : column->name,
                        std::string(column->type), hidden ? " HIDDEN" : "");
    first = false;
  }
  return text + ")";
}

bool add_tables(sqlite3* db, Sources& sources) {
  using namespace table_module;
  if (sqlite3_create_module_v2(db, kModule, &kTableModule, &sources, nullptr) != SQLITE_OK) return false;
  for (const SqlTable& table : sql_tables()) {
    if (!has_table(table, sources) || (!sources.only.empty() && !sources.only.contains(table.name))) continue;
    const std::string sql = fmt::format("CREATE VIRTUAL TABLE {} USING {}",
                                        table.declared ? sqlite::quoted(table.name) : table.name, kModule);
    if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return false;
  }
  return true;
}

}  // namespace assay::query
