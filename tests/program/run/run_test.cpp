// The built program with a cold, warm, damaged, unusable and foreign result cache: what it writes is the same each
// time.
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::run_test {

const fs::path kCase = fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports";

class CachedRun : public ::testing::Test {
 protected:
  CachedRun() { prepare_inputs(kCase, scratch_.path()); }

  /// What a run writes, and what it says on standard error.
  std::map<std::string, std::string> run(const std::string& arguments) {
    fs::remove_all(scratch_ / "out");
    return run_again(arguments);
  }
  /// Into the folder of the run before.
  std::map<std::string, std::string> run_again(const std::string& arguments) {
    const Outcome outcome =
        run_assay(scratch_.path(), split_command("run config.toml --reports reports -o out " + arguments));
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    err_ = outcome.err;
    out_ = outcome.out;
    return contents_but_run_json(scratch_ / "out");
  }
  [[nodiscard]] bool reported_no_change() const {
    return out_.find("Nothing has changed since the last run, which wrote to out:") != std::string::npos;
  }
  /// Which file each output is: one that was written again is another.
  [[nodiscard]] std::map<std::string, ino_t> outputs() const {
    std::map<std::string, ino_t> files;
    for (const auto& [name, bytes] : contents_but_run_json(scratch_ / "out")) {
      struct stat s{};
      EXPECT_EQ(::stat((scratch_ / "out" / name).c_str(), &s), 0) << name;
      files[name] = s.st_ino;
    }
    return files;
  }
  [[nodiscard]] std::map<std::string, std::string> cache() const { return contents_but_run_json(scratch_ / "cache"); }

  TempFolder scratch_;
  std::string err_, out_;
};

TEST_F(CachedRun, WritesTheSameBytesColdWarmAndDamagedWhateverTheThreads) {
  std::this_thread::sleep_for(std::chrono::seconds(4));  // what is remembered of a file says whether it has settled
  const auto without = run("--no-cache");
  ASSERT_GE(without.size(), 4U);
  EXPECT_TRUE(is_empty(cache()));
  EXPECT_EQ(run("-v --cache cache -j2"), without) << "cold";
  const auto kept = cache();
  ASSERT_GE(kept.size(), 7U) << "three reports, each with its issues and at least one analyzer, and the outputs";
  for (const char* arguments : {"-j1", "-j2", "-j3"}) {
    EXPECT_EQ(run(std::string("-v --cache cache ") + arguments), without) << "warm " << arguments;
    EXPECT_EQ(recalled_profiles(err_), 3) << arguments;
    EXPECT_TRUE(contains_regex(err_, "[1-9][0-9]* conclusions? not drawn again")) << arguments;
  }
  EXPECT_EQ(cache().size(), kept.size() + 2) << "a run that finds everything keeps no more than what it came to";
  std::size_t number = 0;
  for (const auto& [name, bytes] : kept) {
    std::string damaged = bytes;
    damaged[(number * 37) % damaged.size()] ^= 4;
    if (++number % 3 == 0) damaged.resize(damaged.size() / 2);
    write_text(scratch_ / "cache" / name, damaged);
  }
  EXPECT_EQ(run("-v --cache cache -j2"), without) << "damaged";
  EXPECT_EQ(recalled_profiles(err_), 0);
  const auto rebuilt = cache();
  EXPECT_LE(std::ranges::count_if(kept, [&](const auto& one) { return rebuilt.at(one.first) != one.second; }), 1)
      << "rebuilt, but for what the run came to: run.json says when";
}

TEST_F(CachedRun, TrustedTimesAreRememberedOnceAFileHasSettledAndAChangeIsSeen) {
  const auto without = run("--no-cache");
  run("--cache cache");
  const std::size_t results = cache().size();
  // Within the grain of the clock a later change may leave the times as they are: nothing is remembered of such files.
  std::this_thread::sleep_for(std::chrono::seconds(4));
  EXPECT_EQ(run("--cache cache"), without);
  EXPECT_EQ(cache().size(), results) << "one entry for all files, and one for what the run came to";
  EXPECT_EQ(run("--cache cache --trust-mtime"), without);
  EXPECT_EQ(cache().size(), results + 1) << "what this command came to";
  EXPECT_EQ(run("-v --cache cache --trust-mtime"), without);
  EXPECT_EQ(recalled_profiles(err_), 3);

  fs::copy_file(scratch_ / "reports/runs/vit2.sqlite", scratch_ / "kept");
  fs::copy_file(scratch_ / "reports/runs/vit1.sqlite", scratch_ / "reports/runs/vit2.sqlite",
                fs::copy_options::overwrite_existing);
  const auto changed = run("--no-cache");
  EXPECT_NE(changed, without);
  EXPECT_EQ(run("--cache cache --trust-mtime"), changed);
  fs::rename(scratch_ / "kept", scratch_ / "reports/runs/vit2.sqlite");
  EXPECT_EQ(run("--cache cache --trust-mtime"), without) << "another inode";
  const Outcome both =
      run_assay(scratch_.path(), split_command("run config.toml --reports reports --no-cache --trust-mtime"));
  EXPECT_EQ(both.exit, 2);
}

TEST_F(CachedRun, OutputsThatStandThereAlreadyAreNotWrittenAgain) {
  const auto first = run("--cache cache");
  const auto files = outputs();
  ASSERT_GE(files.size(), 4U);
  const std::string record = read_text(scratch_ / "out/run.json");
  for (const char* arguments : {"--cache cache", "--cache cache -j1", "--cache cache --force"}) {
    EXPECT_EQ(run_again(arguments), first) << arguments;
    EXPECT_EQ(outputs(), files) << arguments;
    EXPECT_EQ(read_text(scratch_ / "out/run.json") == record, reported_no_change()) << "which says when";
  }
  EXPECT_EQ(run_again("--no-cache"), first);
  for (const auto& [name, file] : outputs()) EXPECT_NE(file, files.at(name)) << name << " without a cache";
}

TEST_F(CachedRun, AnOutputThatIsGoneOrOtherwiseIsMadeAgain) {
  const auto first = run("--cache cache");
  for (const auto& [name, bytes] : first) {
    write_text(scratch_ / "out" / name, bytes + " ");
    if (name != "results.sqlite") {  // which says whose folder it is, and is believed with a byte more
      fs::remove(scratch_ / "out" / name);
      EXPECT_EQ(run_again("--cache cache"), first) << name << " is gone";
      write_text(scratch_ / "out" / name, bytes + " ");
    }
    EXPECT_EQ(run_again("--cache cache"), first) << name << " has a byte more";
  }
  write_text(scratch_ / "config.toml", read_text(scratch_ / "config.toml") + "[sources]\nR = \"another source\"\n");
  const auto other = run_again("--cache cache");
  EXPECT_NE(other, first);
  EXPECT_EQ(other, run("--no-cache"));
}

/// How often any of some files was opened since this was made.
class Openings {
 public:
  explicit Openings(const std::vector<fs::path>& files) : events_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    for (const fs::path& file : files) watched_ = inotify_add_watch(events_, file.c_str(), IN_OPEN) >= 0 && watched_;
  }
  ~Openings() { ::close(events_); }
  Openings(const Openings&) = delete;
  Openings& operator=(const Openings&) = delete;
  [[nodiscard]] bool watched() const { return events_ >= 0 && watched_; }
  [[nodiscard]] std::size_t count() const {
    std::size_t events = 0;
    alignas(inotify_event) std::array<char, 4096> block;
    for (ssize_t got = 0; (got = ::read(events_, block.data(), block.size())) > 0;)
      events += static_cast<std::size_t>(got) / sizeof(inotify_event);  // of a file that is watched itself: no name
    return events;
  }

 private:
  int events_;
  bool watched_ = true;
};

TEST_F(CachedRun, WithTrustedTimesNoReportIsEvenOpened) {
  fs::copy_file(scratch_ / "reports/runs/vit2.sqlite", scratch_ / "reports/runs/copy_of_vit2.sqlite");
  std::vector<fs::path> reports;
  for (const auto& entry : fs::recursive_directory_iterator(scratch_ / "reports")) {
    if (entry.path().extension() == ".sqlite") reports.push_back(entry.path());
  }
  ASSERT_EQ(reports.size(), 4U);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  const auto without = run("--no-cache");
  EXPECT_EQ(run("--cache cache --trust-mtime"), without);
  const Openings openings(reports);
  if (!openings.watched()) GTEST_SKIP() << "inotify watches no files here: whether they are opened is not known";
  EXPECT_EQ(run("--cache cache --trust-mtime"), without);
  EXPECT_EQ(openings.count(), 0U);
  EXPECT_EQ(run("--cache cache"), without);
  EXPECT_GE(openings.count(), reports.size()) << "bytes say whether they are the same";
}

TEST_F(CachedRun, FollowsWhateverChanges) {
  run("--cache cache");
  const std::size_t before = cache().size();
  run("--cache cache");
  ASSERT_EQ(cache().size(), before);

  std::string config = read_text(scratch_ / "config.toml");
  const std::string window = "nvtx = \"test_double_buffer\"";
  ASSERT_NE(config.find(window), std::string::npos);
  config.replace(config.find(window), window.size(), "nvtx = \"absent\"\nfallback = \"capture\"");
  write_text(scratch_ / "config.toml", config);
  const auto windowed = run("--cache cache");
  const std::size_t with_window = cache().size();
  EXPECT_GT(with_window, before) << "another window";
  EXPECT_EQ(run("--no-cache"), windowed);

  fs::rename(scratch_ / "reports", scratch_ / "before");
  fs::copy(scratch_ / "before", scratch_ / "reports", fs::copy_options::recursive);
  run("--cache cache");
  EXPECT_EQ(cache().size(), with_window) << "the same bytes in new files";
}

TEST_F(CachedRun, AnotherFileOfThePluginIsAnotherPlugin) {
  const fs::path plugin = scratch_ / "plugins/probe.so";
  fs::create_directories(plugin.parent_path());
  fs::copy_file(fs::path(ASSAY_PROBE_FOLDER) / "probe.so", plugin);
  write_text(scratch_ / "config.toml", "[question]\nid = \"q\"\n[analyzers.probe]\n");
  const auto first = run("--cache cache --plugin-path plugins");
  const std::size_t before = cache().size();
  ASSERT_EQ(before, 10U) << "two for each report, one of what it concluded, of the outputs, of files, and of the run";
  write_text(plugin, read_text(plugin) + "x");
  EXPECT_EQ(run("-v --cache cache --plugin-path plugins"), first);
  EXPECT_EQ(recalled_profiles(err_), 0);
  EXPECT_TRUE(contains(err_, "0 conclusions not drawn again"));
  EXPECT_EQ(cache().size(), before + 6) << "all that it gave; what the reports say is the same";
}

TEST_F(CachedRun, AnUnusableFolderIsAWarningAndNothingMore) {
  const auto without = run("--no-cache");
  EXPECT_EQ(err_, "");
  write_text(scratch_ / "file", "in the way");
  EXPECT_EQ(run("--cache file/cache"), without);
  EXPECT_TRUE(contains(err_, "assay: warning: the result cache was not filled: 'file/cache"));
  EXPECT_TRUE(contains(err_, "--no-cache does without"));
  EXPECT_EQ(std::ranges::count(err_, '\n'), 1);
}

TEST_F(CachedRun, TakesNoMoreThanItMay) {
  run("--cache cache --cache-size 24KiB");
  EXPECT_FALSE(cache().empty());
  EXPECT_LE(cache().size(), 6U) << "of 4 KiB each at least";
  run("--cache cache --cache-size 0");
  EXPECT_TRUE(is_empty(cache()));
}

TEST_F(CachedRun, FolderAndNoFolderTogetherAreAMistake) {
  const Outcome outcome =
      run_assay(scratch_.path(), split_command("run config.toml --reports reports --cache cache --no-cache"));
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(contains(outcome.err, "--no-cache"));
}

}  // namespace assay::testing::run_test
