// The built program over many results: the gate, what is accepted, and the index that lets one new result be one read.
#include <fmt/core.h>
#include <sqlite3.h>

#include "golden/golden_case.hpp"
#include "support/test.hpp"

namespace assay::testing::history_run_test {

const fs::path kCase = fs::path(ASSAY_SOURCE_DIR) / "tests/golden/cases/three_reports";
constexpr const char* kTime = "window.duration_ns";
constexpr const char* kMetric = "gpu.kernel_busy_ratio";  // higher is better

class Nights : public ::testing::Test {
 protected:
  Nights() {
    prepare_inputs(kCase, scratch_.path());
    const Outcome outcome =
        run_assay(scratch_.path(), split_command("run config.toml --reports reports -o one --no-cache"));
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    for (int night = 1; night <= 10; ++night) add(night, night < 7 ? 1 : 0.8);
  }

  /// A copy of the result in which the device is busy `factor` times as long and the capture takes `time` times as
  /// long, but for a little noise.
  void add(int night, double factor, double time = 1) {
    const double noise = 1 + 1e-4 * (night * 5 % 13 - 6) / 6.0;
    const fs::path to = scratch_ / "nightly" / ("2026-03-" + std::to_string(100 + night).substr(1));
    fs::create_directories(to.parent_path());
    fs::copy(scratch_ / "one", to, fs::copy_options::recursive);
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((to / "results.sqlite").c_str(), &db), SQLITE_OK);
    const auto update = [&](const char* metric, double by) {
      return fmt::format("UPDATE facts SET value = value * {} WHERE metric = '{}'; ", by * noise, metric);
    };
    const std::string sql =
        update(kMetric, factor) + (time == 1 ? "" : update(kTime, time)) + "PRAGMA journal_mode = DELETE";
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    EXPECT_GT(sqlite3_total_changes(db), 0) << "the case has the metric";
    sqlite3_close(db);
  }

  /// Five nights as they were, five in which the device is busy `factor` and a capture `time` times as long.
  void change(double factor, double time) {
    fs::remove_all(scratch_ / "nightly");
    for (int night = 1; night <= 10; ++night) add(night, night < 6 ? 1 : factor, night < 6 ? 1.00001 : time);
  }

  Outcome history(const std::string& arguments) const {
    return run_assay(scratch_.path(), split_command("history " + arguments));
  }

  /// Three nights before the change against three after it.
  Outcome compare_gate(const std::string& options = {}) const {
    std::string command = "compare nightly/2026-03-01 nightly/2026-03-06 --gate" + options;
    for (const char* night : {"before nightly/2026-03-02", "before nightly/2026-03-03", "after nightly/2026-03-07",
                              "after nightly/2026-03-08"})
      command += fmt::format(" --{}", night);
    return run_assay(scratch_.path(), split_command(command));
  }

  TempFolder scratch_;
};

TEST_F(Nights, TheGateFailsOnAConfirmedRegressionAndNamesIt) {
  const Outcome outcome = history("nightly --gate --metric 'gpu.*' -o history.html");
  EXPECT_EQ(outcome.exit, 1) << outcome.err;
  EXPECT_TRUE(contains_all(outcome.err, {kMetric, "-20.0 %"}));
  EXPECT_TRUE(contains(outcome.out, "2026-03-07"));
  EXPECT_TRUE(contains(read_text(scratch_ / "history.html"), "<polyline"));
  EXPECT_EQ(history("nightly").exit, 0) << "without --gate it only tells";
  EXPECT_EQ(history("nightly --gate --metric 'kernel.*'").exit, 0);
  EXPECT_EQ(history("nightly --gate --metric 'gpu.*' --tolerance 0.3").exit, 0);
}

TEST_F(Nights, AFasterNightPassesAllGatesThoughTheDeviceIsLessBusy) {
  change(0.764, 1 / 2.7);
  const Outcome faster = history("nightly --gate");
  EXPECT_EQ(faster.exit, 0) << faster.err;
  EXPECT_TRUE(contains_all(faster.out, {"-63.0 %", "-6.297 us", "-6.926 us", kTime, "-23.6 %", kMetric}));
  EXPECT_LT(faster.out.find("-63.0 %"), faster.out.find("-23.6 %")) << "the time of a step comes first";
  EXPECT_EQ(history("nightly --gate --metric 'gpu.*'").exit, 1) << "shares are judged if they are named";
  const Outcome compared = compare_gate();
  EXPECT_EQ(compared.exit, 0) << compared.err << compared.out;
  const Outcome shares = compare_gate(" --metric 'gpu.*'");
  EXPECT_EQ(shares.exit, 1);
  EXPECT_TRUE(contains(shares.err, "a metric is worse in 1 question")) << shares.err;
}

TEST_F(Nights, ASlowerNightFailsAllGatesThoughTheDeviceIsBusier) {
  change(1.2, 1.3);
  const Outcome slower = history("nightly --gate");
  EXPECT_EQ(slower.exit, 1);
  EXPECT_TRUE(contains_all(slower.err, {kTime, "+30.0 %"})) << slower.err;
  EXPECT_FALSE(contains(slower.err, kMetric));
  const Outcome compared = compare_gate();
  EXPECT_EQ(compared.exit, 1) << compared.out;
  EXPECT_TRUE(contains(compared.err, "a step takes longer in 1 question")) << compared.err;
}

TEST_F(Nights, TwoWorseResultsAreNotYetConfirmed) {
  for (int night = 9; night <= 10; ++night)
    fs::remove_all(scratch_ / "nightly" / ("2026-03-" + std::to_string(100 + night).substr(1)));
  const Outcome outcome = history("nightly --gate");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "No level changed"));
}

TEST_F(Nights, AResultThatIsNamedManyTimesIsOneMeasurement) {
  const std::string once = history("nightly --no-index").out;
  fs::create_directory_symlink("nightly", scratch_ / "linked");
  const std::string day = "2026-03-10";
  const Outcome many = history("nightly nightly linked nightly/" + day + " nightly/../nightly/" + day);
  EXPECT_EQ(many.out, once) << "10 results, each once";
  const Outcome nine = history("nightly/2026-03-06" + [&] {
    std::string words;
    for (int i = 0; i < 9; ++i) words += " nightly/" + day;
    return words;
  }());
  EXPECT_TRUE(contains(nine.out, "2 results")) << nine.err;
}

TEST_F(Nights, AnOrderThatRepeatsAResultCountsItOnce) {
  std::string order;
  for (int repeat = 0; repeat < 1000; ++repeat) {
    for (int night = 1; night <= 10; ++night) order += "2026-03-" + std::to_string(100 + night).substr(1) + "\n";
  }
  write_text(scratch_ / "order", order);
  EXPECT_TRUE(contains(history("nightly --no-index --order order").out, "10 results"));
}

TEST_F(Nights, ThePageReplacesHistoriesAndNoOtherPage) {
  EXPECT_EQ(history("nightly -o page.html").exit, 0);
  EXPECT_EQ(history("nightly -o page.html").exit, 0);
  const std::string report = read_text(scratch_ / "one/report.html");
  EXPECT_EQ(history("nightly -o one/report.html").exit, 2);
  EXPECT_EQ(read_text(scratch_ / "one/report.html"), report);
}

TEST_F(Nights, AnAcceptedChangePassesTheGate) {
  write_text(scratch_ / "accepted.toml",
             "[[accepted]]\nmetric = \"gpu.*\"\nat = \"2026-03-07\"\nreason = \"smaller batches\"\n");
  EXPECT_EQ(history("nightly --gate --metric 'gpu.*' --accepted accepted.toml").exit, 0);
  write_text(scratch_ / "accepted.toml", "[[accepted]]\nat = \"2026-04-01\"\n");
  const Outcome unknown = history("nightly --gate --accepted accepted.toml");
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_TRUE(contains(unknown.err, "there is no result '2026-04-01'"));
  write_text(scratch_ / "accepted.toml", "[[accepted]]\nwhen = \"2026-03-07\"\n");
  EXPECT_TRUE(contains(history("nightly --accepted accepted.toml").err, "accepted.toml:1:1: [[accepted]] "));
}

TEST_F(Nights, AddingOneResultReadsOne) {
  EXPECT_TRUE(contains(history("nightly").out, "10 results (10 read, 0 remembered)"));
  const std::string first = history("nightly").out;
  EXPECT_TRUE(contains(first, "10 results (0 read, 10 remembered)"));
  add(11, 0.8);
  EXPECT_TRUE(contains(history("nightly").out, "11 results (1 read, 10 remembered)"));
  fs::remove_all(scratch_ / "nightly/2026-03-11");
  EXPECT_EQ(history("nightly").out, first) << "what is remembered is what was read";
  write_text(scratch_ / "nightly/.assay-history", "damaged");
  EXPECT_TRUE(contains(history("nightly").out, "(10 read, 0 remembered)"));
  EXPECT_TRUE(contains(history("nightly --no-index").out, "(10 read, 0 remembered)"));
}

TEST_F(Nights, ADamagedResultIsNamedTheOthersAreShownAndTheGateFails) {
  write_text(scratch_ / "nightly/2026-03-04/results.sqlite", "damaged");
  const Outcome shown = history("nightly");
  EXPECT_EQ(shown.exit, 0) << shown.err;
  EXPECT_TRUE(contains_all(shown.out, {"9 results", kMetric}));
  EXPECT_TRUE(contains(shown.err, "2026-03-04"));
  const Outcome gate = history("nightly --gate --metric 'kernel.*'");
  EXPECT_EQ(gate.exit, 3) << gate.err;
  EXPECT_TRUE(contains(gate.err, "2026-03-04"));
}

TEST_F(Nights, EachResultThatCannotBeReadIsOneLine) {
  fs::remove(scratch_ / "nightly/2026-03-02/results.sqlite");
  fs::remove(scratch_ / "nightly/2026-03-03/results.sqlite");
  fs::create_directory(scratch_ / "nightly/2026-03-03/results.sqlite");
  // The text of the schema ends in the midst of a statement of several lines, which SQLite quotes.
  std::string bytes = read_text(scratch_ / "nightly/2026-03-04/results.sqlite");
  const std::size_t at = bytes.find("WITHOUT ROWID");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 4, "\x1bITH");
  write_text(scratch_ / "nightly/2026-03-04/results.sqlite", bytes);
  const Outcome shown = history("nightly");
  EXPECT_EQ(shown.exit, 0) << shown.err;
  EXPECT_TRUE(contains(shown.out, "7 results"));
  for (const char* night : {"2026-03-02", "2026-03-03", "2026-03-04"}) EXPECT_TRUE(contains(shown.err, night));
  EXPECT_EQ(std::count(shown.err.begin(), shown.err.end(), '\n'), 3) << shown.err;
  EXPECT_EQ(shown.err.find('\x1b'), std::string::npos);
}

TEST_F(Nights, FewerThanSixResultsSayThatSixAreNeeded) {
  EXPECT_TRUE(contains(history("nightly/2026-03-01 nightly/2026-03-02").out, "six results"));
}

TEST_F(Nights, ResultsNamedOneByOneHaveTheOrderGivenAndNoIndexOfTheirOwn) {
  write_text(scratch_ / "order", "2026-03-10\n2026-03-09\nnothing\n2026-03-01\n");
  EXPECT_TRUE(contains(history("nightly --order order").out, "3 results"));
  EXPECT_TRUE(contains(history("nightly/2026-03-01 nightly/2026-03-02 --index kept").out, "2 results (2 read"));
  EXPECT_TRUE(fs::exists(scratch_ / "kept"));
  const Outcome none = history("reports");
  EXPECT_EQ(none.exit, 2);
  EXPECT_TRUE(contains(none.err, "is neither a result nor a folder of results"));
  EXPECT_FALSE(contains(none.out, "results"));
}

}  // namespace assay::testing::history_run_test
