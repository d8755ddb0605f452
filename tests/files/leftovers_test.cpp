#include "files/leftovers.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "files/placement.hpp"
#include "files/staged_folder.hpp"
#include "support/test.hpp"

namespace assay::files::leftovers_test {

using namespace assay::testing;
using assay::testing::write_text;  // beside that of the room

/// A child that makes something unfinished and waits; `made` is where.
struct Writer {
  explicit Writer(const fs::path& parent) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    child = fork();
    if (child == 0) {
      const LockedTemporary file = make_unfinished_file(parent, 0600), folder = make_unfinished_folder(parent);
      write_text(folder.path / "deep/half", "half");
      static_cast<void>(!write(ready[1], "r", 1));
      while (true) pause();
    }
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
  }
  void die() {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    child = -1;
  }
  ~Writer() {
    if (child > 0) die();
  }
  pid_t child = -1;
};

TEST(Leftovers, AreRemovedOnceTheirProcessEnded) {
  const TempFolder scratch;
  write_text(scratch / "mine", "mine");
  write_text(scratch / ".assay-unfinished.txt", "named alike");
  Writer writer(scratch.path());
  remove_leftovers(scratch.path());
  EXPECT_EQ(files_below(scratch.path()).size(), 4U);
  writer.die();
  remove_leftovers(scratch.path());
  EXPECT_TRUE(equals(files_below(scratch.path()), {".assay-unfinished.txt", "mine"}));
}

TEST(Leftovers, ALinkNamedLikeOneIsNotFollowed) {
  const TempFolder scratch;
  write_text(scratch / "mine/file", "mine");
  fs::create_directory(scratch / "out");
  fs::create_directory_symlink(scratch / "mine", scratch / "out/.assay-unfinished-link");
  remove_leftovers(scratch / "out");
  EXPECT_EQ(read_text(scratch / "mine/file"), "mine");
}

/// One cleans while others begin: nobody loses what it has begun.
TEST(Leftovers, BeginningWhileAnotherCleansNeverLosesAFolder) {
  const TempFolder scratch;
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    for (int round = 0; round < 200; ++round) {
      std::error_code why;
      const auto folder = StagedFolder::make(scratch / "new/parent", why);
      if (!folder || !fs::exists(folder->path())) _exit(1);
      write_text(folder->path() / "file", "x");
      remove_leftovers(scratch / "new/parent");
      if (read_text(folder->path() / "file") != "x") _exit(2);
    }
    _exit(0);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(is_empty(files_below(scratch.path())));
}

TEST(StagedFolder, ParentsThatWereMadeForItGoWithIt) {
  const TempFolder scratch;
  std::error_code why;
  {
    const auto folder = StagedFolder::make(scratch / "new/parent", why);
    ASSERT_TRUE(folder) << why.message();
    write_text(folder->path() / "deep/file", "x");
  }
  EXPECT_FALSE(fs::exists(scratch / "new"));
  write_text(scratch / "file", "x");
  EXPECT_FALSE(StagedFolder::make(scratch / "file/parent", why));
  EXPECT_EQ(why, std::errc::not_a_directory);
}

TEST(Placement, IsTakenBackUnlessKept) {
  const TempFolder scratch;
  for (const char* name : {"a", "b", "c", "staged/a", "staged/new"}) write_text(scratch / name, name);
  {
    RenameTransaction placement;
    ASSERT_TRUE(placement.replace(scratch / "staged/a", scratch / "a", scratch / "staged/a.before"));
    ASSERT_TRUE(placement.move_aside(scratch / "b", scratch / "aside/b"));
    ASSERT_TRUE(placement.move_in(scratch / "staged/new", scratch / "b"));
    EXPECT_EQ(read_text(scratch / "a"), "staged/a");
    EXPECT_EQ(read_text(scratch / "b"), "staged/new");
    EXPECT_FALSE(placement.move_in(scratch / "staged/none", scratch / "c"));
  }
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(read_text(scratch / name), name);
}

}  // namespace assay::files::leftovers_test
