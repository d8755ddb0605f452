// Files that are not what they should be: one sentence or an issue each, never a crash, never a trace beside the user's
// file.
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "load/made_export.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay::load_damage_test {

void write(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

std::string refusal_of(const std::filesystem::path& file) {
  const auto profile = load_profile({file, kind::kNsys}, "x", all_columns(), 1);
  return profile ? "was read" : profile.error().sentence;
}

TEST(Damage, RejectsNonExportsWithASentence) {
  const TempFolder folder;
  write(folder.path() / "empty.sqlite", "");
  write(folder.path() / "text.sqlite", "version https://git-lfs.github.com/spec/v1\n");
  write(folder.path() / "noise.sqlite", std::string(5000, '\x9c'));
  write(folder.path() / "header.sqlite", std::string("SQLite format 3\0", 16));
  std::filesystem::create_directory(folder.path() / "folder.sqlite");
  std::filesystem::create_symlink("nowhere", folder.path() / "link.sqlite");
  run_sql(folder.path() / "other.sqlite", "CREATE TABLE songs(title TEXT)");
  for (const char* name : {"empty", "text", "noise", "header", "folder", "link", "other", "missing"}) {
    const std::string sentence = refusal_of(folder.path() / (std::string(name) + ".sqlite"));
    EXPECT_TRUE(contains(sentence, name));
    EXPECT_NE(sentence, "was read") << name;
  }
}

TEST(Damage, TheUsersFileIsLeftAsItIs) {
  MadeExport made;
  made.with_calls().with_kernels().call(10, 20, tid(1, 1), 1).kernel(30, 40, pid(1), 1);
  const auto file = made.write();
  const std::string before = read_text(file);
  const auto time = std::filesystem::last_write_time(file);
  EXPECT_EQ(LoadedView(file).report().calls->rows, 1U);
  EXPECT_EQ(read_text(file), before);
  EXPECT_EQ(std::filesystem::last_write_time(file), time);
  EXPECT_EQ(files_in(made.folder()), 1U) << "no -wal, -shm or -journal";
}

TEST(Damage, AFileThatChangesWhileItIsReadIsReported) {
  MadeExport made;
  made.with_calls().with_kernels().call(10, 20, tid(1, 1), 1).kernel(30, 40, pid(1), 1);
  const auto file = made.write();
  const auto reported = [&] { return LoadedView(file).issue("changed_while_read").has_value(); };
  EXPECT_FALSE(reported());
  std::jthread writer([&](const std::stop_token& stop) {
    for (auto time = std::filesystem::last_write_time(file); !stop.stop_requested(); time += std::chrono::seconds(1))
      std::filesystem::last_write_time(file, time);
  });
  // Nearly each of them; the writer may be off the processor for a while.
  bool once = false;
  for (int tries = 0; tries < 10'000 && !once; ++tries) once = reported();
  EXPECT_TRUE(once);
}

TEST(Damage, AFileWithAWriteAheadLogIsReadWithItAndWithoutTouchingEither) {
  MadeExport made;
  made.with_calls().call(10, 20, tid(1, 1), 1);
  const auto file = made.write();
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(
      sqlite3_exec(writer,
                   "PRAGMA journal_mode=WAL; INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(30,40,0,16777217,2,1,0)",
                   nullptr, nullptr, nullptr),
      SQLITE_OK);
  const std::string before = read_text(file);
  const std::size_t files = files_in(made.folder());
  EXPECT_EQ(LoadedView(file).report().calls->rows, 2U);
  EXPECT_EQ(read_text(file), before);
  EXPECT_EQ(files_in(made.folder()), files);
  sqlite3_close(writer);
}

TEST(Damage, NamesThatMeanSomethingInAUri) {
  MadeExport made;
  const auto file = made.with_calls().call(10, 20, tid(1, 1), 1).write();
  const auto odd = made.folder() / "a?b#c%20 d'.sqlite";
  std::filesystem::rename(file, odd);
  EXPECT_EQ(LoadedView(odd).report().calls->rows, 1U);
  EXPECT_EQ(files_in(made.folder()), 1U);
}

TEST(Damage, ReadOnlyFolder) {
  MadeExport made;
  const auto file = made.with_calls().call(10, 20, tid(1, 1), 1).write();
  std::filesystem::permissions(made.folder(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_EQ(LoadedView(file).report().calls->rows, 1U);
}

TEST(Damage, HostileRowNumbersReserveNoMoreThanTheFileCouldHold) {
  MadeExport made;
  made.with_calls().add(
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME(rowid,start,end,eventClass,globalTid,correlationId,nameId,returnValue)"
      " VALUES(9223372036854775807,1,2,0,1,1,1,0);");
  const LoadedView loaded(made.write());
  EXPECT_EQ(loaded.report().calls->rows, 1U);
  EXPECT_LT((*loaded.profile).bytes(), 1U << 20);
}

TEST(Damage, ARealReportTruncatedAtEachPageIsReadAsFarAsItGoesOrRefused) {
  ASSAY_REAL_FOLDER(examples, "examples");
  const std::string whole =
      read_text(std::filesystem::path(examples) / "rq1_model_architecture_impact" / "gpu0_numa0_vit8x6x384.sqlite");
  constexpr std::size_t kPage = 4096;
  ASSERT_GT(whole.size(), 10 * kPage);
  const TempFolder folder;
  const auto file = folder.path() / "cut.sqlite";
  std::size_t read = 0, refused = 0;
  for (std::size_t size = 0; size < whole.size(); size += kPage) {
    write(file, std::string_view(whole).substr(0, size));
    const auto profile = load_profile({file, kind::kNsys}, "cut", all_columns(), 1);
    if (!profile) {
      EXPECT_TRUE(contains(profile.error().sentence, "cut.sqlite"));
      ++refused;
    } else {
      const auto view = require((*profile).view({}, {}));
      const IssueTable& issues = *(*view).report().issues;
      bool said = false;
      for (std::size_t i = 0; i < issues.rows; ++i) said = said || issues.severity[i] == Severity::kError;
      EXPECT_TRUE(said) << "nothing says that the file of " << size << " bytes is cut";
      ++read;
    }
    ASSERT_EQ(files_in(folder.path()), 1U);
  }
  EXPECT_GT(refused, 0U);
  EXPECT_GT(read, 0U);
}

}  // namespace assay::load_damage_test
