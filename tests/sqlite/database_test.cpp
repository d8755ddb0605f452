// The door to the sqlite3 library: any name of a file, nothing left beside it, statements that say what failed.
#include "sqlite/database.hpp"

#include "support/sql.hpp"
#include "support/test.hpp"

namespace assay::sqlite::database_test {

TEST(Database, AnyNameIsOpenedAndNothingIsLeftBeside) {
  const testing::TempFolder folder;
  for (const char* name : {"plain.sqlite", "a b.sqlite", "50%41.sqlite", "what?immutable=0.sqlite", "n#1.sqlite",
                           "r\xC3\xA9sum\xC3\xA9.sqlite", "not\xFFutf8.sqlite"}) {
    const fs::path file = folder / name;
    {
      const Result<Database> made = require(open(file.native(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
      sqlite3_exec(made->get(), "CREATE TABLE t (x)", nullptr, nullptr, nullptr);
    }
    const TableList tables = ForeignFile(file).tables();
    EXPECT_TRUE(tables.complete) << name;
    EXPECT_EQ(tables.names, std::vector<std::string>{"t"}) << name;
  }
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder.path())) files += entry.is_regular_file() ? 1U : 0U;
  EXPECT_EQ(files, 7U);
}

TEST(Database, ReportsAMissingFileInSqlitesWords) {
  const testing::TempFolder folder;
  const Result<Database> none = open_immutable(folder / "none.sqlite");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().sentence, "unable to open database file");
  EXPECT_FALSE(ForeignFile(folder / "none.sqlite").tables().complete);
  EXPECT_FALSE(fs::exists(folder / "none.sqlite"));
}

TEST(Database, OneWithThousandsOfViewsIsRefusedAtOnce) {
  const testing::TempFolder folder;
  for (const int views : {2000, 60000}) {
    const fs::path file = folder / (std::to_string(views) + ".sqlite");
    run_sql(file,
            "CREATE TABLE t (x); PRAGMA writable_schema = ON; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
            "SELECT i + 1 FROM n WHERE i < " +
                std::to_string(views) +
                ") INSERT INTO sqlite_schema SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || "
                "' AS SELECT 1' FROM n;");
    const Result<Database> db = open_immutable(file);
    EXPECT_EQ(db.ok(), views == 2000);
    EXPECT_EQ(ForeignFile(file).tables().complete, views == 2000);
  }
}

TEST(Database, AnImmutableOneIsNotWritten) {
  const testing::TempFolder folder;
  const fs::path file = folder / "a.sqlite";
  ASSERT_TRUE(open(file.native(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  const Result<Database> db = open_immutable(file);
  ASSERT_TRUE(db);
  EXPECT_NE(sqlite3_exec(db->get(), "CREATE TABLE t (x)", nullptr, nullptr, nullptr), SQLITE_OK);
}

TEST(Statement, BindsStepsAndReads) {
  const Result<Database> db = require(open(":memory:", SQLITE_OPEN_READWRITE));
  Statement row(db->get(), "SELECT ?1, ?2, ?3, ?4, ?5");
  ASSERT_TRUE(row.ok());
  row.bind(1, std::string_view());
  row.bind_copy(2, std::string("a\0b", 3));
  row.bind(3, std::int64_t{1} << 40);
  row.bind(4, std::nan(""));
  row.bind(5, nullptr);
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(row.step());
    EXPECT_EQ(row.columns(), 5);
    EXPECT_EQ(sqlite3_column_type(row.handle(), 0), SQLITE_TEXT) << "an empty text is not NULL";
    EXPECT_EQ(row.text(1), std::string_view("a\0b", 3));
    EXPECT_EQ(row.name(1), "a");
    EXPECT_TRUE(row.is_integer(2));
    EXPECT_EQ(row.integer(2), std::int64_t{1} << 40);
    EXPECT_EQ(sqlite3_column_type(row.handle(), 3), SQLITE_NULL);
    EXPECT_EQ(row.text(4), "");
    EXPECT_FALSE(row.step());
    EXPECT_FALSE(row.failed());
    row.reset();
  }
}

TEST(Statement, FailuresAreTold) {
  const Result<Database> db = require(open(":memory:", SQLITE_OPEN_READWRITE));
  Statement wrong(db->get(), "SELECT nothing FROM nowhere");
  EXPECT_FALSE(wrong.ok());
  EXPECT_TRUE(wrong.failed());
  EXPECT_FALSE(wrong.step());
  Statement fails(db->get(), "SELECT abs(-9223372036854775808)");  // integer overflow
  ASSERT_TRUE(fails.ok());
  EXPECT_FALSE(fails.step());
  EXPECT_TRUE(fails.failed());
}

}  // namespace assay::sqlite::database_test
