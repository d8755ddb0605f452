#include "formats/btree/table_layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "sqlite/database.hpp"

namespace assay::load::btree {
namespace {

/// Runs `sql`, with `table` bound to ?1 if it has a parameter, and passes every row to `visit`; false if SQLite failed.
template <class Visit>
bool for_each_row(sqlite3* db, const std::string& sql, const std::string& table, Visit visit) {
  sqlite::Statement rows(db, sql);
  if (!rows.ok()) return false;
  if (sqlite3_bind_parameter_count(rows.handle()) > 0) rows.bind(1, table);
  while (rows.step()) visit(rows);
  return !rows.failed();
}

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

enum class Affinity { kText, kReal, kOther };

/// SQLite's rules of column affinity (Datatypes In SQLite, section 3.1).
Affinity affinity_of(std::string type) {
  std::transform(type.begin(), type.end(), type.begin(), upper);
  const auto holds = [&type](std::string_view part) { return type.find(part) != std::string::npos; };
  if (holds("INT")) return Affinity::kOther;
  if (holds("CHAR") || holds("CLOB") || holds("TEXT")) return Affinity::kText;
  if (holds("BLOB")) return Affinity::kOther;
  return holds("REAL") || holds("FLOA") || holds("DOUB") ? Affinity::kReal : Affinity::kOther;
}

/// Whether the word WITHOUT occurs anywhere in the CREATE statement. If it does not, the rows have row ids.
bool may_lack_row_ids(std::string_view sql) {
  constexpr std::string_view kWord = "WITHOUT";
  return sql.empty() || std::search(sql.begin(), sql.end(), kWord.begin(), kWord.end(),
                                    [](char a, char b) { return upper(a) == b; }) != sql.end();
}

/// Whether the row ids can be queried: columns may shadow all of their names. `certain`: known to have row ids.
bool has_row_id(sqlite3* db, const std::string& table, const TableLayout& layout, bool certain) {
  for (const char* name : {"rowid", "oid", "_rowid_"}) {
    if (layout.find(name) != layout.columns.size()) continue;
    // In brackets an unknown name is an error; in double quotes SQLite may take it for a string.
    return certain ||
           sqlite::Statement(db, fmt::format("SELECT [{}] FROM {}", std::string(name), sqlite::quoted(table))).ok();
  }
  return false;
}

}  // namespace

std::size_t TableLayout::find(std::string_view column) const {
  const auto same = [](char a, char b) { return upper(a) == upper(b); };
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const ColumnLayout& other) {
    return std::equal(column.begin(), column.end(), other.name.begin(), other.name.end(), same);
  });
  return static_cast<std::size_t>(found - columns.begin());
}

std::size_t TableLayout::fields() const {
  return static_cast<std::size_t>(
      std::count_if(columns.begin(), columns.end(), [](const ColumnLayout& column) { return column.in_record; }));
}

std::size_t TableLayout::row_id() const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [](const ColumnLayout& column) { return column.is_row_id && column.in_record; });
  return static_cast<std::size_t>(found - columns.begin());
}

Outcome<TableLayout> describe_table(sqlite3* db, const std::string& table) {
  const auto refuse = [&table](Reason reason, const char* what) { return Refusal{reason, table + ": " + what}; };
  TableLayout layout;
  int found = 0;
  std::int64_t root = 0;
  bool all_have_row_ids = true;
  const auto set_root = [&](const sqlite::Statement& row) {
    ++found;
    root = row.integer(0);
    all_have_row_ids = all_have_row_ids && !may_lack_row_ids(row.text(1));
  };
  constexpr const char* kRoot =
      "SELECT rootpage, sql FROM sqlite_master WHERE type = 'table' AND name = ?1 COLLATE NOCASE"
      " UNION ALL SELECT 1, 'x' WHERE lower(?1) IN ('sqlite_master', 'sqlite_schema')";
  const bool listed = for_each_row(db, kRoot, table, set_root);
  if (!listed || found != 1) return refuse(Reason::kLayout, "the schema has no such table");
  if (root < 1 || root > std::numeric_limits<std::uint32_t>::max()) {
    return refuse(Reason::kLayout, "it is a virtual table");
  }
  layout.root_page = static_cast<std::uint32_t>(root);

  bool plain = true;
  std::vector<std::size_t> keys;
  const auto add_column = [&](const sqlite::Statement& row) {
    enum { kName = 1, kType, kNotNull, kDefault, kKey, kHidden };  // of PRAGMA table_xinfo
    if (row.integer(kHidden) != 0) plain = false;
    if (row.integer(kKey) != 0) keys.push_back(layout.columns.size());
    const Affinity affinity = affinity_of(row.name(kType));
    const bool no_default = sqlite3_column_type(row.handle(), kDefault) == SQLITE_NULL;
    layout.columns.push_back({.name = row.name(kName),
                              .is_real = affinity == Affinity::kReal,
                              .is_text = affinity == Affinity::kText,
                              .never_null = row.integer(kNotNull) != 0 && no_default});
  };
  if (!for_each_row(db, "PRAGMA table_xinfo(" + sqlite::quoted(table) + ")", table, add_column) ||
      layout.columns.empty())
    return refuse(Reason::kLayout, "its columns cannot be determined");
  if (!plain) return refuse(Reason::kLayout, "it has generated columns");
  if (!has_row_id(db, table, layout, all_have_row_ids))
    return refuse(Reason::kWithoutRowId, "its rows have no row ids");

  if (keys.empty()) return layout;
  bool key_has_index = false;
  const auto note_index = [&](const sqlite::Statement&) { key_has_index = true; };
  constexpr const char* kIndex = "SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk'";
  if (!for_each_row(db, kIndex, table, note_index)) return refuse(Reason::kLayout, "its indexes cannot be determined");
  // In a table with row ids, the only primary key without an index of its own is the row id itself.
  if (!key_has_index) layout.columns[keys.front()].is_row_id = true;
  return layout;
}

}  // namespace assay::load::btree
