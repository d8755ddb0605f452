// Entries kept, found again, replaced and trimmed; folders that cannot be used; several processes at once.
#include "cache/store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "support/test.hpp"

namespace assay::cache::store_test {

using namespace assay::testing;

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 40;

class CacheStore : public ::testing::Test {
 protected:
  TempFolder scratch_;
  Store store_{scratch_ / "cache"};
};

/// As if the entry had been used last so many seconds after 1970.
void set_used(const fs::path& file, std::int64_t seconds) {
  const timespec times[2] = {{seconds, 0}, {seconds, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), times, 0), 0) << file;
}

std::uint64_t on_disk(const fs::path& file) {
  struct stat s{};
  EXPECT_EQ(lstat(file.c_str(), &s), 0);
  return static_cast<std::uint64_t>(std::max<off_t>(s.st_size, s.st_blocks * 512));
}

TEST_F(CacheStore, FindsWhatWasKeptUnderTheSameKeyOnly) {
  const std::string payload("a\0b\xFF", 4), key("key\0one", 7);
  EXPECT_EQ(store_.find(key), std::nullopt) << "the folder is not there yet";
  EXPECT_FALSE(store_.wrote());
  store_.keep(key, payload);
  store_.keep("empty", "");
  EXPECT_TRUE(store_.wrote());
  EXPECT_EQ(store_.find(key), payload);
  EXPECT_EQ(store_.find("empty"), "");
  EXPECT_EQ(store_.find("key"), std::nullopt);
  EXPECT_EQ(Store(scratch_ / "cache").find(key), payload) << "by another run";
  EXPECT_EQ(store_.problem(), std::nullopt);
}

TEST_F(CacheStore, ALaterPayloadReplacesAnEarlierOneAndLeavesNoOtherFile) {
  store_.keep("key", "first");
  store_.keep("key", "second and longer");
  EXPECT_EQ(store_.find("key"), "second and longer");
  EXPECT_EQ(files_below(scratch_ / "cache").size(), 1U);
}

TEST_F(CacheStore, TheFolderIsForItsUserAlone) {
  store_.keep("key", "payload");
  for (const fs::path& made : {scratch_ / "cache", store_.file_of("key")}) {
    EXPECT_EQ(fs::status(made).permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none) << made;
  }
}

TEST_F(CacheStore, AFolderThatCannotBeMadeIsAReasonAndNothingMore) {
  write_text(scratch_ / "file", "in the way");
  Store store(scratch_ / "file/cache");
  store.keep("key", "payload");
  store.keep("other", "payload");
  EXPECT_EQ(store.find("key"), std::nullopt);
  EXPECT_FALSE(store.wrote());
  ASSERT_TRUE(store.problem().has_value());
  EXPECT_TRUE(contains(*store.problem(), std::strerror(ENOTDIR)));
  store.trim(0);
}

TEST_F(CacheStore, AFolderWithoutPermissionIsAReasonAndNothingMore) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
  fs::create_directory(scratch_ / "cache");
  fs::permissions(scratch_ / "cache", fs::perms::owner_read | fs::perms::owner_exec);
  store_.keep("key", "payload");
  EXPECT_EQ(store_.find("key"), std::nullopt);
  EXPECT_TRUE(contains(store_.problem().value_or(""), std::strerror(EACCES)));
}

TEST_F(CacheStore, DoesNotReadOtherFilesInPlaceOfAnEntry) {
  fs::create_directories(store_.file_of("folder"));
  fs::create_directories(store_.file_of("pipe").parent_path());
  ASSERT_EQ(mkfifo(store_.file_of("pipe").c_str(), 0600), 0);
  EXPECT_EQ(store_.find("folder"), std::nullopt);
  EXPECT_EQ(store_.find("pipe"), std::nullopt) << "and it does not wait for a writer";
  store_.keep("folder", "payload");
  EXPECT_TRUE(store_.problem().has_value());
  EXPECT_EQ(files_below(scratch_ / "cache").size(), 1U) << "the pipe: nothing half-written is left";
}

TEST_F(CacheStore, TrimRemovesWhatWasNotUsedForLongest) {
  const std::string payload(10000, 'x');
  std::uint64_t total = 0;
  for (int i = 0; i < 6; ++i) {
    const std::string key = "key" + std::to_string(i);
    store_.keep(key, payload);
    set_used(store_.file_of(key), 1000 + i);
    total += on_disk(store_.file_of(key));
  }
  store_.trim(total);
  EXPECT_EQ(files_below(scratch_ / "cache").size(), 6U) << "all fit";
  ASSERT_TRUE(store_.find("key0").has_value());  // used now
  store_.trim(total / 2);
  EXPECT_TRUE(store_.find("key0").has_value());
  for (const char* gone : {"key1", "key2", "key3"}) EXPECT_EQ(store_.find(gone), std::nullopt) << gone;
  for (const char* left : {"key4", "key5"}) EXPECT_TRUE(store_.find(left).has_value()) << left;
  store_.trim(0);
  EXPECT_EQ(files_below(scratch_ / "cache").size(), 0U);
}

TEST_F(CacheStore, TrimTouchesNothingThatIsNotItsOwn) {
  const std::string digits(30, 'a');
  for (const std::string& name :
       std::vector<std::string>{"note.txt", "ab/report.sqlite", "zz/" + digits + ".result", "ab/short.result"}) {
    write_text(scratch_ / "cache" / name, "mine");
  }
  const auto before = files_below(scratch_ / "cache");
  store_.keep("key", "payload");
  store_.trim(0);
  EXPECT_EQ(files_below(scratch_ / "cache"), before);
}

TEST_F(CacheStore, TrimRemovesWhatInterruptedWritersLeft) {
  write_text(scratch_ / "cache/ab/.assay-unfinished-dead", "half");
  write_text(scratch_ / "cache/ab/.assay-unfinished-alive", "being written");
  const int writer = open((scratch_ / "cache/ab/.assay-unfinished-alive").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(writer, LOCK_EX | LOCK_NB), 0);
  store_.trim(kPlenty);
  close(writer);
  EXPECT_TRUE(equals(files_below(scratch_ / "cache"), {"ab/.assay-unfinished-alive"}));
}

TEST_F(CacheStore, DistrustsEntriesThatOthersCouldWrite) {
  const fs::path folder = scratch_ / "cache", entry = store_.file_of("key");
  store_.keep("key", "payload");
  ASSERT_TRUE(store_.find("key").has_value());
  ASSERT_EQ(chmod(entry.c_str(), 0620), 0);
  EXPECT_EQ(store_.find("key"), std::nullopt) << "its group may write to it";
  ASSERT_EQ(chmod(entry.c_str(), 0600), 0);
  EXPECT_TRUE(store_.find("key").has_value());
  EXPECT_EQ(store_.problem(), std::nullopt);
  for (const fs::path& open_to_all : {folder, entry.parent_path()}) {
    ASSERT_EQ(chmod(open_to_all.c_str(), 0777), 0);
    Store store(folder);
    EXPECT_EQ(store.find("key"), std::nullopt) << open_to_all;
    EXPECT_TRUE(contains(store.problem().value_or(""), "is writable by everybody, so nothing in it is believed"));
    store.keep("other", "payload");
    EXPECT_FALSE(store.wrote());
    ASSERT_EQ(chmod(open_to_all.c_str(), 0700), 0);
  }
  EXPECT_TRUE(store_.find("key").has_value());
}

TEST_F(CacheStore, AnEntryOfAnotherUserIsNotBelieved) {
  if (geteuid() != 0) GTEST_SKIP() << "SKIPPED: only root can give a file away";
  store_.keep("key", "payload");
  ASSERT_EQ(chown(store_.file_of("key").c_str(), 65534, 65534), 0);
  EXPECT_EQ(store_.find("key"), std::nullopt);
  store_.keep("key", "own");
  EXPECT_EQ(store_.find("key"), "own");
  ASSERT_EQ(chown((scratch_ / "cache").c_str(), 65534, 65534), 0);
  EXPECT_EQ(store_.find("key"), std::nullopt) << "the folder is another user's";
}

/// Keeps, finds and trims until `rounds` are over; 0 when every payload found was one that some process had kept.
int hammer(const fs::path& folder, int process, int rounds) {
  Store store(folder);
  for (int round = 0; round < rounds; ++round) {
    for (int key = 0; key < 4; ++key) {
      const std::string name = "key" + std::to_string(key);
      store.keep(name, std::string(static_cast<std::size_t>(1000 * process + round + 1), static_cast<char>('a' + key)));
      const auto found = store.find(name);
      if (found && found->find_first_not_of(static_cast<char>('a' + key)) != std::string::npos) return 1;
      if (found && found->empty()) return 2;
    }
    if (round % 8 == 0) store.trim(20000);
  }
  return store.problem() ? 3 : 0;
}

TEST_F(CacheStore, ProcessesMayUseOneFolderAtOnce) {
  std::vector<pid_t> children;
  for (int process = 0; process < 4; ++process) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(hammer(scratch_ / "cache", process, 60));
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
  }
  for (const std::string& name : files_below(scratch_ / "cache")) EXPECT_TRUE(ends_with(name, ".result"));
  EXPECT_FALSE(files_below(scratch_ / "cache").empty());
}

TEST(CacheFolder, IsWhereTheSystemKeepsCaches) {
  const char* home = std::getenv("HOME");
  const std::string saved = home == nullptr ? "" : home;
  setenv("HOME", "/home/someone", 1);
  setenv("XDG_CACHE_HOME", "/var/caches", 1);
  EXPECT_EQ(default_folder(), fs::path("/var/caches/assay"));
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(default_folder(), fs::path("/home/someone/.cache/assay")) << "a relative path is to be ignored";
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(default_folder(), fs::path("/home/someone/.cache/assay"));
  unsetenv("HOME");
  EXPECT_EQ(default_folder(), std::nullopt);
  if (home != nullptr) setenv("HOME", saved.c_str(), 1);
}

}  // namespace assay::cache::store_test
