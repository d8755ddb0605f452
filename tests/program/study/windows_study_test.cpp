// The program itself: windows of a run lower its noise, and only runs count.
#include <cmath>
#include <sstream>

#include "assay/algo/summary.hpp"
#include "record/recording_fixture.hpp"
#include "support/test.hpp"
#include "tables/table.hpp"

namespace assay::record::windows_study_test {

namespace fs = std::filesystem;

class WindowsStudy : public Recording {
 protected:
  /// Kernels of b take twice as long, and longer from window to window: 1, 1.2 and 1.8 times as long, those of a
  /// hardly.
  WindowsStudy() {
    ask(R"("windows={windows}", "time=1e6", "drift=0.01")", R"("windows={windows}", "time=2e6", "drift=0.2")",
        "windows = 3\nreplicates = 2",
        kJudged + b_is_slower("mean", "kernel.time_mean_ns", "1.5") +
            b_is_slower("median", "iteration.gpu_busy_ns", "1.5"));
  }
  /// First column of SQL over what is there.
  std::vector<double> numbers(const fs::path& of, const std::string& sql) {
    const testing::Outcome said = testing::run_assay(home_.path(), {"query", of.string(), sql, "--format", "csv"});
    EXPECT_EQ(said.exit, 0) << said.err;
    std::istringstream rows(said.out.substr(said.out.find('\n') + 1));
    std::vector<double> out;
    for (double value = 0; rows >> value;) out.push_back(value);
    return out;
  }
  double number(const fs::path& of, const std::string& sql) { return numbers(of, sql).at(0); }
  double effect(const fs::path& results, const std::string& claim, const std::string& column = "value") {
    return number(results, "SELECT " + column + " FROM strata WHERE claim = '" + claim + "'");
  }
  /// Mean time of the kernels in the windows of a run that are there, one by one, by the profiles themselves.
  std::vector<double> windows(const fs::path& profiles, std::size_t block, const std::string& mode) {
    std::vector<double> out;
    for (const char* window : {".1", ".2", ".3"}) {
      const fs::path file = profiles / block_name(block) / ("run_" + mode + window + ".sqlite");
      if (fs::exists(file)) out.push_back(number(file, "SELECT avg(duration) AS ns FROM kernels"));
    }
    return out;
  }
  /// Times of the steps in all windows of a run, by the facts of its profiles.
  std::vector<double> steps(const fs::path& results, std::size_t block, const std::string& mode) {
    return numbers(results,
                   "SELECT s.value FROM samples s JOIN facts USING (fact) WHERE metric = 'iteration.gpu_busy_ns' AND "
                   "report LIKE '%" +
                       block_name(block) + "/run_" + mode + ".%'");
  }
  /// Geometric mean over the blocks of what b takes, relative to a.
  template <class Value>
  double ratio(const Value& value) {
    double sum = 0;
    for (std::size_t block = 1; block <= 2; ++block) sum += std::log(value(block, "b") / value(block, "a"));
    return std::exp(sum / 2);
  }
  /// Both claims of a result say what its profiles do, of four runs.
  void check(const fs::path& results, const fs::path& profiles) {
    EXPECT_NEAR(effect(results, "mean"),
                ratio([&](std::size_t block, const char* mode) { return mean(windows(profiles, block, mode)); }), 1e-9);
    EXPECT_NEAR(effect(results, "median"),
                ratio([&](std::size_t block, const char* mode) { return median(steps(results, block, mode)); }), 1e-9);
    EXPECT_EQ(effect(results, "mean", "n"), 4) << "two of each side";
    EXPECT_EQ(effect(results, "median", "n"), 4);
  }
};

TEST_F(WindowsStudy, AreInTheCommandThatADryRunShows) {
  const testing::Outcome dry = testing::run_assay(home_.path(), {"record", "question.toml", "--dry-run"});
  EXPECT_EQ(dry.exit, 0) << dry.err;
  EXPECT_TRUE(contains(dry.out, "windows=3")) << dry.out;
}

TEST_F(WindowsStudy, ARunIsTheMeanOfItsWindowsAndCountsOnce) {
  const testing::Outcome study =
      testing::run_assay(home_.path(), {"study", "question.toml", "-o", "results", "--recordings", "out"});
  ASSERT_EQ(study.exit, 0) << study.out << study.err;
  const fs::path recording = folder(), profiles = recording / "profiles";
  const std::vector<double> planted = windows(profiles, 1, "b");
  ASSERT_EQ(planted.size(), 3U);
  EXPECT_NEAR(planted[1] / planted[0], 1.2, 1e-5);
  EXPECT_NEAR(planted[2] / planted[0], 1.8, 1e-5);
  const fs::path results = home_ / "results" / "results.sqlite";
  check(results, profiles);
  EXPECT_NEAR(effect(results, "mean"), 2 * (1 + 1.2 + 1.8) / (1 + 1.01 + 1.04), 0.1) << "as planted, but for the noise";
  EXPECT_EQ(number(results, "SELECT count(*) AS n FROM reports"), 18) << "2 blocks, 3 runs, 3 windows";
  EXPECT_EQ(number(results, "SELECT count(*) AS n FROM issues WHERE name = 'windows_missing'"), 0);

  fs::remove(profiles / "block_002" / "run_b.2.sqlite");
  const testing::Outcome again =
      testing::run_assay(home_.path(), {"run", "question.toml", "--reports", recording.string(), "-o", "less"});
  ASSERT_EQ(again.exit, 0) << again.out << again.err;
  const fs::path less = home_ / "less" / "results.sqlite";
  check(less, profiles);
  EXPECT_EQ(number(less,
                   "SELECT count(*) AS n FROM issues WHERE name = 'windows_missing' AND text LIKE "
                   "'%block_002/run_b%2 of 3 windows%'"),
            1);
  const testing::Outcome list = testing::run_assay(home_.path(), {"list", recording.string()});
  EXPECT_TRUE(contains(list.out, "17 profiles are 6 runs")) << list.out;
}

}  // namespace assay::record::windows_study_test
