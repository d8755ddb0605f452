// Everything unusual is refused, with its reason, and nothing else is.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>

#include "comparison.hpp"
#include "databases.hpp"

namespace assay::btree_test {
namespace {

using namespace load::btree;
namespace fs = std::filesystem;
using Bytes = std::vector<unsigned char>;

constexpr std::size_t kPage = 1024;

class Refused : public ::testing::Test {
 protected:
  const TempFolder folder_;
  const fs::path file_ = folder_ / "a.sqlite";

  void make(const std::string& sql) { make_database(file_, "PRAGMA page_size = 1024;" + sql); }
  void make_events() { make_database(file_, events_sql(kPage, 5000)); }

  void expect(Reason reason, const std::string& table = "events", const std::set<std::string>& left_out = {}) {
    const Comparison result = compare(file_, table, 2, left_out);
    ASSERT_TRUE(result.refusal);
    EXPECT_EQ(result.refusal->reason, reason) << result.refusal->sentence;
    EXPECT_NE(result.refusal->sentence, "");
  }
  void expect_read(const std::string& table = "events", const std::set<std::string>& left_out = {}) {
    const Comparison result = compare(file_, table, 2, left_out);
    EXPECT_FALSE(result.refusal) << result.refusal->sentence;
    EXPECT_EQ(result.difference, "");
  }
  void change(const std::function<void(Bytes&)>& edit) {
    Bytes bytes = read_bytes(file_);
    edit(bytes);
    write_bytes(file_, bytes);
  }
  /// Offset in the file of the root of `table`.
  std::size_t root(const std::string& table = "events") { return (root_page(file_, table) - 1) * kPage; }
  /// Offset in the file of the first leaf of events.
  std::size_t first_leaf(const Bytes& bytes, std::size_t page) {
    while (bytes[page] == 5) page = (big_endian(bytes, page + big_endian(bytes, page + 12, 2), 4) - 1) * kPage;
    return page;
  }
  /// Offset in the file of the first cell of the first leaf of events.
  std::size_t first_cell(const Bytes& bytes, std::size_t page) {
    const std::size_t leaf = first_leaf(bytes, page);
    return leaf + big_endian(bytes, leaf + 8, 2);
  }
  /// PageFile::open alone, where sqlite3 could not open the file either.
  void expect_file(Reason reason) {
    const auto file = PageFile::open(file_);
    ASSERT_TRUE(std::holds_alternative<Refusal>(file));
    EXPECT_EQ(std::get<Refusal>(file).reason, reason) << std::get<Refusal>(file).sentence;
  }
};

TEST_F(Refused, NotWithoutCause) {
  make_events();
  expect_read();
}

TEST_F(Refused, MissingFolderPipe) {
  expect_file(Reason::kUnreadable);
  fs::create_directory(file_);
  expect_file(Reason::kUnreadable);
  fs::remove(file_);
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  expect_file(Reason::kUnreadable);
}

TEST_F(Refused, WhatIsNoDatabase) {
  write_bytes(file_, {});
  expect_file(Reason::kHeader);
  write_bytes(file_, Bytes(5000, 'x'));
  expect_file(Reason::kHeader);
  make_events();
  change([](Bytes& bytes) { bytes.resize(99); });
  expect_file(Reason::kHeader);
}

TEST_F(Refused, HeadersOfNoKnownFormat) {
  make_events();
  const Bytes good = read_bytes(file_);
  const auto with = [&](std::size_t at, unsigned char value) {
    Bytes bytes = good;
    bytes[at] = value;
    write_bytes(file_, bytes);
    expect_file(Reason::kHeader);
  };
  with(16, 0x05);  // page size 0x500
  with(16, 0x00);  // page size 0
  with(18, 3);
  with(19, 3);
  with(21, 65);
  with(47, 5);
  with(47, 0);
}

TEST_F(Refused, LogOrHotJournalBeside) {
  make_events();
  const fs::path log = folder_ / "a.sqlite-wal", journal = folder_ / "a.sqlite-journal";
  write_bytes(log, {1});
  expect_file(Reason::kJournal);
  write_bytes(log, {});
  expect_read();
  write_bytes(journal, {0xd9, 0xd5});
  expect_file(Reason::kJournal);
  write_bytes(journal, {0, 0, 0});
  expect_read();
  fs::create_symlink(file_, folder_ / "link.sqlite");
  write_bytes(log, {1});
  EXPECT_TRUE(std::holds_alternative<Refusal>(PageFile::open(folder_ / "link.sqlite")));
}

TEST_F(Refused, ReservedBytes) {
  const Database db = open_database(file_, false);
  int reserved = 8;
  sqlite3_file_control(db.get(), "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  execute(db.get(), events_sql(kPage, 100));
  expect(Reason::kReservedBytes);
}

TEST_F(Refused, OtherEncodings) {
  for (const char* encoding : {"UTF-16le", "UTF-16be"}) {
    make(std::string("PRAGMA encoding = '") + encoding + "'; CREATE TABLE events (a INTEGER)");
    expect(Reason::kEncoding);
  }
}

TEST_F(Refused, FileSizesThatContradictTheHeader) {
  make_events();
  const Bytes good = read_bytes(file_);
  for (const std::ptrdiff_t by : {-1, -1024, 1, 1024}) {
    Bytes bytes = good;
    bytes.resize(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(good.size()) + by));
    write_bytes(file_, bytes);
    expect_file(Reason::kFileSize);
  }
  write_bytes(file_, good);
  change([](Bytes& bytes) { ++bytes[27]; });  // the change counter
  expect_file(Reason::kFileSize);
}

TEST_F(Refused, DamagedFreeLists) {
  make_events();
  execute(open_database(file_, false).get(), "CREATE TABLE gone AS SELECT * FROM events; DROP TABLE gone");
  expect_read();
  const Bytes good = read_bytes(file_);
  const std::uint32_t trunk = big_endian(good, 32, 4);
  ASSERT_GT(trunk, 0U);
  const std::size_t at = (trunk - 1) * kPage;
  const auto with = [&](std::size_t offset, std::uint32_t value) {
    Bytes bytes = good;
    set_big_endian(bytes, offset, 4, value);
    write_bytes(file_, bytes);
    expect(Reason::kFreeList);
  };
  with(32, 0x7fffffff);
  with(36, 0x7fffffff);
  with(36, 1);
  with(at, trunk);  // a cycle
  with(at + 4, 0xffffffff);
  with(at + 8, trunk);
  with(at + 8, 1);
  Bytes bytes = good;
  set_big_endian(bytes, at + 8, 4, root_page(file_, "events"));
  write_bytes(file_, bytes);
  expect(Reason::kPage);
}

TEST_F(Refused, WhatIsNoTable) {
  make(
      "CREATE TABLE t (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1));"
      "CREATE TABLE stored (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1) STORED);"
      "CREATE VIEW v AS SELECT a FROM t; CREATE INDEX i ON t (a)");
  for (const char* name : {"nothing", "v", "i", "t", "stored", ""}) {
    SCOPED_TRACE(name);
    expect(Reason::kLayout, name);
  }
}

TEST_F(Refused, VirtualTables) {
  make(
      "CREATE TABLE t (a INTEGER); PRAGMA writable_schema = ON;"
      "INSERT INTO sqlite_master VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING dbstat')");
  expect(Reason::kLayout, "v");
}

TEST_F(Refused, TablesWithoutRowIds) {
  make(
      "CREATE TABLE events (a INTEGER PRIMARY KEY, b TEXT) WITHOUT ROWID; INSERT INTO events VALUES (1, 'x');"
      "CREATE TABLE shadowed (rowid INTEGER, oid INTEGER, _rowid_ INTEGER)");
  expect(Reason::kWithoutRowId);
  expect(Reason::kWithoutRowId, "shadowed");
}

TEST_F(Refused, RootsThatAreIndexes) {
  make(
      "CREATE TABLE events (a INTEGER, b TEXT); CREATE INDEX i ON events (a); PRAGMA writable_schema = ON;"
      "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'i') WHERE name = "
      "'events'");
  expect(Reason::kWithoutRowId);
}

TEST_F(Refused, RealColumns) {
  make(
      "CREATE TABLE events (a INTEGER, b REAL, c DOUBLE PRECISION, d float, e POINT, f CHARREAL);"
      "INSERT INTO events VALUES (1, 2, 3, 4, 5, 6)");
  expect_read();
  const auto layout = std::get<TableLayout>(describe_table(open_database(file_, true).get(), "events"));
  std::vector<bool> real;
  for (const auto& column : layout.columns) real.push_back(column.is_real);
  EXPECT_EQ(real, (std::vector<bool>{false, true, true, true, false, false}));
  auto scan = std::get<TableScan>(TableScan::plan(std::get<PageFile>(PageFile::open(file_)), layout));
  std::vector<std::int64_t> values(1);
  const auto read = scan.read(std::vector<ColumnSink>{{1, std::span(values)}});
  EXPECT_EQ(std::get<Refusal>(read).reason, Reason::kRealColumn);
  const auto streamed = scan.stream(std::vector<StreamColumn>{{1}}, 0, [](const RowBatch&) { FAIL(); });
  EXPECT_EQ(std::get<Refusal>(streamed).reason, Reason::kRealColumn);
}

TEST_F(Refused, DamagedTrees) {
  make_events();
  const Bytes good = read_bytes(file_);
  const std::size_t top = root();
  ASSERT_EQ(good[top], 5);
  const std::size_t first_pointer = top + big_endian(good, top + 12, 2);
  const auto with = [&](std::size_t at, std::size_t size, std::uint32_t value, Reason reason = Reason::kPage) {
    SCOPED_TRACE("byte " + std::to_string(at) + " set to " + std::to_string(value));
    Bytes bytes = good;
    set_big_endian(bytes, at, size, value);
    write_bytes(file_, bytes);
    expect(reason);
  };
  const auto root_number = static_cast<std::uint32_t>(top / kPage + 1);
  with(first_pointer, 4, root_number);                   // a cycle
  with(first_pointer, 4, big_endian(good, top + 8, 4));  // a page reached twice
  with(first_pointer, 4, 0);                             // no such page
  with(first_pointer, 4, 0xffffffff);                    // beyond the file
  with(top + 8, 4, static_cast<std::uint32_t>(good.size() / kPage + 1));
  with(first_pointer, 4, 1);                           // the schema's page, not one of this depth
  with(top + 3, 2, 0xffff);                            // more cells than fit
  with(top + 3, 2, 0);                                 // none
  with(top + 3, 2, big_endian(good, top + 3, 2) - 1);  // children that are there and not counted
  with(top + 12, 2, 1023);                             // a cell that begins at the end
  with(top + 12, 2, 3);                                // a cell in the header
  with(top, 1, 13);                                    // a leaf with an interior page's cells
  with(top, 1, 7);
  const std::size_t leaf = first_leaf(good, top);
  with(leaf, 1, 5);
  with(leaf, 1, 10, Reason::kWithoutRowId);
  with(leaf + 3, 2, 0);
  with(leaf + 3, 2, 0xffff);
  with(leaf + 8, 2, 0);
  with(leaf + 8, 2, 0xffff);
  with(leaf + 8, 2, 1021);
  with(leaf + 3, 2, 1);                               // rows that are there and not counted
  with(leaf + 8, 2, big_endian(good, leaf + 10, 2));  // a row twice, another not at all
  with(leaf + 7, 1, 9);                               // fragments that are not there
  with(leaf + 5, 2, big_endian(good, leaf + 5, 2) - 4);
  with(leaf + 1, 2, big_endian(good, leaf + 5, 2));  // a row for a free block

  write_bytes(file_, good);  // a leaf with fewer rows than ids is sound where they were deleted
  execute(open_database(file_, false).get(), "DELETE FROM events WHERE rowid IN (3, 4, 7)");
  expect_read();
}

/// The text that describes a table lost a column, so that all behind it would be read as their neighbours.
TEST_F(Refused, MoreValuesThanColumns) {
  make(
      "CREATE TABLE events (a INTEGER, b INTEGER, c INTEGER); INSERT INTO events VALUES (1, 2, 3);"
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'b INTEGER, ', '')");
  expect(Reason::kRecord);
}

/// SQLite reads past it: the row of another table looks like one of this.
TEST_F(Refused, AValueInThePlaceOfTheRowId) {
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
TEST_F(Refused, NoValueWhereTheTableDemandsOne) {
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
TEST_F(Refused, FewerValuesThanTheTableDemands) {
  make(
      "CREATE TABLE other (a INTEGER); INSERT INTO other VALUES (1), (2);"
      "CREATE TABLE events (a INTEGER, b INTEGER NOT NULL); INSERT INTO events VALUES (1, 2);"
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'events';"
      "UPDATE sqlite_master SET name = 'events', tbl_name = 'events',"
      " sql = 'CREATE TABLE events (a INTEGER, b INTEGER NOT NULL)' WHERE name = 'other'");
  expect(Reason::kRecord);
}

/// The same where no column must have a value: ids that begin anew tell such a leaf from one of old rows.
TEST_F(Refused, ALeafOfAnotherTableWithFewerColumns) {
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
TEST_F(Refused, ANumberWhereTheTableHasTexts) {
  make("CREATE TABLE events (a TEXT, b INTEGER); INSERT INTO events VALUES (17, 1), (NULL, 2), (x'00', 3)");
  expect_read();
  change([this](Bytes& bytes) {
    const std::size_t leaf = root(), cell = leaf + big_endian(bytes, leaf + 8, 2);
    ASSERT_EQ(bytes[cell + 3], 17) << "the type of a text of two bytes";
    bytes[cell + 3] = 2;  // a number of as many
  });
  expect(Reason::kRecord);
}

TEST_F(Refused, LeavesThatChangedPlaces) {
  make_events();
  const std::size_t top = root();
  change([top](Bytes& bytes) {
    const std::size_t first = top + big_endian(bytes, top + 12, 2), second = top + big_endian(bytes, top + 14, 2);
    const std::uint32_t one = big_endian(bytes, first, 4), other = big_endian(bytes, second, 4);
    set_big_endian(bytes, first, 4, other);
    set_big_endian(bytes, second, 4, one);
  });
  expect(Reason::kPage);
}

TEST_F(Refused, TreesOfUnequalDepth) {
  // The last child of the root of a tree of three levels is replaced by a leaf.
  make_database(file_, events_sql(512, 20000));
  Bytes bytes = read_bytes(file_);
  const std::size_t top = (root_page(file_, "events") - 1) * std::size_t{512};
  const std::size_t child = (big_endian(bytes, top + 8, 4) - 1) * std::size_t{512};
  ASSERT_EQ(bytes[child], 5);
  const std::uint32_t grandchild = big_endian(bytes, child + 8, 4);
  set_big_endian(bytes, top + 8, 4, grandchild);
  write_bytes(file_, bytes);
  expect(Reason::kPage);
}

TEST_F(Refused, DamagedRecords) {
  make_events();
  const Bytes good = read_bytes(file_);
  const std::size_t cell = first_cell(good, root());
  ASSERT_LT(good[cell], 0x80);   // the record's size in one byte
  ASSERT_EQ(good[cell + 1], 1);  // the row id
  const std::size_t header = cell + 2;
  ASSERT_EQ(good[header], 8);  // its size and seven columns
  const auto with = [&](std::size_t at, unsigned char value, Reason reason = Reason::kRecord) {
    SCOPED_TRACE("byte " + std::to_string(at - cell) + " of the cell set to " + std::to_string(value));
    Bytes bytes = good;
    bytes[at] = value;
    write_bytes(file_, bytes);
    expect(reason);
  };
  with(cell, static_cast<unsigned char>(good[cell] - 1));
  with(cell, static_cast<unsigned char>(good[cell] + 1));
  with(cell, 0);
  with(header, 0);
  with(header, 7);
  with(header, 9);
  with(header, 126);
  with(header, 0x88, Reason::kLongHeader);
  with(header + 1, 10);
  with(header + 1, 11);
  with(header + 1, 0x7f);
  with(header + 7, 0xff);  // a number that runs over the header's end
}

TEST_F(Refused, ColumnsAddedLater) {
  make(
      "CREATE TABLE events (a INTEGER); INSERT INTO events VALUES (1), (2);"
      "ALTER TABLE events ADD COLUMN b INTEGER DEFAULT 5; INSERT INTO events VALUES (3, 4)");
  expect(Reason::kShortRecord);
  expect_read("events", {"b"});
}

TEST_F(Refused, LongHeaders) {
  std::string columns = "c0 INTEGER", values = "0";
  for (int i = 1; i < 126; ++i) {
    columns += ", c" + std::to_string(i) + " INTEGER";
    values += ", " + std::to_string(i);
  }
  make("CREATE TABLE events (" + columns + "); INSERT INTO events VALUES (" + values + ")");
  expect_read();
  make("CREATE TABLE events (" + columns + ", z INTEGER); INSERT INTO events VALUES (" + values + ", 1)");
  expect(Reason::kLongHeader);
}

TEST_F(Refused, LongTexts) {
  make(
      "CREATE TABLE events (a INTEGER, b TEXT, c INTEGER); INSERT INTO events VALUES (1, 'short', 2),"
      " (3, replace(hex(zeroblob(5000)), '00', 'xy'), 4)");
  expect(Reason::kOverflow);
  expect(Reason::kOverflow, "events", {"b"});
  expect_read("events", {"b", "c"});
  for (int length = 980; length < 1000; ++length) {  // around the longest that fits, and with rests of all sizes
    make(
        "CREATE TABLE events (a INTEGER, b TEXT);"
        "INSERT INTO events VALUES (7, substr(hex(zeroblob(9000)), 1, " +
        std::to_string(length) +
        ")),"
        " (7, substr(hex(zeroblob(9000)), 1, " +
        std::to_string(length * 7) + "))");
    expect_read("events", {"b"});
  }
}

TEST_F(Refused, ArraysThatDoNotFit) {
  make(
      "CREATE TABLE events (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c INTEGER);"
      "INSERT INTO events VALUES (300, 2147483648, -1, 256)");
  const auto layout = std::get<TableLayout>(describe_table(open_database(file_, true).get(), "events"));
  auto scan = std::get<TableScan>(TableScan::plan(std::get<PageFile>(PageFile::open(file_)), layout));
  std::vector<std::int32_t> signed_values(1);
  std::vector<std::uint32_t> unsigned_values(1);
  std::vector<std::uint8_t> small_values(1);
  std::vector<std::string_view> texts(1);
  std::vector<std::int64_t> none;
  const auto expect_refused = [&](const ColumnSink& sink, Reason reason) {
    const auto read = scan.read(std::vector<ColumnSink>{sink});
    ASSERT_TRUE(std::holds_alternative<Refusal>(read));
    EXPECT_EQ(std::get<Refusal>(read).reason, reason);
  };
  expect_refused({1, std::span(signed_values)}, Reason::kDoesNotFit);
  expect_refused({2, std::span(unsigned_values)}, Reason::kDoesNotFit);
  expect_refused({3, std::span(small_values)}, Reason::kDoesNotFit);
  expect_refused({0, std::span(small_values)}, Reason::kDoesNotFit);
  expect_refused({1, std::span(none)}, Reason::kDoesNotFit);
  expect_refused({2, std::span(signed_values), std::int64_t{1} << 40}, Reason::kDoesNotFit);
  expect_refused({3, std::span(unsigned_values), -1}, Reason::kDoesNotFit);
  expect_refused({0, std::span(texts)}, Reason::kLayout);
  expect_refused({4, std::span(signed_values)}, Reason::kLayout);
  const auto read = scan.read(std::vector<ColumnSink>{{2, std::span(signed_values)}});
  EXPECT_TRUE(std::holds_alternative<TableRows>(read));
}

class RefusedChange : public Refused {
 protected:
  /// Reads events, with `meddle` between the opening and the reading.
  Outcome<TableRows> read_after(const std::function<void()>& meddle) {
    auto file = PageFile::open(file_);
    const auto layout = std::get<TableLayout>(describe_table(open_database(file_, true).get(), "events"));
    auto scan = std::get<TableScan>(TableScan::plan(std::get<PageFile>(file), layout));
    meddle();
    std::vector<std::int64_t> starts(scan.rows());
    return scan.read(std::vector<ColumnSink>{{0, std::span(starts)}}, 2);
  }
  void expect_change(const std::function<void()>& meddle) {
    make_events();
    const auto read = read_after(meddle);
    ASSERT_TRUE(std::holds_alternative<Refusal>(read));
    EXPECT_EQ(std::get<Refusal>(read).reason, Reason::kChanged) << std::get<Refusal>(read).sentence;
  }
};

TEST_F(RefusedChange, ByAnotherProcess) {
  make_events();
  ASSERT_TRUE(std::holds_alternative<TableRows>(read_after([] {})));
  expect_change([this] { execute(open_database(file_, false).get(), "INSERT INTO names VALUES (1000001, 'new')"); });
  expect_change([this] { fs::last_write_time(file_, fs::file_time_type::clock::now() + std::chrono::hours(1)); });
  expect_change([this] {  // replaced by an equal one
    fs::copy_file(file_, folder_ / "b.sqlite", fs::copy_options::overwrite_existing);
    fs::rename(folder_ / "b.sqlite", file_);
  });
  expect_change([this] { fs::resize_file(file_, 4096); });
  expect_change([this] { fs::remove(file_); });
  expect_change([this] { write_bytes(folder_ / "a.sqlite-wal", {1}); });
}

}  // namespace
}  // namespace assay::btree_test
