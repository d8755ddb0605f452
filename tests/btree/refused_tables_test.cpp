// Tables whose kind is refused, and rows that contradict what their table says of itself.
#include "refused.hpp"

namespace assay::btree_test::refused_tables_test {

TEST_F(Refusals, RejectsNonTables) {
  make(
      "CREATE TABLE t (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1));"
      "CREATE TABLE stored (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1) STORED);"
      "CREATE VIEW v AS SELECT a FROM t; CREATE INDEX i ON t (a)");
  for (const char* name : {"nothing", "v", "i", "t", "stored", ""}) {
    SCOPED_TRACE(name);
    expect(Reason::kLayout, name);
  }
}

TEST_F(Refusals, VirtualTables) {
  make(
      "CREATE TABLE t (a INTEGER); PRAGMA writable_schema = ON;"
      "INSERT INTO sqlite_master VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING dbstat')");
  expect(Reason::kLayout, "v");
}

TEST_F(Refusals, TablesWithoutRowIds) {
  make(
      "CREATE TABLE events (a INTEGER PRIMARY KEY, b TEXT) WITHOUT ROWID; INSERT INTO events VALUES (1, 'x');"
      "CREATE TABLE shadowed (rowid INTEGER, oid INTEGER, _rowid_ INTEGER)");
  expect(Reason::kWithoutRowId);
  expect(Reason::kWithoutRowId, "shadowed");
}

TEST_F(Refusals, RootsThatAreIndexes) {
  make(
      "CREATE TABLE events (a INTEGER, b TEXT); CREATE INDEX i ON events (a); PRAGMA writable_schema = ON;"
      "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'i') WHERE name = "
      "'events'");
  expect(Reason::kWithoutRowId);
}

TEST_F(Refusals, RealColumns) {
  make(
      "CREATE TABLE events (a INTEGER, b REAL, c DOUBLE PRECISION, d float, e POINT, f CHARREAL);"
      "INSERT INTO events VALUES (1, 2, 3, 4, 5, 6)");
  expect_read();
  const auto layout = std::get<TableLayout>(describe_table(open_database(file_, true).get(), "events"));
  std::vector<bool> real;
  for (const auto& column : layout.columns) real.push_back(column.is_real);
  EXPECT_EQ(real, (std::vector<bool>{false, true, true, true, false, false}));
  auto scan = std::get<TableScan>(TableScan::plan(std::get<PageFile>(PageFile::open(file_)), layout));
  const auto read = scan.read(std::vector<WantedColumn>{{1}}, 0, {.in_order = [](const RowBatch&) { FAIL(); }});
  EXPECT_EQ(std::get<Refusal>(read).reason, Reason::kRealColumn);
}

/// The text that describes a table lost a column, so that all behind it would be read as their neighbours.
TEST_F(Refusals, MoreValuesThanColumns) {
  make(
      "CREATE TABLE events (a INTEGER, b INTEGER, c INTEGER); INSERT INTO events VALUES (1, 2, 3);"
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'b INTEGER, ', '')");
  expect(Reason::kRecord);
}

/// SQLite reads past it: the row of another table looks like one of this.
TEST_F(Refusals, AValueInThePlaceOfTheRowId) {
  make("CREATE TABLE names (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO names VALUES (7, 'seven')");
  expect_read("names");
  change([this](Bytes& bytes) {
    const std::size_t leaf = root("names"), cell = leaf + big_endian(bytes, leaf + 8, 2);
    ASSERT_EQ(bytes[cell + 3], 0) << "the type of NULL behind the sizes of record and header and the row id";
    bytes[cell + 3] = 9;
  });
  expect(Reason::kRecord, "names");
}

/// SQLite demands it on writing alone.
TEST_F(Refusals, NoValueWhereTheTableDemandsOne) {
  make("CREATE TABLE events (a INTEGER NOT NULL, b INTEGER); INSERT INTO events VALUES (1, 1), (0, NULL)");
  expect_read();
  change([this](Bytes& bytes) {
    const std::size_t leaf = root(), cell = leaf + big_endian(bytes, leaf + 8, 2);
    ASSERT_EQ(bytes[cell + 3], 9) << "the type of 1 behind the sizes of record and header and the row id";
    bytes[cell + 3] = 0;
  });
  expect(Reason::kRecord);
}

/// A leaf of another table in the place of one: its shorter rows look like those from before a column was added.
TEST_F(Refusals, FewerValuesThanTheTableDemands) {
  make(
      "CREATE TABLE other (a INTEGER); INSERT INTO other VALUES (1), (2);"
      "CREATE TABLE events (a INTEGER, b INTEGER NOT NULL); INSERT INTO events VALUES (1, 2);"
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'events';"
      "UPDATE sqlite_master SET name = 'events', tbl_name = 'events',"
      " sql = 'CREATE TABLE events (a INTEGER, b INTEGER NOT NULL)' WHERE name = 'other'");
  expect(Reason::kRecord);
}

/// The same where no column must have a value: ids that begin anew tell such a leaf from one of old rows.
TEST_F(Refusals, ALeafOfAnotherTableWithFewerColumns) {
  make(
      "CREATE TABLE other (a INTEGER); INSERT INTO other VALUES (1), (2);"
      "CREATE TABLE events (a INTEGER, b INTEGER);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999) INSERT INTO events SELECT i, i "
      "FROM n");
  expect_read();
  change([this](Bytes& bytes) {
    const std::size_t top = root(), second = top + big_endian(bytes, top + 14, 2);
    ASSERT_EQ(bytes[top], 5);
    for (std::size_t i = 0; i < 4; ++i)
      bytes[second + i] = static_cast<unsigned char>(root_page(file_, "other") >> (24 - 8 * i));
  });
  expect(Reason::kPage);
}

/// SQLite turns numbers that are written there into texts.
TEST_F(Refusals, ANumberWhereTheTableHasTexts) {
  make("CREATE TABLE events (a TEXT, b INTEGER); INSERT INTO events VALUES (17, 1), (NULL, 2), (x'00', 3)");
  expect_read();
  change([this](Bytes& bytes) {
    const std::size_t leaf = root(), cell = leaf + big_endian(bytes, leaf + 8, 2);
    ASSERT_EQ(bytes[cell + 3], 17) << "the type of a text of two bytes";
    bytes[cell + 3] = 2;  // a number of as many
  });
  expect(Reason::kRecord);
}

TEST_F(Refusals, ColumnsAddedLater) {
  make(
      "CREATE TABLE events (a INTEGER); INSERT INTO events VALUES (1), (2);"
      "ALTER TABLE events ADD COLUMN b INTEGER DEFAULT 5; INSERT INTO events VALUES (3, 4)");
  expect(Reason::kShortRecord);
  expect_read("events", {"b"});
}

}  // namespace assay::btree_test::refused_tables_test
