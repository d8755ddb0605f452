#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::forward_timing_test {

using under_test::forward_timing::concluded;

using namespace testing;

void add(StudyBuilder& s, const std::string& path, double span, double host, double period) {
  const auto around = [](double value) { return std::vector<double>{0.99 * value, value, 1.01 * value}; };
  s.report(path)
      .fact("iteration.gpu_span_ns", span, "", around(span))
      .fact("iteration.host_ns", host, "", around(host))
      .fact("iteration.period_ns", period, "", around(period));
}

TEST(ForwardTiming, StepsThatAreTimedOneByOneAgreeWithinTheirSpread) {
  StudyBuilder s;
  add(s, "folder/a.sqlite", 17.6e6, 17.4e6, 30e6);
  s.sheet("runs", "folder/results.json", {"name", "step_ms"}, {{"other", "[1, 2]"}, {"a", "[17.5, 17.6, 17.9]"}});
  const Recorder recorder = concluded(s.build());
  EXPECT_NEAR(*recorder.value("forward.program_ns", "", static_cast<Row>(s.row("folder/a.sqlite"))), 17.6e6, 1e-3);
  EXPECT_NEAR(*recorder.value("forward.program_ratio", "metric=iteration.period_ns",
                              static_cast<Row>(s.row("folder/a.sqlite"))),
              17.6 / 30, 1e-12);
  EXPECT_TRUE(contains(recorder.findings.front().title,
                       "agrees with iteration.gpu_span_ns in 1, iteration.host_ns in 1 and iteration.period_ns in 0 of "
                       "1 profile"));
  EXPECT_TRUE(contains(recorder.findings.at(1).text, "is shorter than iteration.period_ns"));
}

TEST(ForwardTiming, TimeOfAllPassesIsDividedByTheirNumber) {
  StudyBuilder s;
  add(s, "a.sqlite", 1e6, 5e5, 2e6);
  s.sheet("runs", "results.json", {"name", "elapsed_s", "batches"}, {{"a", "0.08", "40"}});
  const Recorder recorder = concluded(s.build());
  EXPECT_NEAR(*recorder.value("forward.program_ns", "", static_cast<Row>(s.row("a.sqlite"))), 2e6, 1e-3);
  EXPECT_TRUE(contains(recorder.findings.front().text, "shorter than iteration.gpu_span_ns in 1 of 1 profile"));
  EXPECT_TRUE(contains(recorder.findings.at(1).text, "It agrees with iteration.period_ns"));
  EXPECT_TRUE(contains(recorder.findings.at(1).text, "It is longer than iteration.gpu_span_ns"));
}

TEST(ForwardTiming, NamesOfRunsHaveTheEndingsOfAllFormatsOrNone) {
  const std::pair<const char*, const char*> kNames[] = {{"a_results.db", "a"},
                                                        {"a.xplane.pb", "a"},
                                                        {"a.pickle", "a.nsys-rep"},
                                                        {"a.own", "a.own"},
                                                        {"v1.5.own", "v1.5"}};
  for (const auto& [path, name] : kNames) {
    StudyBuilder s;
    s.endings({".nsys-rep", "_results.db", ".xplane.pb", ".pickle", ".own", ".db"});
    add(s, path, 1e6, 1e6, 1e6);
    s.sheet("runs", "results.json", {"name", "elapsed_s", "batches"}, {{name, "0.08", "40"}, {"v1", "1", "1"}});
    EXPECT_EQ(concluded(s.build()).value("forward.program_ns", "", 0), 2e6) << path;
  }
}

TEST(ForwardTiming, AProgramWithoutATimeIsSaid) {
  StudyBuilder s;
  add(s, "a.sqlite", 1e6, 1e6, 1e6);
  add(s, "b.sqlite", 1e6, 1e6, 1e6);
  s.sheet("runs", "results.json", {"name", "elapsed_s", "batches"}, {{"a", "", "40"}});
  const Recorder recorder = concluded(s.build());
  ASSERT_EQ(recorder.skips.size(), 2U);
  EXPECT_TRUE(contains(recorder.skips[0].reason, "its row in results.json has no time"));
  EXPECT_TRUE(contains(recorder.skips[1].reason, "no row of the sheet 'runs' has its name"));
  EXPECT_TRUE(contains(recorder.findings.front().title, "own times are unknown"));
}

std::vector<double> repeated(std::vector<double> pattern, std::size_t times) {
  std::vector<double> out;
  for (std::size_t i = 0; i < times; ++i) out.insert(out.end(), pattern.begin(), pattern.end());
  return out;
}

TEST(ForwardTiming, TheTimeOfARunOfTheSameNameInAnotherFolderIsNotTaken) {
  StudyBuilder s;
  add(s, "h100/a.sqlite", 10e6, 10e6, 10e6);
  add(s, "h200/a.sqlite", 5e6, 5e6, 5e6);
  add(s, "new/a.sqlite", 7e6, 7e6, 7e6);
  s.sheet("runs", "h100/results.json", {"name", "step_ms"}, {{"a", "[10, 10]"}});
  s.sheet("runs", "h200/results.json", {"name", "step_ms"}, {{"a", "[5, 5]"}});
  const Recorder recorder = concluded(s.build());
  EXPECT_EQ(recorder.value("forward.program_ns", "", static_cast<Row>(s.row("h100/a.sqlite"))), 10e6);
  EXPECT_EQ(recorder.value("forward.program_ns", "", static_cast<Row>(s.row("h200/a.sqlite"))), 5e6);
  EXPECT_EQ(recorder.value("forward.program_ns", "", static_cast<Row>(s.row("new/a.sqlite"))), std::nullopt);
  ASSERT_EQ(recorder.skips.size(), 1U);
  EXPECT_TRUE(contains(recorder.skips[0].reason, "only h100/results.json, which is in another folder"));
}

TEST(ForwardTiming, TheNearestFolderCountsAndOthersThatDisagreeAreShown) {
  StudyBuilder s;
  add(s, "x/y/a.sqlite", 10e6, 10e6, 10e6);
  add(s, "x/b.sqlite", 10e6, 10e6, 10e6);
  s.sheet("runs", "results.json", {"name", "step_ms"}, {{"y/a", "[20, 20]"}, {"x/b", "[10, 10]"}});
  s.sheet("runs", "x/results.json", {"name", "step_ms"}, {{"b", "[10, 10]"}});
  s.sheet("runs", "x/y/results.json", {"name", "step_ms"}, {{"a", "[10, 10]"}});
  const Recorder recorder = concluded(s.build());
  EXPECT_EQ(recorder.value("forward.program_ns", "", static_cast<Row>(s.row("x/y/a.sqlite"))), 10e6);
  EXPECT_TRUE(contains(recorder.findings.front().text, "Of 1 profile sheets disagree"));
  EXPECT_TRUE(contains(recorder.findings.at(2).text, "By x/y/results.json; results.json says 20 ms instead."));
  EXPECT_TRUE(equals(recorder.table_of("times")->column("disagreeing")->texts, {"", "results.json says 20 ms"}));
}

TEST(ForwardTiming, ARowThatFitsSeveralRunsIsNotUsed) {
  StudyBuilder s;
  add(s, "x/a.sqlite", 10e6, 10e6, 10e6);
  add(s, "y/a.sqlite", 5e6, 5e6, 5e6);
  add(s, "y/a.pt.trace.json.gz", 5e6, 5e6, 5e6);
  s.sheet("runs", "results.json", {"name", "step_ms"}, {{"a", "[10, 10]"}});
  const Recorder recorder = concluded(s.build());
  ASSERT_EQ(recorder.skips.size(), 3U);
  EXPECT_TRUE(contains(recorder.skips[0].reason, "the row of results.json with its name fits other runs as well"));
}

/// Passes that spread from 8 to 12 ms tell their median well: 1.17 times it is not in agreement.
TEST(ForwardTiming, WidelySpreadPassesDoNotMakeTimesAgree) {
  StudyBuilder s;
  const std::vector<double> passes = repeated({8e6, 9e6, 10e6, 11e6, 12e6, 10.5e6, 9.5e6, 10e6}, 8);
  s.report("a.sqlite").fact("iteration.gpu_span_ns", 10e6, "", passes);
  std::string steps;
  for (const double pass : passes) steps += (steps.empty() ? "[" : ", ") + std::to_string(1.17 * pass / 1e6);
  s.sheet("runs", "results.json", {"name", "step_ms"}, {{"a", steps + "]"}});
  const Recorder recorder = concluded(s.build());
  EXPECT_TRUE(contains(recorder.findings.front().title, "agrees with iteration.gpu_span_ns in 0"));
  EXPECT_TRUE(contains(recorder.findings.at(1).text, "(x 1.170)"));
}

TEST(ForwardTiming, FewWidelySpreadPassesLeaveItOpen) {
  StudyBuilder s;
  s.report("a.sqlite").fact("iteration.gpu_span_ns", 10e6, "", {6e6, 10e6, 16e6});
  s.sheet("runs", "results.json", {"name", "step_ms"}, {{"a", "[7, 11.7, 17]"}});
  const Recorder recorder = concluded(s.build());
  EXPECT_TRUE(contains(recorder.findings.front().title, "iteration.gpu_span_ns in 0 (1 open)"));
  EXPECT_TRUE(contains(recorder.findings.at(1).text, "It cannot be distinguished from iteration.gpu_span_ns"));
}

/// One pass in eight takes three times as long: the mean of all is 1.25 times the median, and the program measured it.
TEST(ForwardTiming, TheMeanOfAllPassesIsComparedWithTheMean) {
  StudyBuilder s;
  const std::vector<double> passes = repeated({10e6, 10e6, 10e6, 30e6, 10e6, 10e6, 10e6, 10e6}, 8);
  s.report("a.sqlite").fact("iteration.period_ns", 10e6, "", passes);
  s.sheet("runs", "results.json", {"name", "elapsed_s", "batches"}, {{"a", "0.8", "64"}});
  const Recorder recorder = concluded(s.build());
  EXPECT_NEAR(
      *recorder.value("forward.program_ratio", "metric=iteration.period_ns", static_cast<Row>(s.row("a.sqlite"))), 1,
      1e-12);
  EXPECT_TRUE(contains(recorder.findings.at(1).text, "It agrees with iteration.period_ns 12.5 ms"));
}

TEST(ForwardTiming, HasNoPassWithoutIterations) {
  StudyBuilder s;
  s.report("a.sqlite").fact("kernel.count", 1);
  const Recorder recorder = concluded(s.build());
  EXPECT_TRUE(recorder.findings.empty());
  ASSERT_EQ(recorder.skips.size(), 1U);
}

}  // namespace assay::forward_timing_test
