// A disk of two megabytes that is full sooner or later: a command says so, ends with 3, and leaves what was there.
#include <sys/mount.h>
#include <sys/statvfs.h>

#include <cerrno>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::full_disk_test {

constexpr std::size_t kPage = 4096;

class FullDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(disk_);
    if (mount("tmpfs", disk_.c_str(), "tmpfs", 0, "size=2m") != 0)
      GTEST_SKIP() << "SKIPPED: mounting a small disk is not allowed here: " << std::strerror(errno);
    mounted_ = true;
    prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch_.path());
  }
  void TearDown() override {
    if (mounted_) {
      EXPECT_EQ(umount2(disk_.c_str(), MNT_DETACH), 0);
    }
  }

  Outcome run(const std::string& command) { return run_assay(scratch_.path(), split_command(command)); }
  /// Leaves so many pages free.
  void leave(std::size_t pages) {
    fs::remove(disk_ / "filler");
    struct statvfs s{};
    ASSERT_EQ(statvfs(disk_.c_str(), &s), 0);
    const std::size_t free = s.f_bavail * s.f_frsize / kPage;
    ASSERT_GT(free, pages);
    write_text(disk_ / "filler", std::string((free - pages) * kPage, '\0'));
    ASSERT_EQ(statvfs(disk_.c_str(), &s), 0);
    ASSERT_EQ(s.f_bavail * s.f_frsize / kPage, pages);
  }
  [[nodiscard]] std::vector<std::string> names_on_disk() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(disk_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  TempFolder scratch_;
  const fs::path disk_ = scratch_ / "disk";
  bool mounted_ = false;
};

TEST_F(FullDisk, ARunThatDoesNotFitLeavesTheResultThatWasThere) {
  ASSERT_EQ(run("run config.toml --reports reports --no-cache -o disk/out").exit, 0);
  const auto before = contents_but_run_json(disk_ / "out");
  ASSERT_GE(before.size(), 4U);
  std::size_t failed = 0, pages = 0;
  for (bool fits = false; !fits; pages += 1 + pages / 4) {
    ASSERT_LT(pages * kPage, std::size_t{2} << 20) << "there must be a size that suffices";
    leave(pages);
    const Outcome outcome = run("run config.toml --reports reports --no-cache -q -o disk/out");
    fits = outcome.exit == 0;
    if (!fits) {
      ++failed;
      EXPECT_EQ(outcome.exit, 3) << pages << " pages: " << outcome.err;
      EXPECT_TRUE(contains(outcome.err, std::strerror(ENOSPC))) << pages << " pages";
    }
    EXPECT_EQ(different_files(contents_but_run_json(disk_ / "out"), before), std::vector<std::string>()) << pages;
    EXPECT_EQ(names_on_disk(), (std::vector<std::string>{"filler", "out"})) << pages << " pages";
  }
  EXPECT_GE(failed, 8U) << "in the midst of one file or another";
}

TEST_F(FullDisk, ACacheThatIsFullIsAWarning) {
  ASSERT_EQ(run("run config.toml --reports reports --no-cache -o plain").exit, 0);
  const auto plain = contents_but_run_json(scratch_ / "plain");
  for (const std::size_t pages : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{9}}) {
    fs::remove_all(disk_ / "cache");  // what was remembered before needs no room
    leave(pages);
    const Outcome outcome = run("run config.toml --reports reports --cache disk/cache -o out");
    EXPECT_EQ(outcome.exit, 0) << pages << " pages";
    EXPECT_TRUE(contains_all(outcome.err, {"assay: warning: ", std::strerror(ENOSPC)})) << pages << " pages";
    EXPECT_EQ(different_files(contents_but_run_json(scratch_ / "out"), plain), std::vector<std::string>());
  }
  fs::remove(disk_ / "filler");
  EXPECT_EQ(run("run config.toml --reports reports --cache disk/cache -o out").err, "") << "with room it is filled";
  EXPECT_EQ(recalled_profiles(run("run config.toml --reports reports --cache disk/cache -v -o out").err), 3);
}

/// Other commands that write a file.
TEST_F(FullDisk, EveryCommandThatWritesAFileSaysSoAndLeavesNothing) {
  ASSERT_EQ(run("run config.toml --reports reports --no-cache -o plain").exit, 0);
  for (const char* command :
       {"stats reports/runs/vit1.sqlite -o disk/tables", "timeline reports/runs/vit1.sqlite -o disk/new.json",
        "look reports -o disk/new.html", "init reports -o disk/new.toml", "history plain plain -o disk/new.html"}) {
    leave(0);
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit, 3) << command << "\n" << outcome.err;
    EXPECT_TRUE(contains(outcome.err, std::strerror(ENOSPC))) << command;
    EXPECT_EQ(names_on_disk(), (std::vector<std::string>{"filler"})) << command;
  }
}

}  // namespace assay::testing::full_disk_test
