// The built program where nothing changed since its last run says so, and whatever changes is followed.
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::unchanged_run_test {

const fs::path kReports = fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports";

/// With and without --trust-mtime.
class UnchangedRun : public ::testing::TestWithParam<std::string> {
 protected:
  using Files = std::map<std::string, std::string>;

  UnchangedRun() {
    prepare_inputs(kReports, scratch_.path());
    fs::create_directory(scratch_ / "plugins");
    fs::copy_file(fs::path(ASSAY_PROBE_FOLDER) / "probe.so", plugin());
    write_text(scratch_ / "reports/runs/times.csv", "step,ms\n1,2\n");
    write_text(config(),
               read_text(config()) + "[analyzers.probe]\n[[sheet]]\nid = \"times\"\nfiles = [\"**/times.csv\"]\n");
    // So that the times of all files are believed.
    if (!GetParam().empty()) std::this_thread::sleep_for(std::chrono::seconds(4));
    changed("the first run");
  }
  [[nodiscard]] fs::path config() const { return scratch_ / "config.toml"; }
  [[nodiscard]] fs::path plugin() const { return scratch_ / "plugins/probe.so"; }
  [[nodiscard]] fs::path report(int number) const {
    return scratch_ / ("reports/runs/vit" + std::to_string(number) + ".sqlite");
  }

  Files run(const std::string& out, const std::string& arguments) {
    const Outcome outcome =
        run_assay(scratch_.path(),
                  split_command("run config.toml --reports reports --plugin-path plugins -o " + out + " " + arguments));
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    said_ = outcome.out;
    Files files = contents_but_run_json(scratch_ / out);
    files.erase("notes.txt");
    return files;
  }
  [[nodiscard]] bool reported_no_change() const {
    return said_.find("Nothing has changed since the last run, which wrote to out:") != std::string::npos;
  }
  /// The summary, without the line that says what came of the files.
  [[nodiscard]] std::string summary() const { return said_.substr(0, said_.rfind("\n", said_.size() - 2)); }

  /// The next run makes what a fresh one makes, and the one after it has nothing to do.
  void changed(const std::string& what) {
    fs::remove_all(scratch_ / "fresh");
    const Files fresh = run("fresh", "--no-cache");
    const std::string told = summary();
    EXPECT_EQ(different_files(run("out", kCached), fresh), none_) << what;
    EXPECT_FALSE(reported_no_change()) << what;
    EXPECT_EQ(summary(), told) << what;
    unchanged(what);
    EXPECT_EQ(summary(), told) << what;
  }
  void unchanged(const std::string& what) {
    const Files before = contents_but_run_json(scratch_ / "out");
    const std::string record = read_text(scratch_ / "out/run.json");
    run("out", kCached);
    EXPECT_TRUE(reported_no_change()) << what << ": " << said_;
    EXPECT_EQ(different_files(contents_but_run_json(scratch_ / "out"), before), none_) << what;
    EXPECT_EQ(read_text(scratch_ / "out/run.json"), record) << what << ": the folder is left as it is";
  }

  TempFolder scratch_;
  std::string said_;
  const std::vector<std::string> none_;
  const std::string kCached = "--cache cache " + GetParam();
};

TEST_P(UnchangedRun, LeavesEveryFileAsItIs) {
  write_text(scratch_ / "out/notes.txt", "mine");
  struct stat before{}, after{};
  ASSERT_EQ(::stat((scratch_ / "out").c_str(), &before), 0);
  unchanged("a file of somebody else");
  ASSERT_EQ(::stat((scratch_ / "out").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(read_text(scratch_ / "out/notes.txt"), "mine");
}

TEST_P(UnchangedRun, ReportsAreFollowed) {
  fs::copy_file(report(2), scratch_ / "kept");
  fs::copy_file(report(1), report(2), fs::copy_options::overwrite_existing);
  changed("other bytes");
  fs::rename(scratch_ / "kept", report(2));
  changed("the first bytes in another file");
  std::string flipped = read_text(report(3));
  const auto name = flipped.find("test_double_buffer");
  ASSERT_NE(name, std::string::npos);
  flipped[name] = 'b';
  const auto times = fs::last_write_time(report(3));
  write_text(report(3), flipped);
  fs::last_write_time(report(3), times);
  run("out", kCached);
  EXPECT_FALSE(reported_no_change()) << "one byte within the same size and time of modification";
  fs::remove(report(3));
  changed("one report less");
  fs::copy_file(report(1), report(3));
  changed("a copy");
  fs::rename(report(2), scratch_ / "reports/runs/vit4.sqlite");
  changed("another name");
  write_text(scratch_ / "reports/runs/vit5.sqlite", "SQLite format 3");
  changed("a broken file");
  fs::last_write_time(report(1), fs::file_time_type::clock::now() - std::chrono::hours(1));
  unchanged("another time of the same bytes");
}

TEST_P(UnchangedRun, IgnoresALogOfSqliteNextToAReport) {
  write_text(report(1).native() + "-journal", "something");
  run("out", kCached);
  EXPECT_FALSE(reported_no_change());
  fs::remove(report(1).native() + "-journal");
  run("out", kCached);
  unchanged("no log any more");
}

TEST_P(UnchangedRun, SheetsAndConfigurationAreFollowed) {
  write_text(scratch_ / "reports/runs/times.csv", "step,ms\n1,3\n");
  run("out", kCached);
  EXPECT_FALSE(reported_no_change()) << "a number in a sheet";
  write_text(config(), read_text(config()) + "[sources]\nR = \"another source\"\n");
  changed("a source of a question");
  std::string text = read_text(config());
  text.replace(text.find("Small study"), 5, "Large");
  write_text(config(), text);
  changed("a title");
}

TEST_P(UnchangedRun, AnotherCommandOrPluginIsAnotherRun) {
  run("out", kCached + " -j1");
  EXPECT_FALSE(reported_no_change()) << "run.json says how it was made";
  write_text(plugin(), read_text(plugin()) + "x");
  changed("another plugin of the same name");
}

TEST_P(UnchangedRun, ADamagedResultIsMadeAgain) {
  const Files whole = contents_but_run_json(scratch_ / "out");
  for (const auto& [name, bytes] : whole) {
    write_text(scratch_ / "out" / name, bytes + " ");
    EXPECT_EQ(different_files(run("out", kCached), whole), none_) << name << " has a byte more";
    EXPECT_FALSE(reported_no_change()) << name << " has a byte more";
  }
  fs::remove(scratch_ / "out/facts.csv");
  changed("an output is gone");
  fs::remove(scratch_ / "out/run.json");
  changed("run.json is gone");
  fs::remove_all(scratch_ / "out");
  changed("no result");
}

TEST_P(UnchangedRun, ADamagedCacheGivesWhatAFreshRunGives) {
  const Files fresh = run("fresh", "--no-cache");
  for (std::size_t step = 0; step < 3; ++step) {
    std::size_t number = step;
    for (const auto& [name, bytes] : contents_but_run_json(scratch_ / "cache")) {
      std::string damaged = bytes;
      if (++number % 3 == 0) damaged[damaged.size() / 2] ^= 4;
      if (number % 3 == 1) damaged.resize(damaged.size() / 2);
      write_text(scratch_ / "cache" / name, damaged);
    }
    EXPECT_EQ(different_files(run("out", kCached), fresh), none_) << step;
  }
  fs::remove_all(scratch_ / "cache");
  changed("no cache");
}

INSTANTIATE_TEST_SUITE_P(Trusted, UnchangedRun, ::testing::Values("", "--trust-mtime"),
                         [](const auto& one) { return one.param.empty() ? "no" : "yes"; });

}  // namespace assay::testing::unchanged_run_test
