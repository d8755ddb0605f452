#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::runner_results_test {

using under_test::runner_results::concluded;

using namespace testing;

const std::vector<std::string> kColumns = {"report", "run", "source", "process_s", "pass_s", "throughput", "batches"};

double value(const Recorder& r, const StudyBuilder& s, const std::string& metric, const std::string& path) {
  return r.value(metric, "", static_cast<Row>(s.row(path))).value_or(-1);
}

TEST(RunnerResults, TimesBecomeFactsOfTheirReports) {
  StudyBuilder s;
  s.report("q/a.sqlite");
  s.report("q/b.sqlite");
  s.report("q/c.sqlite");
  s.sheet("runner", "q/results.json", kColumns,
          {{"q/a.sqlite", "a", "q/results.json", "", "0.0755", "4233.9", "40"},
           {"q/b.sqlite", "b", "experiment_summary.json", "31.5", "", "", ""},
           {"elsewhere.sqlite", "x", "q/results.json", "1", "1", "1", "1"}});
  const Recorder r = concluded(s.build());
  EXPECT_NEAR(value(r, s, "runner.pass_time_ns", "q/a.sqlite"), 75.5e6, 1e-3);
  EXPECT_EQ(value(r, s, "runner.throughput_per_s", "q/a.sqlite"), 4233.9);
  EXPECT_EQ(value(r, s, "runner.batches", "q/a.sqlite"), 40);
  EXPECT_EQ(value(r, s, "runner.process_time_ns", "q/a.sqlite"), -1) << "not known is not 0";
  EXPECT_EQ(value(r, s, "runner.process_time_ns", "q/b.sqlite"), 31.5e9);
  EXPECT_EQ(value(r, s, "runner.pass_time_ns", "q/b.sqlite"), -1) << "the process is not the pass";
  EXPECT_EQ(value(r, s, "runner.pass_time_ns", "q/c.sqlite"), -1);
  ASSERT_EQ(r.findings.size(), 1U);
  EXPECT_TRUE(contains(r.findings[0].title, "2 of 3 profiles"));
  EXPECT_TRUE(contains(r.findings[0].text, "the measured pass is known for 1 of 2 runs: 75.5 ms"));
}

TEST(RunnerResults, TheFirstFileThatGivesAValueCounts) {
  StudyBuilder s;
  s.report("a.sqlite");
  s.sheet("runner", "results.json", kColumns,
          {{"a.sqlite", "a", "q/results.json", "", "2", "", ""}, {"a.sqlite", "a", "summary.json", "1", "9", "", ""}});
  const Recorder r = concluded(s.build());
  EXPECT_EQ(value(r, s, "runner.pass_time_ns", "a.sqlite"), 2e9);
  EXPECT_EQ(value(r, s, "runner.process_time_ns", "a.sqlite"), 1e9);
  EXPECT_TRUE(contains(r.findings.at(0).text, "In 1 run the pass takes longer than its process"));
}

// A run that left no report counts as what became of it; one of which nothing was measured is no success.
TEST(RunnerResults, OutcomesOfAllRunsThatWereWrittenDown) {
  const std::vector<std::string> columns = {"report", "run",        "source",  "process_s",
                                            "pass_s", "throughput", "batches", "failure"};
  StudyBuilder s;
  s.report("a.sqlite");
  s.report("b.sqlite");
  s.sheet("runner", "results.json", columns,
          {{"a.sqlite", "a", "results.json", "", "2", "", "", ""},
           {"a.sqlite", "a", "summary.json", "9", "", "", "", ""},
           {"b.sqlite", "b", "results.json", "", "", "", "", ""},
           {"", "c", "results.json", "", "", "", "", "exit code 1"},
           {"", "d", "results.json", "", "3", "", "", ""},
           {"", "d", "summary.json", "", "3", "", "", "timed out"},
           {"", "e", "results.json", "", "", "400", "", ""}});
  const Recorder r = concluded(s.build());
  EXPECT_TRUE(has_values(r, {{"runner.run_count{outcome=succeeded}", 2},
                             {"runner.run_count{outcome=failed}", 2},
                             {"runner.run_count{outcome=unknown}", 1},
                             {"runner.success_ratio", 0.5}}));
  EXPECT_TRUE(contains(r.findings.at(0).text, "2 runs succeeded, 2 failed, of 1 it was not recorded."));
}

TEST(RunnerResults, WithoutARunnerItSaysSo) {
  StudyBuilder s;
  s.report("a.sqlite");
  const Recorder r = concluded(s.build());
  EXPECT_TRUE(r.findings.empty());
  ASSERT_EQ(r.skips.size(), 1U);
  EXPECT_TRUE(contains(r.skips[0].reason, "no runner recorded"));
}

}  // namespace assay::runner_results_test
