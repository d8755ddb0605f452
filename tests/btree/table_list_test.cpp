// The list of tables, read without SQLite, is the one that SQLite reads.
#include "formats/btree/table_list.hpp"

#include <random>

#include "databases.hpp"
#include "sqlite/database.hpp"
#include "support/test.hpp"

namespace assay::load::btree::table_list_test {

using List = std::vector<ListedObject>;

/// Nothing where SQLite does not read it to its end.
std::optional<List> read_by_sqlite(const fs::path& file) {
  const auto db = sqlite::open_immutable(file);
  if (!db) return std::nullopt;
  sqlite::allow_damage(db->get());
  List list;
  sqlite::Statement rows(db->get(), "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema");
  while (rows.step()) {
    list.push_back({std::string(rows.text(0)), std::string(rows.text(1)), std::string(rows.text(2)),
                    std::string(rows.text(3)), rows.integer(4), rows.is_integer(4)});
  }
  return rows.ok() && !rows.failed() ? std::optional(std::move(list)) : std::nullopt;
}

std::optional<List> read_directly(const fs::path& file) {
  const auto pages = PageFile::open(file);
  const auto* plain = std::get_if<PageFile>(&pages);
  return plain == nullptr ? std::nullopt : read_table_list(*plain);
}

void expect_equal(const List& direct, const List& sqlite) {
  ASSERT_EQ(direct.size(), sqlite.size());
  for (std::size_t i = 0; i < direct.size(); ++i) {
    EXPECT_EQ(direct[i].type, sqlite[i].type);
    EXPECT_EQ(direct[i].name, sqlite[i].name);
    EXPECT_EQ(direct[i].table, sqlite[i].table);
    EXPECT_EQ(direct[i].sql, sqlite[i].sql);
    EXPECT_EQ(direct[i].root, sqlite[i].root);
    EXPECT_EQ(direct[i].has_root, sqlite[i].has_root);
  }
}

/// Tables, an index with and one without a text, a view, a trigger, and texts that go on on other pages.
std::string many_objects(std::size_t page_size) {
  std::string sql = "PRAGMA page_size = " + std::to_string(page_size) + ";";
  for (int t = 0; t < 40; ++t) {
    const std::string name = "t" + std::to_string(t);
    sql += "CREATE TABLE " + name + "(id INTEGER PRIMARY KEY, a TEXT UNIQUE) -- " +
           std::string(static_cast<std::size_t>(t) * 97, 'x') + "\n;";
    if (t % 7 == 0) sql += "CREATE INDEX i" + name + " ON " + name + "(a, id);";
  }
  sql += "CREATE TABLE wide(a INTEGER /* " + std::string(300'000, 'y') + " */, b);";
  sql += "CREATE VIEW v AS SELECT a FROM t1; CREATE TRIGGER g AFTER INSERT ON t1 BEGIN DELETE FROM t2; END;";
  return sql;
}

TEST(TableList, IsTheOneThatSqliteReads) {
  for (const std::size_t page_size : {512U, 1024U, 4096U, 65536U}) {
    SCOPED_TRACE(page_size);
    const TempFolder folder;
    const fs::path file = folder / "a.sqlite";
    btree_test::make_database(file, many_objects(page_size));
    const auto direct = read_directly(file), sqlite = read_by_sqlite(file);
    ASSERT_TRUE(direct && sqlite);
    EXPECT_GT(sqlite->size(), 80U);
    expect_equal(*direct, *sqlite);
  }
}

/// Some bytes of pages changed to any others, every other time of their headers: nothing, or what SQLite reads.
TEST(TableList, DamagedIsNeverReadOtherwise) {
  constexpr std::size_t kPage = 1024;
  const TempFolder folder;
  const fs::path file = folder / "a.sqlite";
  btree_test::make_database(file, many_objects(kPage));
  const auto good = btree_test::read_bytes(file);
  std::mt19937 random(36);
  std::size_t equal = 0, refused = 0;
  for (int round = 0; round < 1200; ++round) {
    auto bytes = good;
    for (int change = 0; change < 1 + round % 3; ++change) {
      const std::size_t page = random() % 32, header = page == 0 ? 100 : 0;
      bytes[page * kPage + header + random() % (round % 2 == 0 ? 48 : kPage - header)] =
          static_cast<unsigned char>(random() % 256);
    }
    btree_test::write_bytes(file, bytes);
    const auto direct = read_directly(file);
    refused += direct ? 0U : 1U;
    if (!direct) continue;
    const auto sqlite = read_by_sqlite(file);
    ASSERT_TRUE(sqlite) << "round " << round;
    expect_equal(*direct, *sqlite);
    if (HasFailure()) return;
    ++equal;
  }
  EXPECT_GT(equal, 100U);
  EXPECT_GT(refused, 30U);
}

TEST(TableList, EqualsThatOfSqliteForRealFiles) {
  std::size_t files = 0, direct = 0;
  for (const fs::path& file : btree_test::real_databases()) {
    SCOPED_TRACE(file.string());
    const auto sqlite = read_by_sqlite(file);
    if (!sqlite) continue;
    ++files;
    const auto list = read_directly(file);
    if (!list) continue;
    ++direct;
    expect_equal(*list, *sqlite);
  }
  if (files == 0) GTEST_SKIP() << "SKIPPED: set ASSAY_DATA/h200 and others to folders of exports";
  EXPECT_GT(direct, files * 9 / 10) << "of " << files << " files";
}

}  // namespace assay::load::btree::table_list_test
