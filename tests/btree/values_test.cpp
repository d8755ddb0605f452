// What the decoder reads is what sqlite3 reads, for every kind of value, page size and tree.
#include <new>

#include "comparison.hpp"
#include "databases.hpp"
#include "support/test.hpp"

namespace assay::btree_test::values_test {

using namespace load::btree;

/// Equal, with this many rows.
void expect_equal(const std::filesystem::path& file, const std::string& table, std::uint64_t rows) {
  for (const unsigned threads : {1U, 3U}) {
    SCOPED_TRACE(table + " on " + std::to_string(threads) + " threads");
    const Comparison result = compare(file, table, threads);
    EXPECT_FALSE(result.refusal) << result.refusal->sentence;
    EXPECT_EQ(result.difference, "");
    EXPECT_EQ(result.more_mistyped, 0);
    EXPECT_FALSE(result.sqlite_failed);
    EXPECT_EQ(result.rows, rows);
  }
}

class PageSize : public ::testing::TestWithParam<int> {};

TEST_P(PageSize, EventsOfManyPages) {
  const TempFolder folder;
  make_database(folder / "a.sqlite", events_sql(GetParam(), 20000));
  expect_equal(folder / "a.sqlite", "events", 20000);
  expect_equal(folder / "a.sqlite", "names", 10000);
  expect_equal(folder / "a.sqlite", "sqlite_master", 2);
}

TEST_P(PageSize, EveryIntegerWidthAtItsEnds) {
  std::string sql = "PRAGMA page_size = " + std::to_string(GetParam()) + "; CREATE TABLE t (a, b INTEGER, c);";
  int rows = 0;
  for (const int bits : {1, 7, 8, 15, 16, 23, 24, 31, 32, 47, 48, 55, 56, 62}) {
    for (const std::int64_t base : {std::int64_t{1} << bits, -(std::int64_t{1} << bits)}) {
      for (const std::int64_t value : {base - 1, base, base + 1}) {
        const std::string v = std::to_string(value);
        sql += "INSERT INTO t VALUES (" + v + "," + v + ", NULL);";
        ++rows;
      }
    }
  }
  sql += "INSERT INTO t VALUES (9223372036854775807, -9223372036854775807 - 1, 0), (0, 1, -1), (NULL, 1, 0)";
  const TempFolder folder;
  make_database(folder / "a.sqlite", sql);
  expect_equal(folder / "a.sqlite", "t", static_cast<std::uint64_t>(rows) + 3);
}

TEST_P(PageSize, TreeOfManyLevels) {
  // Rows that nearly fill a page, so that the tree is as deep as it gets for its rows.
  const int size = GetParam();
  const int rows = size <= 1024 ? 6000 : 300;
  const TempFolder folder;
  make_database(folder / "a.sqlite", "PRAGMA page_size = " + std::to_string(size) +
                                         "; CREATE TABLE t (a INTEGER, b TEXT);"
                                         "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
                                         std::to_string(rows) +
                                         ")"
                                         " INSERT INTO t SELECT i, substr(hex(zeroblob(" +
                                         std::to_string(size) + ")), 1, " + std::to_string(size - 60) +
                                         " - i % 7) FROM n");
  expect_equal(folder / "a.sqlite", "t", static_cast<std::uint64_t>(rows));
}

TEST_P(PageSize, EmptyAndOneRowTables) {
  const TempFolder folder;
  make_database(folder / "a.sqlite", "PRAGMA page_size = " + std::to_string(GetParam()) +
                                         "; CREATE TABLE none (a INTEGER, b TEXT);"
                                         "CREATE TABLE one (a INTEGER, b TEXT); INSERT INTO one VALUES (5, '')");
  expect_equal(folder / "a.sqlite", "none", 0);
  expect_equal(folder / "a.sqlite", "one", 1);
}

INSTANTIATE_TEST_SUITE_P(Sizes, PageSize, ::testing::Values(512, 1024, 2048, 4096, 8192, 16384, 32768, 65536));

TEST(Values, AreThoseThatSqliteReads) {
  struct MadeTable {
    const char *what, *sql;
    std::uint64_t rows;
  };
  const MadeTable tables[] = {
      {"texts and blobs of every length that a page holds",
       "CREATE TABLE t (a INTEGER, b, c INTEGER);"
       "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4040)"
       " INSERT INTO t SELECT i, CASE i % 3 WHEN 0 THEN zeroblob(i) ELSE"
       " substr(hex(randomblob(2100)), 1, i) END, -i FROM n",
       4041},
      {"zero bytes and invalid UTF-8",
       "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'410042' AS TEXT)), (CAST(x'ff80' AS TEXT)), ('ü')", 3},
      {"sparse, negative and huge row ids",
       "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, c INTEGER);"
       "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
       " INSERT INTO t SELECT (i - 2500) * 3689348814741910, 'row ' || i, i FROM n;"
       "INSERT INTO t VALUES (9223372036854775807, 'last', 1), (-9223372036854775807 - 1, 'first', 2)",
       5002},
      {"rows inserted in any order",
       "PRAGMA page_size = 512; CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT);"
       "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
       " INSERT INTO t SELECT (i * 1237) % 3001, printf('%.*c', i % 90, 'x') FROM n",
       3000},
      {"numbers and texts in columns of any type",
       "CREATE TABLE t (a INTEGER, b TEXT, c NUMERIC, d);"
       "INSERT INTO t VALUES (1.5, 5, 2.0, 'x'), ('word', x'00', 1e300, x''), (3.0, '', 'y', 2.5)",
       3},
  };
  for (const auto& [what, sql, rows] : tables) {
    SCOPED_TRACE(what);
    const TempFolder folder;
    make_database(folder / "a.sqlite", sql);
    expect_equal(folder / "a.sqlite", "t", rows);
  }
}

TEST(Values, RowsDeletedAnywhereLeaveNoHoles) {
  const TempFolder folder;
  // One hole in one leaf, which no sample sees; a whole stretch; most of the table.
  for (const char* which : {"rowid = 7777", "rowid BETWEEN 5000 AND 9000", "rowid % 10 <> 0", "rowid > 3"}) {
    SCOPED_TRACE(which);
    make_database(folder / "a.sqlite", events_sql(1024, 20000));
    const Database db = open_database(folder / "a.sqlite", false);
    execute(db.get(), std::string("DELETE FROM events WHERE ") + which);
    const auto left = 20000 - sqlite3_changes(db.get());
    expect_equal(folder / "a.sqlite", "events", static_cast<std::uint64_t>(left));
  }
}

TEST(Values, HoleThatNoSampleSeesIsToldOnSeveralThreads) {
  const TempFolder folder;
  make_database(folder / "a.sqlite", events_sql(1024, 200000));
  execute(open_database(folder / "a.sqlite", false).get(), "DELETE FROM events WHERE rowid = 77777");
  auto file = PageFile::open(folder / "a.sqlite");
  auto layout = describe_table(open_database(folder / "a.sqlite", true).get(), "events");
  auto planned = TableScan::plan(std::get<PageFile>(file), std::get<TableLayout>(layout));
  auto& scan = std::get<TableScan>(planned);
  ASSERT_EQ(scan.rows(), 200000U);  // else this test misses what it is for
  const std::vector<WantedColumn> wanted{{0}};
  const auto several = scan.read(wanted, -5, {}, 2);
  ASSERT_TRUE(std::holds_alternative<Refusal>(several));
  EXPECT_EQ(std::get<Refusal>(several).reason, Reason::kMiscounted);
  std::vector<std::int64_t> starts;
  const auto keep = [&](const RowBatch& rows) {
    starts.insert(starts.end(), rows.integers[0].begin(), rows.integers[0].end());
  };
  const auto read = scan.read(wanted, -5, {.in_order = keep});
  ASSERT_TRUE(std::holds_alternative<TableRows>(read));
  EXPECT_EQ(std::get<TableRows>(read).rows, 199999U);
  EXPECT_EQ(starts[77775], 77776 * 1000003LL);
  EXPECT_EQ(starts[77776], 77778 * 1000003LL);
  EXPECT_EQ(starts[199998], 200000 * 1000003LL);
}

/// Rows on many threads: each batch first in any order, then in that of the rows, with the same cells.
TEST(Values, AnyNumberOfThreadsHandsOverTheSameRowsInOrder) {
  const TempFolder folder;
  make_database(folder / "a.sqlite", events_sql(1024, 200000));
  auto file = PageFile::open(folder / "a.sqlite");
  auto layout = describe_table(open_database(folder / "a.sqlite", true).get(), "events");
  const auto planned = TableScan::plan(std::get<PageFile>(file), std::get<TableLayout>(layout));
  const auto& scan = std::get<TableScan>(planned);
  ASSERT_EQ(scan.rows(), 200000U);
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    std::vector<std::int64_t> at_once(scan.rows(), 77), in_order;
    const auto read = scan.read(
        std::vector<WantedColumn>{{0}}, -5,
        {.in_order =
             [&](const RowBatch& rows) {
               EXPECT_EQ(rows.first_row, in_order.size());
               in_order.insert(in_order.end(), rows.integers[0].begin(), rows.integers[0].end());
             },
         .at_once =
             [&](const RowBatch& rows) {
               std::ranges::copy(rows.integers[0], at_once.begin() + static_cast<std::ptrdiff_t>(rows.first_row));
             }},
        threads);
    ASSERT_TRUE(std::holds_alternative<TableRows>(read));
    ASSERT_EQ(std::get<TableRows>(read).rows, scan.rows());
    for (std::size_t row = 0; row < in_order.size(); ++row) {
      ASSERT_EQ(in_order[row], static_cast<std::int64_t>(row + 1) * 1000003) << threads;
      ASSERT_EQ(at_once[row], in_order[row]) << threads;
    }
  }
}

/// The first refused block decides, whichever thread met it, and nobody waits for a turn that never comes.
TEST(Values, AConsumerThatThrowsEndsEveryThread) {
  const TempFolder folder;
  make_database(folder / "a.sqlite", events_sql(1024, 200000));
  auto file = PageFile::open(folder / "a.sqlite");
  auto layout = describe_table(open_database(folder / "a.sqlite", true).get(), "events");
  const auto planned = TableScan::plan(std::get<PageFile>(file), std::get<TableLayout>(layout));
  for (const unsigned threads : {1U, 4U}) {
    const auto throw_bad_alloc = [](const RowBatch& rows) {
      if (rows.first_row > 50000) throw std::bad_alloc();
    };
    EXPECT_THROW(
        std::get<TableScan>(planned).read(std::vector<WantedColumn>{{0}}, 0, {.in_order = throw_bad_alloc}, threads),
        std::bad_alloc);
  }
}

TEST(Values, RowIdColumnsAreToldFromOtherKeys) {
  const TempFolder folder;
  make_database(folder / "a.sqlite",
                "CREATE TABLE alias (a TEXT, b INTEGER, PRIMARY KEY (b));"
                "CREATE TABLE descending (a INTEGER PRIMARY KEY DESC, b TEXT);"
                "CREATE TABLE int_key (a INT PRIMARY KEY, b TEXT);"
                "CREATE TABLE pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b));"
                "CREATE TABLE shadowed (rowid TEXT, oid INTEGER, b INTEGER PRIMARY KEY);");
  const Database db = open_database(folder / "a.sqlite", false);
  for (const char* table : {"alias", "descending", "int_key", "pair"}) {
    execute(db.get(), std::string("INSERT INTO ") + table + " VALUES (10, 20), (5, 6)");
  }
  execute(db.get(), "INSERT INTO shadowed VALUES ('x', 4, 10), ('y', 5, 2)");
  for (const char* table : {"alias", "descending", "int_key", "pair", "shadowed"}) {
    expect_equal(folder / "a.sqlite", table, 2);
  }
  const auto layout = describe_table(db.get(), "ALIAS");
  EXPECT_TRUE(std::get<TableLayout>(layout).columns[1].is_row_id);
  EXPECT_EQ(std::get<TableLayout>(layout).find("B"), 1U);
  const auto descending = describe_table(db.get(), "descending");
  EXPECT_FALSE(std::get<TableLayout>(descending).columns[0].is_row_id);
}

}  // namespace assay::btree_test::values_test
