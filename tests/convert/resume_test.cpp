// Which exports count, and what is never replaced.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "convert/export_check.hpp"
#include "converting.hpp"
#include "files/walk.hpp"
#include "load/report_names.hpp"
#include "support/check.hpp"
#include "support/real_data.hpp"
#include "support/temp_folder.hpp"

namespace assay::testing::resume_test {

namespace fs = std::filesystem;

class Resuming : public Converting {
 protected:
  Resuming() : report_(report("a.nsys-rep", "export")), export_(at("a.sqlite")) {}

  /// Whether the export, as it is now, is made anew.
  bool is_redone() {
    const std::size_t before = tools_.calls();
    const std::string became = outcome(convert(), report_);
    const bool whole = read_text(export_) == tools_.export_bytes();
    EXPECT_TRUE(whole || became == "up to date");
    EXPECT_EQ(tools_.calls() - before, became == "converted" ? 1U : 0U) << became;
    return became == "converted";
  }

  fs::path report_, export_;
};

TEST_F(Resuming, AnUpToDateExportIsNotMadeAgain) {
  EXPECT_TRUE(is_redone());
  EXPECT_FALSE(is_redone());
  options_.force = true;
  EXPECT_TRUE(is_redone());
}

TEST_F(Resuming, AnOlderExportIsMadeAgain) {
  write_text(export_, tools_.export_bytes());
  fs::last_write_time(export_, fs::last_write_time(report_) - std::chrono::seconds(1));
  EXPECT_TRUE(is_redone());
  EXPECT_FALSE(is_redone());
}

TEST_F(Resuming, AReportOfTheFutureIsNotConvertedForEver) {
  fs::last_write_time(report_, fs::file_time_type::clock::now() + std::chrono::hours(10));
  EXPECT_TRUE(is_redone());
  EXPECT_FALSE(is_redone());
}

TEST_F(Resuming, AnUnfinishedExportIsMadeAgain) {
  const std::string& whole = tools_.export_bytes();
  for (const std::string& bytes :
       {std::string(), whole.substr(0, 50), whole.substr(0, 4096), whole.substr(0, whole.size() - 1),
        std::string(10000, '\0'), std::string("not a database")}) {
    write_text(export_, bytes);
    EXPECT_TRUE(is_redone()) << bytes.size();
    EXPECT_FALSE(is_redone());
  }
  for (const char* sql : {"DELETE FROM META_DATA_EXPORT", "DROP TABLE StringIds",
                          "ALTER TABLE META_DATA_EXPORT RENAME TO EXPORT_META_DATA; DELETE FROM EXPORT_META_DATA"}) {
    run_sql(export_, sql);
    EXPECT_TRUE(is_redone()) << sql;
  }
}

TEST_F(Resuming, ExportsFromBefore2022HaveNoLastTable) {
  write_text(export_, tools_.export_bytes());
  run_sql(export_, "DROP TABLE META_DATA_EXPORT; VACUUM");
  EXPECT_FALSE(is_redone());
}

TEST_F(Resuming, AJournalBesideItShowsAnUnfinishedExport) {
  for (const char* suffix : {"-journal", "-wal"}) {
    write_text(export_, tools_.export_bytes());
    write_text(export_.native() + suffix, "half a log");
    EXPECT_TRUE(is_redone()) << suffix;
    EXPECT_TRUE(equals(all_below(reports_.path()), {"a.nsys-rep", "a.sqlite"}));
  }
}

TEST_F(Resuming, AnotherDatabaseOfThatNameIsLeftAlone) {
  run_sql(export_, "CREATE TABLE mine(x); INSERT INTO mine VALUES(1)");
  const std::string bytes = read_text(export_);
  for (const bool force : {false, true}) {
    options_.force = force;
    EXPECT_TRUE(contains(outcome(convert(), report_), "is some other database, not an export of nsys, so it"));
    EXPECT_EQ(read_text(export_), bytes);
  }
  fs::remove(export_);
  fs::create_directory(export_);
  EXPECT_TRUE(contains(outcome(convert(), report_), "is not a regular file, so it was left alone"));
}

TEST_F(Resuming, AFailureKeepsTheOldExport) {
  write_text(report_, "broken\n");
  write_text(export_, tools_.export_bytes());
  fs::last_write_time(export_, fs::last_write_time(report_) - std::chrono::hours(1));
  EXPECT_TRUE(contains(outcome(convert(), report_), "disk I/O error"));
  EXPECT_TRUE(read_text(export_) == tools_.export_bytes());
}

TEST_F(Resuming, LeftoversOfAKilledRunAreRemovedAndThoseInUseStay) {
  for (const char* name : {".assay-unfinished-killed", ".assay-unfinished-in-use"}) {
    fs::create_directory(at(name));
    write_text(at(std::string(name) + "/export.sqlite"), tools_.export_bytes());
    write_text(at(std::string(name) + "/half.nsys-rep"), "export\n");
  }
  const int lock = open(at(".assay-unfinished-in-use").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(convert().reports.size(), 1U);
  for (const WalkedFile& file : walk(reports_.path(), named_like_a_report).files) {
    EXPECT_TRUE(file.below == "a.nsys-rep" || file.below == "a.sqlite") << file.below << " would be read as a report";
  }
  EXPECT_FALSE(fs::exists(at(".assay-unfinished-killed")));
  EXPECT_TRUE(fs::exists(at(".assay-unfinished-in-use/export.sqlite")));
  close(lock);
}

TEST_F(Resuming, NothingCanBeWrittenToTheFolder) {
  if (geteuid() == 0) GTEST_SKIP() << "SKIPPED: root may write everywhere";
  fs::permissions(reports_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_TRUE(contains(outcome(convert(), report_), "its folder is not writable (Permission denied)"));
}

TEST(RealExports, AreComplete) {
  std::size_t checked = 0;
  for (const char* name : {"examples", "public", "h200"}) {
    const char* folder = real_data(name);
    if (folder == nullptr) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".sqlite") continue;
      const convert::ExportCheck check = convert::check_export({entry.path(), ""});
      EXPECT_EQ(check.state, convert::ExportState::kComplete) << entry.path() << " " << check.why;
      ++checked;
    }
  }
  if (checked == 0) GTEST_SKIP() << "SKIPPED: ASSAY_EXAMPLES, ASSAY_DATA/public and ASSAY_DATA/h200 are not set";
  std::cout << checked << " exports are complete\n";
}

}  // namespace assay::testing::resume_test
