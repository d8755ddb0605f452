#include "formats/sqlite/schema.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "formats/btree/plain_table.hpp"
#include "formats/btree/table_list.hpp"

namespace assay::load {

bool TableInfo::has(std::string_view column) const { return std::ranges::find(columns, column) != columns.end(); }

std::string_view TableInfo::misspelt(std::string_view column) const {
  if (has(column)) return {};
  const auto like = std::ranges::find_if(columns, [&](const std::string& other) {
    if (other.size() != column.size()) return false;
    std::size_t differing = 0;
    for (std::size_t i = 0; i < column.size(); ++i) differing += other[i] != column[i] ? 1U : 0U;
    return differing == 1;
  });
  return like == columns.end() ? std::string_view() : std::string_view(*like);
}

TableInfo list_of_tables() {
  constexpr std::uint32_t kFirstPage = 1;
  TableInfo list{"sqlite_schema", {}, {}, btree::TableLayout{kFirstPage, {}}};
  for (const char* text : {"type", "name", "tbl_name", "rootpage", "sql"}) {
    list.columns.emplace_back(text);
    list.layout->columns.push_back({.name = text, .is_text = list.columns.back() != "rootpage"});
  }
  return list;
}

namespace {

using SchemaEntry = btree::ListedObject;

bool is_virtual(const SchemaEntry& row) { return row.type == "table" && row.sql.starts_with("CREATE VIRTUAL"); }

bool is_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The table name in a CREATE statement, if that table is one that is read.
std::string read_table_in(std::string_view sql, const SchemaRules& rules) {
  constexpr std::size_t kNear = 160;  // characters after CREATE TABLE IF NOT EXISTS, allowing for a uuid in the name
  const std::string_view near = sql.substr(0, kNear);
  for (std::size_t at = 0; at < near.size();) {
    if (!is_identifier(near[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < near.size() && is_identifier(near[end])) ++end;
    const std::string_view word = near.substr(at, end - at);
    if (rules.is_own(word) && rules.read_table(word) == word) return std::string(word);
    at = end;
  }
  return {};
}

/// The table that a row is about, if it is one that is read, from any of the three fields that name it; otherwise the
/// name in the row.
std::string subject_of(const SchemaEntry& row, const SchemaRules& rules) {
  for (const std::string_view name : {std::string_view(row.name), std::string_view(row.table)}) {
    if (std::string read = rules.read_table(name); !read.empty()) return read;
  }
  const std::string made = row.type == "index" ? std::string() : read_table_in(row.sql, rules);
  return made.empty() ? row.name : made;
}

/// The damage in the row itself; empty: none.
std::string damage_of(const SchemaEntry& row, const std::vector<std::string>& columns, const SchemaRules& rules) {
  if (row.type == "trigger" || (row.type == "view" && rules.may_be_view(row.name))) return {};
  if (row.type == "view" || is_virtual(row)) {
    if (!rules.is_own_in_any_case(row.name)) return {};
    return fmt::format("it is a {}, but {} writes a table", is_virtual(row) ? "virtual table" : "view", rules.writer);
  }
  if (row.type == "table" && rules.is_own_in_any_case(row.name) && !rules.is_own(row.name))
    return fmt::format("it is called '{}', but {} writes it in different case", row.name, rules.writer);
  if (row.type != "table" && row.type != "index") return "its row in the list of tables is of an unknown kind";
  constexpr std::int64_t kMaxPages = 0xFFFFFFFE;
  if (!row.has_root || row.root < 1 || row.root > kMaxPages) return "its row in the list of tables names no page";
  if (row.type == "index") return {};
  if (row.name != row.table) return fmt::format("its row in the list of tables calls it '{}' too", row.table);
  if (columns.empty()) return "the text that describes its columns is damaged";
  return {};
}

/// A part of a CREATE statement that no profiler writes; empty: none. SQLite accepts any byte above 0x7F as a letter,
/// and takes a word after a lost comma for a column.
std::string odd_text_of(const SchemaEntry& row, const std::vector<std::string>& columns) {
  const auto odd = [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c > 0x7E; };
  if (std::ranges::any_of(row.sql, odd)) return "it holds bytes that are not plain text";
  for (const std::string_view word : {"INTEGER", "TEXT", "REAL", "BLOB", "NOT", "NULL"}) {
    if (std::ranges::find(columns, word) != columns.end()) return fmt::format("it has a column of the name {}", word);
  }
  return {};
}

/// Column names, and the first invalid type: a comma inside INTEGER splits off a column and shifts all later ones.
struct TableDescription {
  std::vector<std::string> columns = {};
  std::string odd_type = {};
  std::optional<btree::TableLayout> layout = {};
};

bool is_type(std::string_view type, const SchemaRules& rules) {
  constexpr std::string_view kTypes[] = {"",     "INTEGER", "INT",    "BIGINT",  "TEXT",
                                         "REAL", "FLOAT",   "DOUBLE", "NUMERIC", "BLOB"};
  const std::string_view word = type.substr(0, type.find_first_of(" ("));
  const auto same = [&](std::string_view known) { return sqlite::same_name(word, known); };
  return std::ranges::any_of(kTypes, same) || std::ranges::any_of(rules.types, same);
}

TableDescription describe(const Connection& db, const std::string& table, const SchemaRules& rules) {
  TableDescription described;
  sqlite::Statement columns(db.handle(), "PRAGMA table_info(" + sqlite::quoted(table) + ")");
  while (columns.step()) {
    described.columns.emplace_back(columns.text(1));
    if (described.odd_type.empty() && !is_type(columns.text(2), rules)) described.odd_type = columns.text(2);
  }
  if (columns.failed()) described.columns.clear();
  return described;
}

using Plain = std::map<std::string, std::vector<btree::DeclaredColumn>, std::less<>>;

/// The columns of all tables if the list has only plainly written tables, each once and with a root page of its own:
/// then no SQL statement per table is needed. Otherwise empty, and SQLite interprets the list.
std::optional<Plain> all_plain(const std::vector<SchemaEntry>& rows, const btree::PageFile* pages) {
  Plain all;
  std::set<std::string> names;
  for (const SchemaEntry& row : rows) {
    const bool has_page = pages != nullptr && row.has_root && row.root > 1 && row.root <= pages->page_count();
    std::string name = row.name;
    std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    if (row.type != "table" || row.name != row.table || !has_page || !names.insert(name).second) return std::nullopt;
    auto columns = btree::plain_columns(row.sql, row.name);
    if (!columns) return std::nullopt;
    all.emplace(row.name, std::move(*columns));
  }
  return all;
}

TableDescription described(const std::vector<btree::DeclaredColumn>& columns, std::int64_t root) {
  TableDescription made;
  for (const btree::DeclaredColumn& column : columns) made.columns.push_back(column.name);
  made.layout = btree::plain_layout(columns, static_cast<std::uint32_t>(root));
  return made;
}

/// The rows of sqlite_schema in file order, up to the first unreadable one.
std::vector<SchemaEntry> listed(sqlite::Statement& rows) {
  std::vector<SchemaEntry> all;
  while (rows.step()) {
    all.push_back({std::string(rows.text(0)), std::string(rows.text(1)), std::string(rows.text(2)),
                   std::string(rows.text(3)), rows.integer(4), rows.is_integer(4)});
  }
  return all;
}

/// The rows of sqlite_schema, and the columns of all tables if `all_plain` finds them. `failure`: why SQLite could not
/// read the list to its end; empty: it could.
struct TableList {
  std::vector<SchemaEntry> rows = {};
  std::optional<Plain> plain = {};
  std::string failure = {};
};

TableList read_list(const Connection& db, const btree::PageFile* pages) {
  std::optional<std::vector<SchemaEntry>> direct = pages != nullptr ? btree::read_table_list(*pages) : std::nullopt;
  if (direct) {
    if (std::optional<Plain> plain = all_plain(*direct, pages)) return {std::move(*direct), std::move(plain), {}};
  }
  sqlite::Statement rows(db.handle(), "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema");
  TableList list{listed(rows)};
  if (rows.failed())
    list.failure = db.problem();
  else if (!direct)
    list.plain = all_plain(list.rows, pages);
  return list;
}

void note_odd_text(const SchemaEntry& row, const TableDescription& table, std::vector<Issue>& issues) {
  std::string odd = odd_text_of(row, table.columns);
  if (odd.empty() && !table.odd_type.empty()) odd = fmt::format("it has a column of the type {}", table.odd_type);
  if (odd.empty()) return;
  issues.push_back({"damaged_schema", Severity::kError, 0,
                    fmt::format("The text that describes the columns of {} is damaged: {}; copy or export the file "
                                "again.",
                                row.name, odd)});
}

using DamagedTables = std::vector<std::pair<std::string, std::string>>;  // table, why

/// Adds the tables that claim one page to `damaged`.
void check_claims(const btree::PageFile& pages, const std::vector<btree::TreeRoot>& roots, DamagedTables& damaged,
                  std::vector<Issue>& issues) {
  const btree::PageCensus census = btree::census_of(pages, roots);
  if (census.orphaned) {
    issues.push_back(
        {"damaged_pages", Severity::kError, 0,
         fmt::format(
             "Page {} holds rows that belong to no table, so some table lacks them; copy or export the file again.",
             *census.orphaned)});
  }
  for (const btree::SharedPage& shared : census.shared) {
    for (const std::string& table : {shared.first, shared.second})
      damaged.emplace_back(
          table, fmt::format("page {} is claimed twice, by {} and by {}", shared.page, shared.first, shared.second));
  }
}

}  // namespace

Result<Schema> Schema::read(const Connection& db, const btree::PageFile* pages, const SchemaRules& rules,
                            std::vector<Issue>& issues) {
  Schema schema;
  const auto is_read = [&](const std::string& table) { return rules.read_table(table) == table; };
  DamagedTables damaged;
  std::vector<btree::TreeRoot> roots;
  const auto& [list, plain, failure] = read_list(db, pages);
  for (const SchemaEntry& row : list) {
    const bool table = row.type == "table" && !is_virtual(row);
    TableDescription description = plain   ? described(plain->find(row.name)->second, row.root)
                                   : table ? describe(db, row.name, rules)
                                           : TableDescription();
    if (std::string why = damage_of(row, description.columns, rules); !why.empty()) {
      damaged.emplace_back(subject_of(row, rules), std::move(why));
    } else if (table || row.type == "index") {
      roots.push_back({row.type == "index" ? row.table : row.name, static_cast<std::uint32_t>(row.root)});
    }
    if (table && is_read(row.name)) note_odd_text(row, description, issues);
    if (table)
      schema.tables_.emplace(
          row.name, TableInfo{row.name, std::move(description.columns), rules.writer, std::move(description.layout)});
  }
  if (!failure.empty()) {
    return Error{fmt::format("the list of tables is damaged after {} of them ({}), so it is unknown which exist",
                             schema.tables_.size(), failure),
                 Exit::kFailed}
        .advise("copy or export the file again");
  }
  if (pages != nullptr) check_claims(*pages, roots, damaged, issues);
  for (const auto& [table, why] : damaged) {
    if (is_read(table)) {
      return Error{fmt::format("table {} exists but cannot be read: {}", table, why), Exit::kFailed}.advise(
          "copy or export the file again");
    }
    issues.push_back({"damaged_schema", Severity::kError, 0,
                      fmt::format("Table {}, which is not needed, is damaged: {}; other parts of the file may be "
                                  "damaged too, copy or export it again.",
                                  table, why)});
  }
  return schema;
}

const TableInfo* Schema::find(std::string_view table) const {
  const auto found = tables_.find(table);
  return found == tables_.end() || found->second.columns.empty() ? nullptr : &found->second;
}

std::vector<std::string> Schema::names() const {
  std::vector<std::string> names;
  for (const auto& [name, info] : tables_) names.push_back(name);
  return names;
}

bool Schema::has_any(bool (*is_one)(std::string_view)) const {
  return std::ranges::any_of(tables_, [&](const auto& entry) { return is_one(entry.first); });
}

}  // namespace assay::load
