// Every table of every real report that is at hand.
#include "comparison.hpp"
#include "support/test.hpp"

namespace assay::btree_test::btree_real_files_test {

using load::btree::Reason;

bool is_sqlite(const fs::path& file) { return file.extension() == ".sqlite" || file.extension() == ".db"; }

/// Without the column that is refused, which a long text or an added column may be; and no other reason.
Comparison compare_what_can_be(const fs::path& file, const std::string& table) {
  std::set<std::string> left_out;
  Comparison result = compare(file, table);
  std::vector<std::string> columns = columns_of(file, table);
  while (result.refusal && !columns.empty()) {
    EXPECT_TRUE(result.refusal->reason == Reason::kOverflow || result.refusal->reason == Reason::kShortRecord)
        << result.refusal->sentence;
    left_out.insert(columns.back());
    columns.pop_back();
    result = compare(file, table, 1, left_out);
  }
  return result;
}

class RealFiles : public ::testing::TestWithParam<const char*> {};

TEST_P(RealFiles, EveryTableEqualsWhatSqliteReads) {
  const char* folder = real_data(GetParam());
  if (folder == nullptr) GTEST_SKIP() << GetParam() << " is not set: no real reports were compared.";
  std::uint64_t files = 0, tables = 0, rows = 0, cells = 0;
  std::vector<std::string> refused;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || !is_sqlite(entry.path())) continue;
    ++files;
    for (const std::string& table : tables_of(entry.path())) {
      SCOPED_TRACE(entry.path().native() + ": " + table);
      Comparison result = compare(entry.path(), table, 2);
      if (result.refusal) {
        refused.push_back(entry.path().filename().native() + ": " + table + ": " + result.refusal->sentence);
        result = compare_what_can_be(entry.path(), table);
      }
      ASSERT_FALSE(result.refusal) << result.refusal->sentence;
      EXPECT_EQ(result.difference, "");
      EXPECT_EQ(result.more_mistyped, 0);
      EXPECT_FALSE(result.sqlite_failed);
      ++tables;
      rows += result.rows;
      cells += result.cells;
    }
  }
  std::printf("%s: %lu files, %lu tables, %lu rows, %lu cells equal; %zu tables not in all columns\n", GetParam(),
              files, tables, rows, cells, refused.size());
  for (const std::string& sentence : refused) std::printf("  refused %s\n", sentence.c_str());
  EXPECT_GT(tables, 0U);
  EXPECT_LT(refused.size() * 20, tables);
}

INSTANTIATE_TEST_SUITE_P(Sets, RealFiles, ::testing::Values("examples", "h200", "public"),
                         [](const auto& set) { return std::string(set.param); });

}  // namespace assay::btree_test::btree_real_files_test
