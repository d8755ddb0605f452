// Two writers' files never stand side by side: whoever is killed, wherever, and however many write at once.
#include "files/result_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "support/test.hpp"

namespace assay::files::result_folder_test {

using namespace assay::testing;
using assay::testing::write_text;  // beside that of the room

/// A list is "LIST", then a name a line.
std::vector<std::string> names_in(const fs::path& list) {
  std::istringstream in(read_text(list));
  std::vector<std::string> names;
  std::string line;
  if (!std::getline(in, line) || line != "LIST") return names;
  while (std::getline(in, line)) names.push_back(line);
  return names;
}

FolderRules rules() {
  FolderRules rules;
  rules.list = "list";
  rules.names_in = names_in;
  return rules;
}

/// Files of one writer: each holds its mark, the list after its names.
const std::vector<std::string> kOld = {"a", "list", "only/old", "z"}, kNew = {"a", "list", "only/new", "z"};

void stage(const ResultFolder& folder, const std::vector<std::string>& names, const std::string& mark) {
  std::string list = "LIST\n";
  for (const std::string& name : names) list += name + "\n";
  for (const std::string& name : names) write_text(folder.path() / name, name == "list" ? list : mark);
}

Status write(const fs::path& out, const std::vector<std::string>& names, const std::string& mark, FolderRules how) {
  auto folder = ResultFolder::make(out, std::move(how));
  if (!folder) return folder.error();
  stage(*folder, names, mark);
  return folder->publish(names);
}

/// Marks of the files in a folder, apart from its list and what is not of a writer.
std::set<std::string> marks(const fs::path& out) {
  std::set<std::string> found;
  for (const std::string& name : files_below(out)) {
    if (name != "list" && name != "mine" && !name.starts_with(".assay")) found.insert(read_text(out / name));
  }
  return found;
}

/// A folder with a result, written with `prepare` before the second writer comes.
class Replacing : public ::testing::TestWithParam<bool> {
 protected:
  Replacing() {
    EXPECT_TRUE(write(out_, kOld, "old", rules()));
    if (in_place()) write_text(out_ / "mine", "mine");
  }
  static bool in_place() { return GetParam(); }
  [[nodiscard]] std::vector<std::string> with_mine(std::vector<std::string> names) const {
    if (in_place()) names.insert(names.end() - 1, "mine");
    std::sort(names.begin(), names.end());
    return names;
  }
  TempFolder scratch_;
  fs::path out_ = scratch_ / "out";
};

INSTANTIATE_TEST_SUITE_P(Ways, Replacing, ::testing::Values(false, true),
                         [](const auto& way) { return way.param ? "InPlace" : "Exchanged"; });

TEST_P(Replacing, LeavesTheNewFilesAndThoseOfOthers) {
  ASSERT_TRUE(write(out_, kNew, "new", rules()));
  EXPECT_EQ(files_below(scratch_.path()).size(), kNew.size() + (in_place() ? 1 : 0));
  EXPECT_EQ(files_below(out_), with_mine(kNew));
  EXPECT_TRUE(equals(marks(out_), {"new"}));
  EXPECT_FALSE(fs::exists(out_ / "only/old"));
}

TEST_P(Replacing, KilledBeforeAnyStepNeverLeavesFilesOfTwo) {
  int killed = 0;
  for (bool done = false; !done; ++killed) {
    const pid_t child = fork();
    if (child == 0) {
      FolderRules how = rules();
      how.before_step = [left = killed]() mutable {
        if (left-- == 0) raise(SIGKILL);
      };
      _exit(write(out_, kNew, "new", how) ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    done = WIFEXITED(status);
    if (done) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
    }
    EXPECT_LE(marks(out_).size(), 1U) << "killed at step " << killed;
    const bool listed = fs::exists(out_ / "list");
    if (!in_place()) {
      EXPECT_TRUE(listed) << "an exchange is one step";
    }
    if (!listed) {
      EXPECT_TRUE(is_half_filled(out_)) << "killed at step " << killed;
    }
    std::vector<std::string> there;
    for (const std::string& name : files_below(out_)) {
      if (!name.starts_with(".assay") && name != "mine") there.push_back(name);
    }
    if (listed) {
      EXPECT_EQ(there, names_in(out_ / "list")) << "killed at step " << killed;
    }

    ASSERT_TRUE(write(out_, kOld, "old", rules())) << "the next run knows that the folder is assay's";
    EXPECT_EQ(files_below(out_), with_mine(kOld)) << "and what the dead one left goes";
    EXPECT_EQ(files_below(scratch_.path()).size(), with_mine(kOld).size());
    EXPECT_FALSE(is_half_filled(out_));
    if (in_place()) {
      EXPECT_EQ(read_text(out_ / "mine"), "mine");
    }
  }
  EXPECT_GE(killed, in_place() ? 9 : 3) << "each step was tried";
}

TEST_P(Replacing, AFailureHalfWayTakesAllBack) {
  auto folder = ResultFolder::make(out_, rules());
  ASSERT_TRUE(folder);
  stage(*folder, kNew, "new");
  fs::remove(folder->path() / "z");  // so that moving it fails, after most of the others
  if (!in_place()) return;           // an exchange moves no single file
  EXPECT_FALSE(folder->publish(kNew));
  EXPECT_TRUE(equals(marks(out_), {"old"}));
  EXPECT_EQ(names_in(out_ / "list"), kOld);
}

TEST_P(Replacing, ManyAtOnceGiveOneWholeResult) {
  std::vector<pid_t> children;
  for (int child = 0; child < 12; ++child) {
    children.push_back(fork());
    if (children.back() == 0) _exit(write(out_, child % 2 == 0 ? kNew : kOld, std::to_string(child), rules()) ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(marks(out_).size(), 1U);
  EXPECT_EQ(files_below(out_), with_mine(names_in(out_ / "list")));
  EXPECT_EQ(files_below(scratch_.path()).size(), kNew.size() + (in_place() ? 1 : 0)) << "nothing unfinished stays";
}

TEST_P(Replacing, ReportsWhoHoldsTheFolder) {
  const int held = open(out_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  FolderRules how = rules();
  how.patience = {};
  const Status written = write(out_, kNew, "new", how);
  close(held);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().exit, Exit::kFailed);
  EXPECT_TRUE(contains(written.error().sentence, "is being written by another process"));
  EXPECT_TRUE(equals(marks(out_), {"old"}));
}

TEST(ResultFolder, ManyAtOnceIntoANewFolderBelowNewFolders) {
  for (int round = 0; round < 20; ++round) {
    const TempFolder scratch;
    std::vector<pid_t> children;
    for (int child = 0; child < 12; ++child) {
      children.push_back(fork());
      if (children.back() != 0) continue;
      {
        const auto looked = ResultFolder::make(scratch / "new/out", rules());  // as before the work is done
        if (!looked) std::fprintf(stderr, "%s\n", looked.error().sentence.c_str());
        if (!looked) _exit(2);
      }
      const Status written = write(scratch / "new/out", kNew, std::to_string(child), rules());
      if (!written) std::fprintf(stderr, "%s\n", written.error().sentence.c_str());
      _exit(written ? 0 : 1);
    }
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(marks(scratch / "new/out").size(), 1U);
    EXPECT_EQ(files_below(scratch.path()).size(), kNew.size());
  }
}

TEST(ResultFolder, LeavesOtherFoldersAloneUnlessForced) {
  const TempFolder scratch;
  const fs::path out = scratch / "out";
  write_text(out / "a", "a foreign report");
  const Status refused = write(out, kNew, "new", rules());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit, Exit::kUsage);
  EXPECT_TRUE(contains(refused.error().sentence, "holds files that assay did not write ('a'); choose another one"));
  EXPECT_TRUE(contains(refused.error().sentence, "--force"));
  EXPECT_EQ(read_text(out / "a"), "a foreign report");
  EXPECT_TRUE(equals(files_below(scratch.path()), {"out/a"}));
  write_text(out / "mine", "mine");
  FolderRules how = rules();
  how.force = true;
  ASSERT_TRUE(write(out, kNew, "new", how));
  EXPECT_EQ(read_text(out / "a"), "new");
  EXPECT_EQ(read_text(out / "mine"), "mine");
  EXPECT_EQ(files_below(scratch.path()).size(), kNew.size() + 1);
}

TEST(ResultFolder, AFileOfSomebodyElseInAResultIsNotReplaced) {
  const TempFolder scratch;
  const fs::path out = scratch / "out";
  ASSERT_TRUE(write(out, kOld, "old", rules()));
  write_text(out / "only/new", "mine");
  const Status written = write(out, kNew, "new", rules());
  ASSERT_FALSE(written);
  EXPECT_TRUE(contains(written.error().sentence, "where a file belongs"));
  EXPECT_EQ(read_text(out / "only/new"), "mine");
  EXPECT_EQ(read_text(out / "a"), "old");
}

TEST(ResultFolder, AnEmptyOneIsWrittenAndKeepsItsPermissions) {
  const TempFolder scratch;
  const fs::path out = scratch / "out";
  fs::create_directory(out);
  fs::permissions(out, fs::perms::owner_all | fs::perms::group_read);
  for (const char* mark : {"first", "second"}) {
    ASSERT_TRUE(write(out, kNew, mark, rules()));
    EXPECT_TRUE(equals(marks(out), {mark}));
    EXPECT_EQ(fs::status(out).permissions(), fs::perms::owner_all | fs::perms::group_read);
  }
}

TEST(ResultFolder, PipesAndLinksInTheWayAreSaidAndStay) {
  const TempFolder scratch;
  const fs::path out = scratch / "out";
  for (const std::string name : {"list", "a"}) {
    fs::remove_all(out);
    ASSERT_TRUE(write(out, kOld, "old", rules()));
    fs::remove(out / name);
    ASSERT_EQ(mkfifo((out / name).c_str(), 0600), 0);
    EXPECT_FALSE(write(out, kNew, "new", rules())) << name;
    EXPECT_TRUE(fs::is_fifo(out / name));
  }
  fs::remove_all(out);
  ASSERT_TRUE(write(out, kOld, "old", rules()));
  fs::remove_all(out / "only");
  fs::create_directory(scratch / "elsewhere");
  fs::create_directory_symlink(scratch / "elsewhere", out / "only");
  EXPECT_FALSE(write(out, kNew, "new", rules()));
  EXPECT_TRUE(is_empty(files_below(scratch / "elsewhere"))) << "nothing is written through a link";
}

TEST(ResultFolder, TheCurrentFolderStaysTheCurrentFolder) {
  const TempFolder scratch;
  const fs::path out = scratch / "out", before = fs::current_path();
  ASSERT_TRUE(write(out, kOld, "old", rules()));
  fs::current_path(out);
  EXPECT_TRUE(write(".", kNew, "new", rules()));
  EXPECT_EQ(read_text("a"), "new");
  fs::current_path(before);
  EXPECT_EQ(files_below(scratch.path()).size(), kNew.size());
}

TEST(ResultFolder, BehindALinkItIsTheLinksTargetThatIsReplaced) {
  const TempFolder scratch;
  ASSERT_TRUE(write(scratch / "there/out", kOld, "old", rules()));
  fs::create_directory_symlink(scratch / "there/out", scratch / "link");
  ASSERT_TRUE(write(scratch / "link", kNew, "new", rules()));
  EXPECT_TRUE(fs::is_symlink(scratch / "link"));
  EXPECT_TRUE(equals(marks(scratch / "there/out"), {"new"}));
}

TEST(ResultFolder, AForgedListReachesNothingOutside) {
  const TempFolder scratch;
  write_text(scratch / "secret", "secret");
  write_text(scratch / "out/list", "LIST\n../secret\n" + (scratch / "secret").string() + "\nlist\n");
  ASSERT_TRUE(write(scratch / "out", kNew, "new", rules()));
  EXPECT_EQ(read_text(scratch / "secret"), "secret");
}

}  // namespace assay::files::result_folder_test
