// The answer and the advice, from facts alone.
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::step::step_breakdown_study_test {

using under_test::step_breakdown::concluded;

using namespace testing;

struct Numbers {
  double kernel = 0.9, communication = 0, data_loader = 0.05, utilization = 0.5, memory = 0.9;
  double tensor_yes = 0.2, eligible_no = 0.3;
  const char* capability = "7.0";
  const char* world = nullptr;
};

void add(StudyBuilder& s, const std::string& path, const Numbers& n = {}) {
  auto& report = s.report(path);
  report.fact("step.count", 2).fact("step.dropped_count", 1).fact("step.time_ns", 2e6, "", {1e6, 3e6});
  report.fact("step.category_time_ratio", n.kernel, "category=kernel");
  report.fact("step.category_time_ratio", n.communication, "category=communication");
  report.fact("step.category_time_ratio", n.data_loader, "category=dataloader");
  report.fact("step.category_time_ratio", 1 - n.kernel - n.communication - n.data_loader, "category=other");
  report.fact("gpu.utilization_ratio", n.utilization);
  report.fact("step.tensor_core_time_ratio", n.tensor_yes, "uses=yes");
  report.fact("step.tensor_core_time_ratio", 0.1, "uses=unknown");
  report.fact("step.eligible_kernel_time_ratio", n.eligible_no, "uses=no");
  report.fact("memory.peak_ratio", n.memory, "device=0");
  report.attribute("gpu.compute_capability", n.capability);
  if (n.world != nullptr) report.attribute("world_size", n.world);
}

/// Titles of the advice: every answer that is not about a single report.
std::vector<std::string> advised(const Recorder& recorder) {
  std::vector<std::string> out;
  for (const auto& finding : recorder.findings) {
    const bool advice = finding.text.find("To try:") != std::string::npos;
    if (advice) out.push_back(finding.title);
  }
  return out;
}

TEST(StepBreakdownStudy, TheAnswerSaysWhereAStepGoes) {
  StudyBuilder s;
  add(s, "a/run.pt.trace.json.gz");
  const Recorder recorder = concluded(s.build());
  const auto& answer = recorder.findings.front();
  EXPECT_EQ(answer.role, FindingRole::kAnswer);
  EXPECT_EQ(answer.title, "run: a step of 2 ms is 90.0 % Kernel, 5.0 % DataLoader and 5.0 % Other");
  EXPECT_TRUE(contains_all(answer.text, {"Mean of 2 steps (1 ms to 3 ms; 1 more dropped)", "GPU utilization 50.0 %"}));
  EXPECT_TRUE(equals(recorder.table_of("steps")->column("Kernel")->numbers, {0.9}));
}

TEST(StepBreakdownStudy, AThresholdThatIsMetIsNotPassed) {
  StudyBuilder s;
  add(s, "run.json");
  const Recorder recorder = concluded(s.build());
  EXPECT_TRUE(is_empty(advised(recorder)));
  EXPECT_EQ(recorder.findings.back().role, FindingRole::kNote);
  EXPECT_TRUE(contains(recorder.findings.back().text, "waiting for data 5 % (1 profile)"));
  EXPECT_TRUE(recorder.table_of("advice")->column("report")->texts.empty());
}

TEST(StepBreakdownStudy, EveryRuleHoldsBeyondItsThreshold) {
  StudyBuilder s;
  add(s, "a.json", {0.5, 0.11, 0.06, 0.49, 0.91, 0, 0.3, "7.0"});
  add(s, "b.json");
  const Recorder recorder = concluded(s.build());
  const std::vector<std::string> titles = advised(recorder);
  ASSERT_EQ(titles.size(), 5U);
  EXPECT_EQ(titles[0], "Waiting for the DataLoader takes more than 5 % of a step in 1 of 2 profiles");
  EXPECT_EQ(titles[1], "Communication that no kernel hides takes more than 10 % of a step in 1 of 2 profiles");
  EXPECT_EQ(titles[2], "Kernels run less than 50 % of the time in 1 of 2 profiles");
  EXPECT_TRUE(contains(titles[3], "Tensor cores are used for no more than 0 % of kernel time"));
  EXPECT_EQ(titles[4], "More than 90 % of a device's memory is taken at the peak in 1 of 2 profiles");
  const auto& table = *recorder.table_of("advice");
  EXPECT_TRUE(equals(table.column("report")->texts, {"a.json", "a.json", "a.json", "a.json", "a.json"}));
  EXPECT_TRUE(equals(table.column("measured")->numbers, {0.06, 0.11, 0.49, 0.3, 0.91}));
  EXPECT_TRUE(equals(table.column("threshold")->numbers, {0.05, 0.1, 0.5, 0, 0.9}));
}

TEST(StepBreakdownStudy, ThresholdsAreOptions) {
  StudyBuilder s;
  add(s, "a.json");
  const Recorder recorder =
      concluded(s.build(), {{"data_loader_limit", 0.04}, {"utilization_limit", 0.6}, {"memory_limit", 0.8}});
  EXPECT_EQ(advised(recorder).size(), 3U);
}

TEST(StepBreakdownStudy, TensorCoresThatTheDeviceDoesNotHaveAreNotMissed) {
  StudyBuilder s;
  add(s, "old.json", {.tensor_yes = 0, .capability = "6.1"});
  add(s, "nothing eligible.json", {.tensor_yes = 0, .eligible_no = 0});
  EXPECT_TRUE(is_empty(advised(concluded(s.build()))));
}

TEST(StepBreakdownStudy, ARuleThatAReportCannotAnswerDoesNotJudgeIt) {
  StudyBuilder s;
  s.report("host only.json")
      .fact("step.count", 1)
      .fact("step.time_ns", 5e6, "", {5e6})
      .fact("step.category_time_ratio", 1, "category=cpu_exec");
  const Recorder recorder = concluded(s.build());
  EXPECT_TRUE(contains_all(recorder.findings.front().text, {"One step", "No kernels were captured"}));
  EXPECT_TRUE(contains(recorder.findings.back().text, "GPU utilization 50 % (0 profiles)"));
}

TEST(StepBreakdownStudy, ManyReportsHaveOneAnswer) {
  StudyBuilder s;
  for (int i = 0; i < 9; ++i) add(s, "r" + std::to_string(i) + ".json");
  const Recorder recorder = concluded(s.build());
  EXPECT_EQ(recorder.findings.front().title, "The largest part of a step is Kernel in 9 of 9 profiles");
  EXPECT_EQ(recorder.table_of("steps")->column("report")->texts.size(), 9U);
}

TEST(StepBreakdownStudy, ReportsOfOneNameAreToldApart) {
  StudyBuilder s;
  add(s, "a/run.json");
  add(s, "b/run.json");
  EXPECT_TRUE(contains(concluded(s.build()).findings.front().title, "a/run.json: a step"));
}

TEST(StepBreakdownStudy, WithoutStepsThatIsSaid) {
  StudyBuilder s;
  s.report("a.sqlite").fact("kernel.count", 1);
  const Recorder recorder = concluded(s.build());
  ASSERT_EQ(recorder.skips.size(), 1U);
  EXPECT_TRUE(recorder.findings.empty());
}

TEST(Advice, OnOneRankOfManySaysThatItsCommunicationMayBeWaiting) {
  const auto text_for = [](const char* world) {
    StudyBuilder s;
    add(s, "rank0", {.kernel = 0.5, .communication = 0.3, .world = world});
    for (const auto& finding : concluded(s.build()).findings) {
      if (finding.title.starts_with("Communication that")) return finding.text;
    }
    return std::string();
  };
  const char* caution = "cannot show whether it transfers data or waits";
  EXPECT_TRUE(contains(text_for("8"), caution));
  const std::string alone = text_for("1");
  EXPECT_TRUE(contains(alone, "To try:"));
  EXPECT_FALSE(contains(alone, caution));
}

}  // namespace assay::step::step_breakdown_study_test
