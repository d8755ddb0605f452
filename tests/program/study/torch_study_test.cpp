// A real recording: a workload of the examples on the CPU, traced by the PyTorch profiler, from question to report.
#include <nlohmann/json.hpp>

#include "record/recording_fixture.hpp"
#include "support/test.hpp"

namespace assay::record::torch_study_test {

/// An interpreter that has PyTorch; empty: none.
std::string python_with_torch() {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (testing::run_shell(".", python + std::string(" -c 'import torch'")).exit == 0) return python;
  }
  return {};
}

TEST(TorchStudy, AWorkloadOnTheCpuIsRecordedJudgedAndReported) {
  const std::string python = python_with_torch();
  if (python.empty()) GTEST_SKIP() << "no python3 here has PyTorch; install python3-torch to record for real";
  const TempFolder home;
  home.write("question.toml",
             R"([question]
id = "q"
[reports]
include = ["**/*.json"]
[labels]
patterns = ["ctx{ctx}"]
ctx = { type = "int" }
[[matrix]]
ctx = [8, 64]
[experiment]
command = [")" + python +
                 R"(", "transformer.py", "--model", "tiny", "--device", "cpu", "--batch", "1", "--ctx", "{ctx}",
  "--steps", "2", "--warmup", "1", "--trace", "{report}.pt.trace.json"]
folder = ")" ASSAY_SOURCE_DIR R"(/examples/workloads"
profiler = "torch"
timeout = "10 min"
env = { PYTHONDONTWRITEBYTECODE = "1" }
[analyzers.run_summary]
[analyzers.runner_results]
[analyzers.claim_verdicts]
[[claim]]
id = "q.all_runs_succeed"
text = "All runs succeed."
metric = "runner.success_ratio"
compare = "study"
exact = true
between = [1, 1]
)");
  const testing::Outcome study =
      testing::run_assay(home.path(), {"study", "question.toml", "-o", "recordings", "--out", "results"});
  ASSERT_EQ(study.exit, 0) << study.out << study.err;
  const std::filesystem::path folder = newest_recording(home / "recordings", "q");
  const auto results = nlohmann::json::parse(read_text(folder / "results.json"));
  ASSERT_EQ(results.size(), 3U) << "two cells and the twin";
  for (const auto& run : results) {
    EXPECT_TRUE(run.at("success").get<bool>()) << run;
    EXPECT_GT(run.at("elapsed_s").get<double>(), 0) << "the program's own words";
    ASSERT_EQ(run.at("reports").size(), 1U);
    EXPECT_TRUE(ends_with(run.at("reports").at(0).get<std::string>(), ".pt.trace.json"));
  }
  const auto findings = nlohmann::json::parse(read_text(home / "results" / "findings.json"));
  const auto& question = findings.at("questions").at(0);
  EXPECT_EQ(question.at("claims").at(0).at("verdict"), "supported");
  EXPECT_EQ(question.at("completeness").at("present"), 2);
  EXPECT_TRUE(contains(question.at("findings").at(0).at("title").get<std::string>(), "Recorded in 1 block"));
  EXPECT_TRUE(contains(read_text(home / "results" / "facts.csv"), "ctx64.pt.trace.json,runner.pass_time_ns"));
}

}  // namespace assay::record::torch_study_test
