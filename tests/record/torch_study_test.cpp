// A real recording: a workload of the examples on the CPU, traced by the PyTorch profiler, from question to report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "recording_fixture.hpp"

namespace assay::record {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

/// An interpreter that has PyTorch; empty: none.
std::string python_with_torch() {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const std::string command = std::string(python) + " -c 'import torch' > /dev/null 2>&1";
    if (std::system(command.c_str()) == 0) return python;
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
  const std::string command = std::string(ASSAY_PROGRAM) + " study " + (home / "question.toml").string() + " -o " +
                              (home / "recordings").string() + " --out " + (home / "results").string() + " > " +
                              (home / "said").string() + " 2>&1";
  ASSERT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << bytes_of(home / "said");
  const std::filesystem::path folder = newest_recording(home / "recordings", "q");
  const auto results = nlohmann::json::parse(bytes_of(folder / "results.json"));
  ASSERT_EQ(results.size(), 3U) << "two cells and the twin";
  for (const auto& run : results) {
    EXPECT_TRUE(run.at("success").get<bool>()) << run;
    EXPECT_GT(run.at("elapsed_s").get<double>(), 0) << "the program's own words";
    ASSERT_EQ(run.at("reports").size(), 1U);
    EXPECT_THAT(run.at("reports").at(0).get<std::string>(), EndsWith(".pt.trace.json"));
  }
  const auto findings = nlohmann::json::parse(bytes_of(home / "results" / "findings.json"));
  const auto& question = findings.at("questions").at(0);
  EXPECT_EQ(question.at("claims").at(0).at("verdict"), "supported");
  EXPECT_EQ(question.at("completeness").at("present"), 2);
  EXPECT_THAT(question.at("findings").at(0).at("title").get<std::string>(), HasSubstr("Recorded in 1 block"));
  EXPECT_THAT(bytes_of(home / "results" / "facts.csv"), HasSubstr("ctx64.pt.trace.json,runner.pass_time_ns"));
}

}  // namespace
}  // namespace assay::record
