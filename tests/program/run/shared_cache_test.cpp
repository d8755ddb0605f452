// One result cache that several versions of the program, or several users, are told to use: each gets the bytes that it
// gets without a cache.
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::shared_cache_test {

constexpr unsigned kNobody = 65534;

class SharedCache : public ::testing::Test {
 protected:
  SharedCache() {
    prepare_inputs(fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports", scratch_.path());
    chmod(scratch_.path().c_str(), 0755);
    without_ = run("out", "--no-cache");
  }

  /// What a run writes to the folder `out`.
  std::map<std::string, std::string> run(const std::string& out, const std::string& arguments, const Limits& how = {}) {
    const fs::path folder = scratch_ / (out + "_of");
    fs::create_directories(folder);
    if (how.user) {
      EXPECT_EQ(chown(folder.c_str(), *how.user, *how.user), 0);
    }
    const Outcome outcome = run_assay(
        scratch_.path(), split_command("run config.toml --reports reports -v -o " + out + "_of/out " + arguments), how);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    err_ = outcome.err;
    return contents_but_run_json(folder / "out");
  }
  [[nodiscard]] std::map<std::string, std::string> cache() const { return contents_but_run_json(scratch_ / "cache"); }

  TempFolder scratch_;
  std::map<std::string, std::string> without_;
  std::string err_;
};

/// The program with one byte behind its end, as another version beside the plugins of the first.
Limits another_version(const fs::path& prefix) {
  const fs::path built = ASSAY_PROGRAM, other = prefix / "bin" / built.filename();
  fs::create_directories(other.parent_path());
  fs::copy_file(built, other);
  std::ofstream(other, std::ios::app) << 'x';
  fs::create_directory_symlink(built.parent_path().parent_path() / "lib", prefix / "lib");
  return {.program = other};
}

TEST_F(SharedCache, TwoVersionsBelieveOnlyWhatTheyWroteThemselves) {
  const Limits other = another_version(scratch_ / "other");
  EXPECT_EQ(different_files(run("one", "--cache cache"), without_), std::vector<std::string>());
  const std::size_t of_one = cache().size();
  EXPECT_EQ(different_files(run("two", "--cache cache", other), without_), std::vector<std::string>());
  EXPECT_EQ(recalled_profiles(err_), 0);
  const auto of_both = cache();
  EXPECT_EQ(of_both.size(), 2 * of_one);
  for (const Limits& version : {Limits{}, other}) {
    EXPECT_EQ(different_files(run("again", "--cache cache", version), without_), std::vector<std::string>());
    EXPECT_EQ(recalled_profiles(err_), 3);
  }
  EXPECT_EQ(cache().size(), of_both.size() + 2) << "what the two commands came to";
}

TEST_F(SharedCache, TwoVersionsAtOnceInAFolderThatIsTooSmallForBothGetTheirBytes) {
  const Limits other = another_version(scratch_ / "other");
  std::vector<Outcome> outcomes(16);
  std::vector<std::jthread> runs;
  for (std::size_t r = 0; r < outcomes.size(); r += 4) {
    for (std::size_t i = r; i < r + 4; ++i) {
      runs.emplace_back([&, i] {
        const std::string out = "at_once" + std::to_string(i);
        outcomes[i] =
            run_assay(scratch_.path(),
                      split_command("run config.toml --reports reports --cache cache --cache-size 64KiB -o " + out),
                      i % 2 == 0 ? Limits{} : other);
      });
    }
    runs.clear();
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(outcomes[i].exit, 0) << outcomes[i].err;
    EXPECT_EQ(outcomes[i].err, "");
    const auto wrote = contents_but_run_json(scratch_ / ("at_once" + std::to_string(i)));
    EXPECT_EQ(different_files(wrote, without_), std::vector<std::string>()) << i;
  }
}

TEST_F(SharedCache, AnotherUsersFolderIsNeitherReadNorWrittenAndSaysSo) {
  if (geteuid() != 0) GTEST_SKIP() << "SKIPPED: only root can run the program as another user";
  const Limits nobody{.user = kNobody};
  run("root", "--cache cache");
  const auto kept = cache();
  ASSERT_FALSE(kept.empty());
  for (const mode_t mode : {mode_t{0700}, mode_t{0755}}) {
    chmod((scratch_ / "cache").c_str(), mode);
    fs::remove_all(scratch_ / "nobody_of");
    EXPECT_EQ(different_files(run("nobody", "--cache cache", nobody), without_), std::vector<std::string>());
    EXPECT_TRUE(contains(err_, "assay: warning: ")) << mode;
    EXPECT_EQ(different_files(cache(), kept), std::vector<std::string>());
  }
  run("root_again", "--cache cache");
  EXPECT_EQ(recalled_profiles(err_), 3);
}

TEST_F(SharedCache, DistrustsEntriesOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "SKIPPED: only root can run the program as another user";
  const Limits nobody{.user = kNobody};
  fs::create_directory(scratch_ / "cache");
  chmod((scratch_ / "cache").c_str(), 01777);
  for (const Limits& user : {nobody, Limits{}, nobody, Limits{}}) {
    fs::remove_all(scratch_ / "everybody_of");
    EXPECT_EQ(different_files(run("everybody", "--cache cache", user), without_), std::vector<std::string>());
    EXPECT_EQ(recalled_profiles(err_), 0);
    EXPECT_TRUE(contains(err_, "assay: warning: "));
  }
  EXPECT_TRUE(is_empty(cache()));
}

}  // namespace assay::testing::shared_cache_test
