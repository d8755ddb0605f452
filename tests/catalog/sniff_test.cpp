#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <random>

#include "catalog/catalog.hpp"
#include "config/nsys_database.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay::sniff_test {

class Sniff : public ::testing::Test {
 protected:
  static FoundFile at(const fs::path& file) { return sniff(file, file.filename().string()); }

  /// Expects an unreadable file whose one sentence holds `part`.
  static void expect_unreadable(const fs::path& file, const char* part) {
    const FoundFile found = at(file);
    EXPECT_EQ(found.kind, FileKind::kUnreadable) << file;
    EXPECT_TRUE(contains(found.problem, part));
    EXPECT_TRUE(starts_with(found.problem, "This "));
    EXPECT_TRUE(ends_with(found.problem, "."));
  }

  TempFolder folder_;
};

TEST_F(Sniff, TellsNsysExportsByContentAndNotByName) {
  for (const char* name : {"a.sqlite", "a.db", "a", "%41?b#c d.sqlite"}) {
    const FoundFile found = at(write_nsys(folder_ / name));
    EXPECT_EQ(found.kind, kind::kNsys) << name;
    EXPECT_EQ(found.problem, "");
    EXPECT_EQ(found.size, fs::file_size(found.path));
  }
}

TEST_F(Sniff, AnyTableOfNsysIsEnough) {
  for (const char* table :
       {"META_DATA_EXPORT", "EXPORT_META_DATA", "ANALYSIS_DETAILS", "CUPTI_ACTIVITY_KIND_KERNEL", "NVTX_EVENTS"}) {
    const fs::path file = folder_ / (std::string(table) + ".sqlite");
    run_sql(file, std::string("CREATE TABLE ") + table + " (x)");
    EXPECT_EQ(at(file).kind, kind::kNsys) << table;
  }
}

TEST_F(Sniff, DamagedDatabasesOfRocprofAreMentioned) {
  // What says that it is one is gone, the other tables are there: by the tables, whatever the name.
  run_sql(folder_ / "lost.db", "CREATE TABLE rocpd_string_1 (x); CREATE TABLE rocpd_kernel_dispatch_1 (x)");
  expect_unreadable(folder_ / "lost.db", "has tables of rocpd, but not both rocpd_metadata");
  // Nothing of it is left but its name, which no other program gives.
  std::ofstream(folder_ / "head_results.db") << "SQLite formaX 3";
  expect_unreadable(folder_ / "head_results.db", "named like a database of rocprofv3");
  std::ofstream(folder_ / "empty_results.db");
  expect_unreadable(folder_ / "empty_results.db", "is empty; expected a rocpd report");
  run_sql(folder_ / "other_results.db", "CREATE TABLE other (x)");
  EXPECT_TRUE(contains(at(folder_ / "other_results.db").problem, "is not a rocpd report (its first table is 'other')"));
  std::ofstream(folder_ / "plain.db") << "notes";
  EXPECT_EQ(at(folder_ / "plain.db").kind, FileKind::kSidecar) << "a .db may be anything";
}

TEST_F(Sniff, OtherDatabasesAreSaidToBeOther) {
  run_sql(folder_ / "dlprof.sqlite", "CREATE TABLE dl_kernels (x); CREATE TABLE b (x)");
  const FoundFile dlprof = at(folder_ / "dlprof.sqlite");
  EXPECT_EQ(dlprof.kind, FileKind::kOtherSqlite);
  EXPECT_TRUE(contains(dlprof.problem, "its first table is 'dl_kernels'"));
  run_sql(folder_ / "hip.db", "CREATE TABLE HIP (x)");
  EXPECT_EQ(at(folder_ / "hip.db").kind, FileKind::kOtherSqlite);
  EXPECT_EQ(at(folder_ / "hip.db").problem, "") << "not named like a report";
  run_sql(folder_ / "empty.sqlite", "CREATE TABLE a (x); DROP TABLE a");
  EXPECT_TRUE(contains(at(folder_ / "empty.sqlite").problem, "it has no tables"));
}

TEST_F(Sniff, AssaysOwnResultsAreNotReport) {
  run_sql(folder_ / "results.sqlite",
          "CREATE TABLE reports (x); CREATE TABLE labels (x); CREATE TABLE facts (x); CREATE TABLE samples (x);"
          "CREATE TABLE findings (x); CREATE TABLE claims (x); CREATE TABLE issues (x)");
  const FoundFile found = at(folder_ / "results.sqlite");
  EXPECT_EQ(found.kind, FileKind::kSidecar);
  EXPECT_EQ(found.problem, "");
}

TEST_F(Sniff, RejectsFilesThatOnlyLookLikeReports) {
  expect_unreadable(folder_.write("empty.sqlite", ""), "is empty");
  expect_unreadable(folder_.write("text.sqlite", "hello\nworld\n"), "is text");
  expect_unreadable(folder_.write("lfs.sqlite", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"),
                    "Git LFS pointer");
  std::mt19937 random(1);
  std::string noise(5000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  expect_unreadable(folder_.write("random.sqlite", noise), "is not an SQLite database");
  expect_unreadable(folder_.write("RANDOM.SQLite", noise), "is not an SQLite database");
  expect_unreadable(folder_.write("short.sqlite", std::string("SQLite format 3\0abc", 19)),
                    "ends inside the SQLite header (19 bytes)");
  fs::create_directory(folder_ / "dir.sqlite");
  expect_unreadable(folder_ / "dir.sqlite", "is a folder");
  fs::create_symlink("nowhere", folder_ / "dangling.sqlite");
  expect_unreadable(folder_ / "dangling.sqlite", "dangling link");
  fs::create_symlink("dir.sqlite", folder_ / "to_dir.sqlite");
  expect_unreadable(folder_ / "to_dir.sqlite", "link to a folder");
  fs::create_symlink("loop.sqlite", folder_ / "loop.sqlite");
  expect_unreadable(folder_ / "loop.sqlite", "dangling link");
  ASSERT_EQ(mkfifo((folder_ / "pipe.sqlite").c_str(), 0600), 0);
  expect_unreadable(folder_ / "pipe.sqlite", "is not a regular file");
}

TEST_F(Sniff, PermissionIsSaid) {
  if (geteuid() == 0) GTEST_SKIP() << "running as root: nothing is unreadable, so this cannot be tested here";
  const fs::path file = write_nsys(folder_ / "a.sqlite");
  fs::permissions(file, fs::perms::none);
  expect_unreadable(file, "cannot be read (Permission denied)");
}

TEST_F(Sniff, ReportsThatWereNotExportedSayHow) {
  const fs::path report = folder_.write("it's.nsys-rep", "QDREP");
  expect_unreadable(report, "nsys export --type sqlite");
  expect_unreadable(report, "run assay convert '");
  expect_unreadable(folder_.write("b.qdrep", "x"), "nsys export --type sqlite");
  write_nsys(folder_ / "it's.sqlite");
  EXPECT_EQ(at(report).kind, FileKind::kSidecar);
}

TEST_F(Sniff, IgnoresOtherFilesNextToReports) {
  for (const char* name : {"results.json", "README.md", "sweep.csv", "trace.json.gz", "x.sqlite-wal"}) {
    const FoundFile found = at(folder_.write(name, "{}"));
    EXPECT_EQ(found.kind, FileKind::kSidecar) << name;
    EXPECT_EQ(found.problem, "");
  }
}

TEST_F(Sniff, LeavesFileAndFolderAsTheyAre) {
  const fs::path file = folder_ / "a.sqlite";
  run_sql(file, "PRAGMA journal_mode=WAL; CREATE TABLE StringIds (id, value)");
  const std::string before = read_text(file);
  const auto written = fs::last_write_time(file);
  EXPECT_EQ(at(file).kind, kind::kNsys);
  EXPECT_EQ(read_text(file), before);
  EXPECT_EQ(fs::last_write_time(file), written);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(Sniff, AFileBeingWrittenIsKnownByItsLog) {
  const fs::path file = folder_ / "a.sqlite";
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "PRAGMA journal_mode=WAL; CREATE TABLE StringIds (id, value)", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_EQ(at(file).kind, kind::kNsys) << "the table is in the -wal file only";
  ASSERT_EQ(sqlite3_exec(db, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(at(file).kind, kind::kNsys) << "a writer's lock is in nobody's way";
  EXPECT_EQ(sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK) << "nor is ours in the writer's";
  sqlite3_close(db);
}

TEST_F(Sniff, ACutOffExportIsNsysAsSoonAsATableCanBeSeen) {
  ASSAY_REAL_FOLDER(examples, "examples");
  const std::string whole =
      read_text(fs::path(examples) / "rq1_model_architecture_impact" / "gpu0_numa0_vit8x6x384.sqlite");
  ASSERT_GT(whole.size(), 20U * 4096U);
  std::size_t first_nsys = 0;
  for (std::size_t pages = 1; pages * 4096 <= whole.size(); ++pages) {
    const FoundFile found = at(folder_.write("cut.sqlite", std::string_view(whole).substr(0, pages * 4096)));
    const bool visible =
        std::string_view(whole).substr(0, pages * 4096).find("CREATE TABLE StringIds") != std::string_view::npos;
    if (found.kind == kind::kNsys && first_nsys == 0) first_nsys = pages;
    EXPECT_TRUE(!visible || found.kind == kind::kNsys) << pages;
    if (found.kind == kind::kNsys) continue;
    EXPECT_EQ(found.kind, FileKind::kUnreadable) << pages;
    EXPECT_TRUE(contains(found.problem, "damaged or cut off"));
  }
  EXPECT_GT(first_nsys, 1U) << "the list of tables does not begin on the first page of this file";
  EXPECT_LT(first_nsys, 20U);
}

TEST_F(Sniff, EveryPublicExportIsKnown) {
  ASSAY_REAL_FOLDER(data, "public");
  std::size_t exports = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(data) / "nsys")) {
    EXPECT_EQ(at(entry.path()).kind, kind::kNsys) << entry.path();
    ++exports;
  }
  EXPECT_EQ(exports, 8U);
}

TEST_F(Sniff, BytesTurnedAtRandomNeverEndTheRun) {
  const std::string whole = read_text(write_nsys(folder_ / "a.sqlite"));
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    for (int i = 0; i < 8; ++i) bytes[16 + random() % (bytes.size() - 16)] = static_cast<char>(random());
    const FoundFile found = at(folder_.write("fuzzed.sqlite", bytes));
    EXPECT_TRUE(found.kind == kind::kNsys || !found.problem.empty());
  }
}

}  // namespace assay::sniff_test
