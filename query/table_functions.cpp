// interval_union, interval_intersect, interval_subtract and histogram: table functions over the results of other
// statements.
//
// A statement is passed as a literal text, so that it can be prepared, and rejected, with the statement around it.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "query/functions.hpp"
#include "query/guard.hpp"
#include "query/older_sqlite.hpp"
#include "sqlite/database.hpp"

namespace assay::query {
namespace table_functions {
namespace {

enum class Kind { kUnion, kIntersect, kSubtract, kHistogram };

struct Shape {
  const char* name;
  Kind kind;
  int statements;           ///< number of leading arguments that are statements
  int arguments;            ///< all
  int columns;              ///< before the arguments
  const char* declaration;  ///< arguments are hidden columns
};

constexpr std::array<Shape, 4> kShapes{{
    {"interval_union", Kind::kUnion, 1, 1, 4,
     "CREATE TABLE t(start INTEGER, end INTEGER, duration INTEGER, key, sql HIDDEN)"},
    {"interval_intersect", Kind::kIntersect, 2, 2, 4,
     "CREATE TABLE t(start INTEGER, end INTEGER, duration INTEGER, key, first HIDDEN, second HIDDEN)"},
    {"interval_subtract", Kind::kSubtract, 2, 2, 4,
     "CREATE TABLE t(start INTEGER, end INTEGER, duration INTEGER, key, first HIDDEN, second HIDDEN)"},
    {"histogram", Kind::kHistogram, 1, 2, 5,
     "CREATE TABLE t(bin INTEGER, low REAL, high REAL, count INTEGER, key, sql HIDDEN, bins HIDDEN)"},
}};

using Text = std::basic_string<char, std::char_traits<char>, CountedMemory<char>>;
using Key = std::variant<std::monostate, std::int64_t, double, Text>;
template <class T>
using ByKey = std::map<Key, T, std::less<>, CountedMemory<std::pair<const Key, T>>>;

struct Row4 {  ///< a row of the result; intervals do not use `low` and `high`
  std::int64_t first = 0, second = 0;
  double low = 0, high = 0;
  const Key* key = nullptr;
};

struct Table : sqlite3_vtab {
  sqlite3* db = nullptr;
  const Shape* shape = nullptr;
};

struct Cursor : sqlite3_vtab_cursor {
  ByKey<List<Interval>> intervals;
  ByKey<List<double>> values;
  List<Row4> rows;
  std::size_t at = 0;
};

/// An invalid argument, described for the author of the statement.
using Refusal = std::invalid_argument;

int fail(sqlite3_vtab* vtab, const std::string& sentence) {
  sqlite3_free(vtab->zErrMsg);
  vtab->zErrMsg = sqlite3_mprintf("%s", sentence.c_str());
  return SQLITE_ERROR;
}

template <class Body>
int guarded(sqlite3_vtab* vtab, Body&& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception& error) {
    return fail(vtab, error.what());
  }
}

Key key_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return static_cast<std::int64_t>(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_NULL:
      return std::monostate{};
    default: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      return text == nullptr ? Text() : Text(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    }
  }
}

/// Prepares a statement passed to a table function, on the calling connection.
sqlite::Statement prepare(const Table& table, const std::string& sql, int least, int most) {
  StatementError problem;
  sqlite::Statement statement(prepare_one(table.db, sql, problem));
  const std::string name = table.shape->name;
  if (!statement.ok()) {
    const int offset = problem.sentence.empty() ? error_offset(table.db) : -1;
    if (problem.sentence.empty()) problem.sentence = sqlite3_errmsg(table.db);
    throw Refusal(fmt::format("in the statement given to {}: {}{}", name, problem.sentence,
                              offset >= 0 ? " near '" + sql.substr(static_cast<std::size_t>(offset), 20) + "'" : ""));
  }
  if (statement.columns() < least || statement.columns() > most) {
    throw Refusal(fmt::format("the statement given to {} has {} columns; expected {}", name, statement.columns(),
                              least == 1 ? "a number and perhaps a key" : "start, end and perhaps a key"));
  }
  return statement;
}

/// Reports why a statement ended early; an external stop stays a stop.
void check_end(const Table& table, const sqlite::Statement& statement) {
  if (statement.failed()) throw Refusal(sqlite3_errmsg(table.db));
}

bool has_key(const sqlite::Statement& statement, int columns_before) { return statement.columns() > columns_before; }

/// Unions by key; without a key, that of no rows.
ByKey<List<Interval>> unions_of(const Table& table, sqlite::Statement& statement) {
  ByKey<List<Interval>> all;
  while (statement.step()) {
    for (const int c : {0, 1}) {
      if (!statement.is_integer(c))
        throw Refusal(
            fmt::format("the statement given to {} has a {} that is not a whole number; leave such rows out with WHERE "
                        "... IS NOT NULL",
                        std::string(table.shape->name), c == 0 ? "start" : "end"));
    }
    const Key key = has_key(statement, 2) ? key_of(statement.handle(), 2) : Key{};
    all[key].push_back({statement.integer(0), statement.integer(1)});
  }
  check_end(table, statement);
  for (auto& [key, intervals] : all) {
    // In place; `merge` would copy what is not sorted.
    sort_within_limits(intervals, [](const Interval& a, const Interval& b) { return a.start < b.start; });
    const Intervals united = merge(intervals);
    intervals.assign(united.begin(), united.end());
  }
  return all;
}

std::string text_of(sqlite3_value* value) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

void make_intervals(const Table& table, Cursor& cursor, sqlite3_value** arguments) {
  sqlite::Statement first = prepare(table, text_of(arguments[0]), 2, 3);
  const bool keyed = has_key(first, 2);
  cursor.intervals = unions_of(table, first);
  if (table.shape->statements > 1) {
    sqlite::Statement second = prepare(table, text_of(arguments[1]), 2, 3);
    const bool by_key = has_key(second, 2);
    if (by_key && !keyed)
      throw Refusal(std::string(table.shape->name) + ": the second statement has a key but the first has none");
    const ByKey<List<Interval>> others = unions_of(table, second);
    for (auto& [key, intervals] : cursor.intervals) {
      sqlite::Budget::check();
      const auto at = others.find(by_key ? key : Key{});
      const std::span<const Interval> other = at == others.end() ? std::span<const Interval>() : at->second;
      const Intervals rest =
          table.shape->kind == Kind::kIntersect ? intersect(intervals, other) : subtract(intervals, other);
      intervals.assign(rest.begin(), rest.end());
    }
  }
  for (const auto& [key, intervals] : cursor.intervals) {
    for (const Interval& i : intervals) cursor.rows.push_back({i.start, i.end, 0, 0, &key});
  }
}

void make_histogram(const Table& table, Cursor& cursor, sqlite3_value** arguments) {
  constexpr std::int64_t kMax = 100000;
  const std::int64_t bins = sqlite3_value_int64(arguments[1]);
  if (bins < 1 || bins > kMax) throw Refusal("histogram takes 1 to 100000 bins");
  sqlite::Statement statement = prepare(table, text_of(arguments[0]), 1, 2);
  while (statement.step()) {
    const int type = sqlite3_column_type(statement.handle(), 0);
    if (type == SQLITE_NULL) continue;
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
      throw Refusal("the statement given to histogram has a value that is not a number: '" +
                    std::string(statement.text(0)) + "'");
    const Key key = has_key(statement, 1) ? key_of(statement.handle(), 1) : Key{};
    cursor.values[key].push_back(sqlite3_column_double(statement.handle(), 0));
  }
  check_end(table, statement);
  double low = INFINITY, high = -INFINITY;  // one scale for all keys, so that they are comparable
  for (const auto& [key, values] : cursor.values) {
    for (const double v : values) {
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  const double step = (high - low) / static_cast<double>(bins);
  for (const auto& [key, values] : cursor.values) {
    sqlite::Budget::check();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
    for (const double v : values) {
      const double place = step > 0 ? (v - low) / step : 0;
      ++counts[std::min(static_cast<std::size_t>(place), counts.size() - 1)];
    }
    for (std::size_t b = 0; b < counts.size(); ++b) {
      const double from = low + static_cast<double>(b) * step;
      cursor.rows.push_back({static_cast<std::int64_t>(b), counts[b], from,
                             b + 1 == counts.size() ? high : low + static_cast<double>(b + 1) * step, &key});
    }
  }
}

int connect(sqlite3* db, void* shape, int, const char* const*, sqlite3_vtab** out, char**) {
  auto table = std::make_unique<Table>();
  table->db = db;
  table->shape = static_cast<const Shape*>(shape);
  const int outcome = sqlite3_declare_vtab(db, table->shape->declaration);
  if (outcome == SQLITE_OK) *out = table.release();
  return outcome;
}

int disconnect(sqlite3_vtab* vtab) {
  delete static_cast<Table*>(vtab);
  return SQLITE_OK;
}

/// Prepares statements passed as literals, so that their errors and references are known before anything runs.
void check_statement(const Table& table, sqlite3_index_info* info, int constraint, int argument) {
  if (argument >= table.shape->statements || !kLiteralsAreSeen) return;
  sqlite3_value* const value = literal_of(info, constraint);
  if (value == nullptr) {
    throw Refusal(std::string(table.shape->name) +
                  " takes a statement as one literal text: 'SELECT start, end FROM kernels'");
  }
  const bool values = table.shape->kind == Kind::kHistogram;
  static_cast<void>(prepare(table, text_of(value), values ? 1 : 2, values ? 2 : 3));
}

int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  return guarded(vtab, [&] {
    const Table& table = *static_cast<Table*>(vtab);
    int given = 0;
    for (int c = 0; c < info->nConstraint; ++c) {
      const auto& constraint = info->aConstraint[c];
      const int argument = constraint.iColumn - table.shape->columns;
      if (argument < 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
      if (!constraint.usable) return SQLITE_CONSTRAINT;
      check_statement(table, info, c, argument);
      info->aConstraintUsage[c].argvIndex = argument + 1;
      info->aConstraintUsage[c].omit = 1;
      ++given;
    }
    if (given != table.shape->arguments) {
      throw Refusal(fmt::format("{} takes {}{}", std::string(table.shape->name), table.shape->arguments,
                                table.shape->arguments == 1 ? " argument" : " arguments"));
    }
    constexpr double kCost = 1e6, kRows = 1000;
    info->estimatedCost = kCost;
    info->estimatedRows = static_cast<sqlite3_int64>(kRows);
    return SQLITE_OK;
  });
}

int open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  *out = new (std::nothrow) Cursor();
  return *out == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int, sqlite3_value** arguments) {
  return guarded(base->pVtab, [&] {
    Cursor& cursor = *static_cast<Cursor*>(base);
    const Table& table = *static_cast<Table*>(base->pVtab);
    cursor.intervals.clear();
    cursor.values.clear();
    cursor.rows.clear();
    cursor.at = 0;
    table.shape->kind == Kind::kHistogram ? make_histogram(table, cursor, arguments)
                                          : make_intervals(table, cursor, arguments);
    return SQLITE_OK;
  });
}

int next(sqlite3_vtab_cursor* base) {
  ++static_cast<Cursor*>(base)->at;
  return SQLITE_OK;
}

int eof(sqlite3_vtab_cursor* base) {
  const Cursor& cursor = *static_cast<Cursor*>(base);
  return cursor.at >= cursor.rows.size() ? 1 : 0;
}

struct GiveKey {
  sqlite3_context* to;
  void operator()(std::monostate) const { sqlite3_result_null(to); }
  void operator()(std::int64_t value) const { sqlite3_result_int64(to, value); }
  void operator()(double value) const { sqlite3_result_double(to, value); }
  void operator()(const Text& value) const {
    sqlite3_result_text64(to, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
};

int column(sqlite3_vtab_cursor* base, sqlite3_context* to, int number) {
  const Cursor& cursor = *static_cast<Cursor*>(base);
  const Shape& shape = *static_cast<Table*>(base->pVtab)->shape;
  const Row4& row = cursor.rows[cursor.at];
  const bool histogram = shape.kind == Kind::kHistogram;
  if (number == shape.columns - 1) {
    std::visit(GiveKey{to}, *row.key);
  } else if (number == 0) {
    sqlite3_result_int64(to, row.first);
  } else if (histogram && number < 3) {
    sqlite3_result_double(to, number == 1 ? row.low : row.high);
  } else if (number == 1 || (histogram && number == 3)) {
    sqlite3_result_int64(to, row.second);
  } else if (number == 2) {
    sqlite3_result_int64(to, row.second - row.first);
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  *out = static_cast<sqlite3_int64>(static_cast<Cursor*>(base)->at);
  return SQLITE_OK;
}

/// Without xCreate: a table function, not a table to create.
sqlite3_module make_module() {
  sqlite3_module module{};
  module.xConnect = &connect;
  module.xBestIndex = &best_index;
  module.xDisconnect = &disconnect;
  module.xOpen = &open;
  module.xClose = &close;
  module.xFilter = &filter;
  module.xNext = &next;
  module.xEof = &eof;
  module.xColumn = &column;
  module.xRowid = &row_id;
  return module;
}

const sqlite3_module kFunctionModule = make_module();

}  // namespace
}  // namespace table_functions

bool add_table_functions(sqlite3* db) {
  using namespace table_functions;
  for (const Shape& shape : kShapes) {
    if (sqlite3_create_module_v2(db, shape.name, &kFunctionModule, const_cast<Shape*>(&shape), nullptr) != SQLITE_OK)
      return false;
  }
  // SQLite declares such tables when they are first named and asks the authorizer; it is permitted now.
  for (const char* name :
       {"interval_union", "interval_intersect", "interval_subtract", "histogram", "json_each", "json_tree"}) {
    sqlite3_stmt* unused = nullptr;
    sqlite3_prepare_v2(db, ("SELECT * FROM " + std::string(name)).c_str(), -1, &unused, nullptr);
    sqlite3_finalize(unused);
  }
  return true;
}

}  // namespace assay::query
