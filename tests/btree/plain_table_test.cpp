// What CREATE TABLE declares, told without SQLite, is what SQLite tells.
#include "formats/btree/plain_table.hpp"

#include "databases.hpp"
#include "sqlite/database.hpp"
#include "support/test.hpp"

namespace assay::load::btree::plain_table_test {

/// As SQLite tells it; empty where it does not take the statement.
std::vector<DeclaredColumn> columns_by_sqlite(sqlite3* db, const std::string& table) {
  std::vector<DeclaredColumn> columns;
  sqlite::Statement rows(db, "PRAGMA table_info(" + sqlite::quoted(table) + ")");
  while (rows.step()) columns.push_back({rows.name(1), rows.name(2), rows.integer(3) != 0, rows.integer(5) != 0});
  return columns;
}

void expect_same_layout(sqlite3* db, const std::string& table, const TableLayout& plain) {
  const Outcome<TableLayout> layout = describe_table(db, table);
  const auto* told = std::get_if<TableLayout>(&layout);
  ASSERT_NE(told, nullptr) << table;
  ASSERT_EQ(plain.columns.size(), told->columns.size()) << table;
  EXPECT_EQ(plain.root_page, told->root_page) << table;
  for (std::size_t c = 0; c < plain.columns.size(); ++c) {
    const ColumnLayout &a = plain.columns[c], &b = told->columns[c];
    EXPECT_EQ(a.name, b.name) << table;
    EXPECT_EQ(a.is_row_id, b.is_row_id) << table << "." << a.name;
    EXPECT_EQ(a.is_real, b.is_real) << table << "." << a.name;
    EXPECT_EQ(a.is_text, b.is_text) << table << "." << a.name;
    EXPECT_EQ(a.never_null, b.never_null) << table << "." << a.name;
    EXPECT_EQ(a.in_record, b.in_record) << table << "." << a.name;
  }
}

/// Whatever is told without SQLite must be what it tells; true when it is told.
bool is_told(sqlite3* db, const std::string& table, const std::string& sql, std::uint32_t root) {
  const auto plain = plain_columns(sql, table);
  if (!plain) return false;
  EXPECT_EQ(*plain, columns_by_sqlite(db, table)) << sql;
  if (const auto layout = plain_layout(*plain, root)) expect_same_layout(db, table, *layout);
  return true;
}

sqlite::Database memory() {
  auto db = sqlite::open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  EXPECT_TRUE(db.ok());
  return std::move(*db);
}

/// Makes the table as SQLite takes it, which keeps the text in its list.
bool is_told(const std::string& sql, const std::string& table) {
  const sqlite::Database db = memory();
  const bool made = sqlite3_exec(db.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  if (!made) {
    EXPECT_EQ(plain_columns(sql, table), std::nullopt) << "SQLite refuses " << sql;
    return false;
  }
  return is_told(db.get(), table, sql, 2);
}

TEST(PlainTable, IsToldAsSqliteTellsIt) {
  EXPECT_TRUE(is_told("CREATE TABLE t(a INTEGER)", "t"));
  EXPECT_TRUE(
      is_told("CREATE TABLE t (\n  -- Of strings, (not) all.\n\n  id INTEGER NOT NULL PRIMARY KEY, -- ID's 'text'\n"
              "  value TEXT NOT NULL -- last\n)",
              "t"));
  EXPECT_TRUE(is_told("CREATE TABLE t(a,b TEXT,c REAL,d FLOAT,e DOUBLE NOT NULL,f BLOB,g BIGINT,h INT)", "t"));
  EXPECT_TRUE(is_told("CREATE TABLE t(start INTEGER, end INTEGER, id INTEGER PRIMARY KEY NOT NULL)", "t"));
  EXPECT_TRUE(is_told("CREATE TABLE t(a INT PRIMARY KEY, b TEXT)", "t")) << "its columns, but not where its rows stand";
  EXPECT_TRUE(is_told("CREATE TABLE t(rowid INTEGER, oid TEXT, _rowid_ REAL)", "t"));
  EXPECT_EQ(plain_layout({{"a", "INT", false, true}}, 2), std::nullopt);
  EXPECT_EQ(plain_layout({{"rowid", "INT"}, {"OID", "INT"}, {"_rowid_", "INT"}}, 2), std::nullopt);
}

TEST(PlainTable, AllElseIsLeftToSqlite) {
  const std::string before = "CREATE TABLE t", nul("CREATE TABLE t(a INTEGER\0, b TEXT)", 33);
  for (const std::string& sql : {
           before + "(a INTEGER) WITHOUT ROWID",
           before + "(a INTEGER) STRICT",
           before + "(a INTEGER, a TEXT)",
           before + "(a INTEGER, A TEXT)",
           before + "(a INTEGER PRIMARY KEY, b INTEGER PRIMARY KEY)",
           before + "(a INTEGER PRIMARY KEY DESC)",
           before + "(a INTEGER PRIMARY KEY AUTOINCREMENT)",
           before + "(a INTEGER, PRIMARY KEY(a))",
           before + "(a INTEGER DEFAULT 3)",
           before + "(a INTEGER NOT NULL DEFAULT 3)",
           before + "(a INTEGER CHECK(a > 0))",
           before + "(a INTEGER GENERATED ALWAYS AS (1))",
           before + "(a INTEGER AS (1))",
           before + "(a VARCHAR(10))",
           before + "(a integer)",
           before + "(a UNSIGNED BIG INT)",
           before + "(a INTEGER COLLATE NOCASE)",
           before + "(a INTEGER UNIQUE)",
           before + "(a INTEGER REFERENCES u(a))",
           before + "(\"a b\" INTEGER)",
           before + "([a] INTEGER)",
           before + "(`a` INTEGER)",
           before + "(a INTEGER /* c */)",
           before + "(a INTEGER,)",
           before + "(a INTEGER,,b TEXT)",
           before + "()",
           before + "(a INTEGER",
           before + "(a INTEGER))",
           before + "(a INTEGER);",
           before + "(a INTEGER NOT)",
           before + "(a INTEGER NULL)",
           before + "(a INTEGER NOT NULL NOT NULL)",
           before + "(select INTEGER)",
           before + "(key INTEGER)",
           before + "(a INTE,GER)",
           before + "(a INTEGER b TEXT)",
           before + "(a INTEGER \xC3\xA9)",
           before + "(a INTEGER -- \x01\n)",
           before + "(a INTEGER -- \xC3\n)",
           before + " AS SELECT 1",
           before + "(1 INTEGER)",
           before + "(a$ INTEGER)",
           before + "(a INTEGER - b)",
           std::string("CREATE TEMP TABLE t(a)"),
           std::string("create table t(a)"),
           std::string("CREATE TABLE IF NOT EXISTS t(a)"),
           std::string("CREATE TABLE main.t(a)"),
           std::string("CREATE TABLE u(a)"),
           std::string("CREATE VIRTUAL TABLE t USING x(a)"),
           std::string("CREATE TABLE"),
           std::string(),
           nul,
       }) {
    EXPECT_FALSE(is_told(sql, "t")) << sql;
  }
  std::string wide = before + "(c0";
  for (int c = 1; c < 501; ++c) wide += ", c" + std::to_string(c);
  EXPECT_FALSE(is_told(wide + ")", "t"));
}

/// One byte of a sound statement changed to any other: it is left to SQLite, or told as SQLite tells it.
TEST(PlainTable, DamagedTextIsNeverToldOtherwise) {
  const std::string sound = "CREATE TABLE t(id INTEGER NOT NULL PRIMARY KEY, -- key\n end TEXT, x REAL)";
  std::size_t told = 0;
  for (std::size_t at = 0; at < sound.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string damaged = sound;
      damaged[at] = static_cast<char>(byte);
      if (plain_columns(damaged, "t")) told += is_told(damaged, "t") ? 1U : 0U;
    }
  }
  EXPECT_GT(told, sound.size()) << "letters of names, and comments";
}

TEST(PlainTable, TablesOfRealFilesAreToldAsSqliteTellsThem) {
  std::size_t files = 0, tables = 0, told = 0;
  for (const fs::path& file : btree_test::real_databases()) {
    const auto db = sqlite::open_immutable(file);
    if (!db) continue;
    ++files;
    sqlite::Statement rows(db->get(), "SELECT name, sql, rootpage FROM sqlite_schema WHERE type = 'table'");
    while (rows.step()) {
      ++tables;
      told += is_told(db->get(), std::string(rows.text(0)), std::string(rows.text(1)),
                      static_cast<std::uint32_t>(rows.integer(2)))
                  ? 1U
                  : 0U;
    }
  }
  if (files == 0) GTEST_SKIP() << "SKIPPED: set ASSAY_DATA/h200 and others to folders of exports";
  EXPECT_GT(told, tables * 9 / 10) << "of " << tables << " tables in " << files << " files";
}

}  // namespace assay::load::btree::plain_table_test
