// Every real export there is, against SQL: rows, durations and links, process by process.
#include <sqlite3.h>

#include "load/made_export.hpp"
#include "support/test.hpp"

namespace assay::load_real_files_test {

/// First column of the first row, or nothing when the query fails (a table or column that this export lacks).
std::optional<std::int64_t> number(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return std::nullopt;
  const bool row = sqlite3_step(statement) == SQLITE_ROW;
  const std::int64_t value = row ? sqlite3_column_int64(statement, 0) : 0;
  sqlite3_finalize(statement);
  return row ? std::optional(value) : std::nullopt;
}

template <class Table>
void compare(sqlite3* db, const std::string& name, const Table* table) {
  const auto rows = number(db, "SELECT count(*) FROM " + name);
  ASSERT_EQ(table != nullptr, rows.has_value()) << name;
  if (table == nullptr) return;
  EXPECT_EQ(static_cast<std::int64_t>(table->rows), *rows) << name;
  std::int64_t time = 0, linked = 0;
  for (std::size_t i = 0; i < table->rows; ++i) {
    time += table->end[i] - table->start[i];
    linked += table->call[i] != kNone ? 1 : 0;
  }
  EXPECT_EQ(time, number(db, "SELECT coalesce(sum(end - start), 0) FROM " + name)) << name;
  const auto expected =
      number(db, "SELECT count(*) FROM " + name +
                     " k WHERE correlationId > 0 AND EXISTS (SELECT 1 FROM calls r WHERE r.correlationId ="
                     " k.correlationId AND r.process = (k.globalPid >> 24))");
  if (expected) {
    EXPECT_EQ(linked, *expected) << name;
  }
}

std::size_t compare_folder(const std::filesystem::path& folder) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".sqlite") continue;
    SCOPED_TRACE(entry.path().string());
    ++files;
    const LoadedView loaded(entry.path());
    if (!loaded.view.ok()) {
      ADD_FAILURE() << loaded.view.error().sentence;
      continue;
    }
    const Report& report = loaded.report();
    sqlite3* db = nullptr;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) throw std::runtime_error("no memory database");
    sqlite3_exec(db, ("ATTACH '" + entry.path().string() + "' AS f").c_str(), nullptr, nullptr, nullptr);
    sqlite3_exec(db,
                 "CREATE TABLE calls AS SELECT correlationId, globalTid >> 24 AS process FROM "
                 "CUPTI_ACTIVITY_KIND_RUNTIME WHERE eventClass"
                 " IN (0, 1); CREATE INDEX i ON calls(correlationId, process)",
                 nullptr, nullptr, nullptr);
    compare(db, "CUPTI_ACTIVITY_KIND_KERNEL", report.kernels);
    compare(db, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", report.graphs);
    compare(db, "CUPTI_ACTIVITY_KIND_MEMCPY", report.copies);
    compare(db, "CUPTI_ACTIVITY_KIND_MEMSET", report.sets);
    const auto calls = number(db, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE eventClass IN (0, 1)");
    EXPECT_EQ(report.calls != nullptr ? std::optional(static_cast<std::int64_t>(report.calls->rows)) : std::nullopt,
              calls);
    if (report.ranges != nullptr) {
      EXPECT_EQ(static_cast<std::int64_t>(report.ranges->rows),
                number(db, "SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 59"));
      EXPECT_EQ(static_cast<std::int64_t>(report.spans->rows),
                number(db, "SELECT count(*) FROM NVTX_EVENTS WHERE eventType = 60"));
    }
    sqlite3_close(db);
  }
  return files;
}

void compare_set(const char* variable) {
  ASSAY_REAL_FOLDER(folder, variable);
  EXPECT_GT(compare_folder(folder), 0U);
}

TEST(RealFiles, BundledExamplesEqualSql) { compare_set("examples"); }
TEST(RealFiles, WholeH200RunsEqualSql) { compare_set("h200"); }
TEST(RealFiles, PublicExportsEqualSql) { compare_set("public"); }

}  // namespace assay::load_real_files_test
