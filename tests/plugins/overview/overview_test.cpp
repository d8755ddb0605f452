#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::overview_test {

using under_test::overview::concluded;

using namespace testing;

constexpr const char* kWaitedForLaunch = "of kernels waited for their launch";

struct RunValues {
  double busy = 0.3, mean = 3100, interval = 9800, bound = 0.9, host = 0.5, sync = 0.1, window = 1e6, kernels = 100;
  std::string fingerprint = {};
};

/// A report whose idle time is host code and synchronisations.
auto& add(StudyBuilder& s, const std::string& name, const RunValues& m) {
  auto& report = s.report(name, {});
  report.fact("gpu.busy_ratio", m.busy)
      .fact("window.duration_ns", m.window)
      .fact("kernel.count", m.kernels)
      .fact("kernel.time_mean_ns", m.mean)
      .fact("launch.interval_median_ns", m.interval)
      .fact("idle.window_ns", m.window)
      .fact("idle.time_ns", m.host * m.window, "cause=host")
      .fact("idle.time_ns", m.sync * m.window, "cause=sync")
      .fact("kernel_class.time_ratio", 0.6, "class=matmul")
      .fact("kernel_class.time_ratio", 0.4, "class=norm");
  if (m.bound >= 0) report.fact("launch.bound_ratio", m.bound);
  if (!m.fingerprint.empty()) report.attribute("fingerprint", m.fingerprint);
  return report;
}

std::string headline(const RunValues& m) {
  StudyBuilder s;
  add(s, "r", m);
  const Recorder r = concluded(s.build(), {});
  return r.findings.empty() ? "" : r.findings.front().title;
}

std::string cell(const Recorder& r, const std::string& table, const std::string& column, std::size_t row) {
  return r.table_of(table)->column(column)->texts.at(row);
}

std::string limit_of(StudyBuilder& s) { return cell(concluded(s.build(), {}), "runs", "limited by", 0); }
std::string limit_of(const RunValues& m) {
  StudyBuilder s;
  add(s, "r", m);
  return limit_of(s);
}

TEST(Overview, SaysWhatLimitsARun) {
  EXPECT_EQ(headline({}), "GPU busy 30 %; launch-bound: kernels take 3.1 us, launches come every 9.8 us");
  EXPECT_EQ(headline({.busy = 0.95}),
            "GPU busy 95 %; device-bound: most of its time goes to matmul (60 % of kernel time)");
  EXPECT_EQ(headline({.mean = 20000}), "GPU busy 30 %; idle most for host code (50 % of the time)")
      << "kernels are longer than the time between launches";
  EXPECT_EQ(limit_of({.bound = 0.2}), "host code") << "few kernels waited for their launch";
  EXPECT_EQ(limit_of({.bound = -1}), "host code") << "nothing tells how many kernels waited for their launch";
  EXPECT_EQ(limit_of({.host = 0.1, .sync = 0.5}), "synchronization");
}

// The file's own samples know better than the time with a kernel.
TEST(Overview, ABusyGpuWhoseMultiprocessorsWaitIsNotTheLimit) {
  const auto limit = [](double active) {
    StudyBuilder s;
    add(s, "r", {.busy = 0.95}).fact("gpu.sm_active_ratio", active);
    const Recorder r = concluded(s.build(), {});
    return cell(r, "runs", "limited by", 0) + ", " + cell(r, "to_try", "because", 0);
  };
  EXPECT_TRUE(starts_with(limit(0.272), "part of the GPU used, the profile's samples have 27 %")) << limit(0.272);
  EXPECT_TRUE(starts_with(limit(0.9), "device-bound, ")) << limit(0.9);
}

// Most of the idle time is one stretch of host code, as a compilation: faster launches would change nothing.
TEST(Overview, LongGapsAreNotLaunches) {
  StudyBuilder s;
  add(s, "r", {.host = 0.6, .window = 1e9})
      .fact("idle.long_gap_ns", 0.45e9, "cause=host")
      .fact("idle.long_gap_count", 2)
      .fact("idle.long_gap_range_ns", 0.4e9, "range=compile");
  EXPECT_TRUE(contains(concluded(s.build(), {}).findings.front().title, "450 ms of it in 2 gaps over 10 ms, most in"));
  EXPECT_EQ(limit_of(s), "host code");
}

TEST(Overview, LongGapsInCallsNameTheCall) {
  const auto first = [](const char* call) {
    StudyBuilder s;
    auto& report = add(s, "r", {.host = 0, .sync = 0.6, .window = 1e9});
    report.fact("idle.long_gap_ns", 0.45e9, "cause=sync").fact("idle.long_gap_count", 1);
    report.fact("idle.long_gap_range_ns", 0.4e9, "range=decode");
    if (*call != '\0') report.fact("idle.long_gap_call_ns", 0.4e9, std::string("call=") + call);
    const auto found = concluded(s.build(), {}).findings.front();
    return std::string(found.title) + "\n" + std::string(found.text);
  };
  EXPECT_TRUE(contains_all(first("cudaMemcpy"), {"most in cudaMemcpy of 'decode'", "capture several steps"}))
      << first("cudaMemcpy");
  EXPECT_TRUE(contains_all(first(""), {"most in 'decode'", "see what the host waits for there"})) << first("");
}

TEST(Overview, ABusyDeviceIsTheLimitIfNoCauseOfIdleTimeIsLarge) {
  EXPECT_EQ(headline({.busy = 0.89, .mean = 20000, .host = 0.05, .sync = 0.02}),
            "GPU busy 89 %; device-bound: most of its time goes to matmul (60 % of kernel time)");
}

TEST(Overview, SaysFirstThatMostOfACaptureIsCompilation) {
  const auto title = [](double compiled) {
    StudyBuilder s;
    add(s, "r", {.host = 0.6, .window = 1e9}).fact("compile.time_ns", compiled).fact("compile.capture_ns", 1e9);
    return concluded(s.build(), {}).findings.front().title;
  };
  EXPECT_TRUE(title(0.85e9).starts_with("85 % of this capture is compilation (850 ms of 1 s): capture after"))
      << title(0.85e9);
  EXPECT_FALSE(contains(title(0.4e9), "compilation"));
}

TEST(Overview, CommunicationThatNothingHidesIsTheLimit) {
  StudyBuilder s;
  add(s, "r", {.host = 0.3}).fact("step.category_time_ratio", 0.45, "category=communication");
  EXPECT_TRUE(contains(concluded(s.build(), {}).findings.front().title, "45 % of a step is communication"));
  EXPECT_EQ(limit_of(s), "communication-bound");
}

/// A rank that is busy all the time, for a share of it in kernels that communicate.
auto& add_rank(StudyBuilder& s, double communicates) {
  auto& report = s.report("r", {});
  report.fact("gpu.busy_ratio", 0.99).fact("window.duration_ns", 4e6).fact("kernel.count", 100);
  report.fact("kernel_class.time_ratio", communicates, "class=communication");
  return report.fact("kernel_class.time_ratio", 1 - communicates, "class=matmul");
}

TEST(Overview, MentionsHiddenWaitingOfASingleRank) {
  StudyBuilder s;
  add_rank(s, 0.6);
  const Recorder r = concluded(s.build(), {});
  EXPECT_TRUE(starts_with(r.findings.front().title, "GPU busy at most 99 %"));
  EXPECT_EQ(cell(r, "runs", "limited by", 0), "communication-bound");
}

TEST(Overview, AStageThatWaitsInItsMessagesIsInABubble) {
  StudyBuilder s;
  add_rank(s, 0.6)
      .fact("pipeline.step_ns", 1e6)
      .fact("stage.number", 0)
      .fact("stage.wait_ns", 0.5e6)
      .fact("stage.bubble_ns", 0.55e6);
  const Recorder r = concluded(s.build(), {});
  EXPECT_EQ(cell(r, "runs", "limited by", 0), "pipeline bubble");
  EXPECT_EQ(r.table_of("runs")->column("waits for ranks")->numbers.at(0), 0.5);
  ASSERT_EQ(r.table_of("to_try")->column("try")->texts.size(), 1U) << "waiting is no transfer that could be overlapped";
  EXPECT_TRUE(starts_with(cell(r, "to_try", "try", 0), "shrink the bubble of the pipeline"));
  EXPECT_TRUE(contains(cell(r, "to_try", "because", 0), "the bubble is 55 %, transfers included"));
  EXPECT_FALSE(contains(cell(r, "to_try", "because", 0), "microbatches")) << "not known is not 0";
}

TEST(Overview, AStageThatIdlesAsLongAsAnotherWaitsIsInABubble) {
  const auto limits = [](double bubble) {
    StudyBuilder s;
    for (const double wait : {0.27, 0.09})
      add(s, printed("rank%.2f", wait), {.busy = 0.8, .mean = 1e5, .host = 0.27 - wait, .sync = 0})
          .attribute("job", "j")
          .fact("pipeline.step_ns", 1e6)
          .fact("stage.number", wait)
          .fact("stage.wait_ns", wait * 1e6)
          .fact("stage.bubble_ns", bubble * 1e6);
    return concluded(s.build(), {});
  };
  const Recorder all = limits(0.27);
  EXPECT_EQ(all.findings.front().title,
            "2 profiles: all pipeline bubble; 27 % of the stages' time, transfers included");
  EXPECT_EQ(all.table_of("to_try")->column("try")->texts.size(), 2U) << "nothing of the host's code";
  EXPECT_EQ(cell(limits(0.1), "runs", "limited by", 0), "host code") << "a bubble of 10 % does not make it idle 18 %";
}

TEST(Overview, UnknownWaitingOfAStageIsNotZero) {
  StudyBuilder s;
  add_rank(s, 0.6).fact("pipeline.step_ns", 1e6).fact("stage.number", 0).fact("stage.bubble_ns", 0.55e6);
  const Recorder r = concluded(s.build(), {});
  EXPECT_EQ(r.table_of("runs")->column("waits for ranks"), nullptr) << "not known is not 0";
  EXPECT_TRUE(starts_with(r.findings.front().title, "GPU busy at most 99 %"));
}

TEST(Overview, TheStageThatLimitsIsNotToOptimizeItsKernels) {
  StudyBuilder s;
  add_rank(s, 0.1)
      .fact("pipeline.step_ns", 1e6)
      .fact("stage.number", 2)
      .fact("stage.wait_ns", 0.15e6)
      .fact("pipeline.limiting_stage", 2)
      .fact("pipeline.limiting_excess_ratio", 0.6)
      .fact("pipeline.limiting_saving_ratio", 0.3);
  const Recorder r = concluded(s.build(), {});
  EXPECT_EQ(cell(r, "runs", "limited by", 0), "awaited by the others");
  EXPECT_TRUE(contains(r.findings.front().title, "stage 2 computes 60 % more"));
  EXPECT_TRUE(starts_with(cell(r, "to_try", "try", 0), "give the slowest stage"));
  EXPECT_EQ(r.table_of("to_try")->column("gain")->numbers.at(0), 0.3);
}

TEST(Overview, NamesTheDevicesThatDoMostAndLeast) {
  const auto title = [](std::vector<double> work, double busy) {
    StudyBuilder s;
    auto& report = s.report("r", {});
    report.fact("gpu.busy_ratio", busy / 1e6).fact("window.duration_ns", 1e6).fact("kernel.count", 100);
    report.fact("idle.window_ns", 2e6).fact("idle.time_ns", 0.8e6, "cause=host");
    for (std::size_t d = 0; d < work.size(); ++d) {
      const std::string dims = filled("device={};process=7", {std::to_string(d)});
      report.fact("gpu.part_busy_ns", std::max(busy, work[d]), dims).fact("gpu.part_work_ns", work[d], dims);
      report.fact("gpu.part_kernel_count", 10, dims);
    }
    return concluded(s.build(), {}).findings.front().title;
  };
  EXPECT_TRUE(starts_with(title({0.52e6, 0.3e6}, 0.3e6), "2 GPUs busy 30 % (mean), 30 % (GPU 1) to 52 % (GPU 0); "));
  EXPECT_TRUE(
      contains(title({0.4e6, 0.6e6}, 0.8e6), "80 % (mean), without communication 40 % (GPU 0) to 60 % (GPU 1)"));
  EXPECT_TRUE(starts_with(title({0.6e6, 0.6e6}, 0.6e6), "2 GPUs busy 60 % each; "));
}

TEST(Overview, SeveralDevicesAreSaidAndNotSummed) {
  StudyBuilder s;
  auto& report = s.report("r", {});
  report.fact("gpu.busy_ratio", 0.6).fact("window.duration_ns", 1e6).fact("kernel.count", 100);
  report.fact("idle.window_ns", 2e6).fact("idle.time_ns", 0.8e6, "cause=host");
  EXPECT_TRUE(starts_with(concluded(s.build(), {}).findings.front().title, "2 GPUs busy 60 % (mean); "));
  const Recorder r = concluded(s.build(), {{"pages", "true"}});
  EXPECT_EQ(r.table_of("idle")->column("time")->numbers.at(0), 0.4e6);
}

TEST(Overview, GraphsThatHideTheirKernelsNameNoClass) {
  StudyBuilder s;
  auto& report = s.report("graphs", {});
  report.fact("gpu.busy_ratio", 0.99).fact("graph.opaque_ratio", 0.98);
  report.fact("kernel_class.time_ratio", 1, "class=fill");
  const Recorder r = concluded(s.build(), {});
  EXPECT_EQ(r.findings.front().title, "GPU busy 99 %; device-bound; CUDA graphs hide their kernels");
  EXPECT_TRUE(contains(cell(r, "to_try", "try", 0), "--cuda-graph-trace=node"));
}

TEST(Overview, AdviceNamesWhatWasMeasured) {
  StudyBuilder s;
  add(s, "r", {});
  const Recorder r = concluded(s.build(), {});
  EXPECT_TRUE(contains(cell(r, "to_try", "try", 0), "CUDA graphs"));
  EXPECT_EQ(cell(r, "to_try", "because", 0),
            std::string("90 % ") + kWaitedForLaunch + "; the device idled 50 % of the time waiting for one");
  EXPECT_TRUE(contains(cell(r, "to_try", "because", 1), "idled 10 % of the time after such waits"));
}

TEST(Overview, BelowTheLimitsOnlyTheKernelsAreLeftToOptimize) {
  StudyBuilder s;
  add(s, "r", {.busy = 0.8, .mean = 20000, .host = 0.09, .sync = 0.09});
  const Recorder r = concluded(s.build(), {});
  EXPECT_EQ(r.table_of("to_try")->column("try")->texts.size(), 1U);
  EXPECT_TRUE(contains(cell(r, "to_try", "try", 0), "optimize the kernels"));
}

TEST(Overview, RunsOfTheSameWorkThatTakeLongerAreUnlike) {
  StudyBuilder s;
  for (int i = 0; i < 3; ++i) add(s, "run" + std::to_string(i), {.fingerprint = "same"});
  add(s, "slow", {.window = 2e6, .fingerprint = "same"});
  add(s, "other", {.window = 1.1e6, .fingerprint = "another"});
  const Recorder r = concluded(s.build(), {});
  EXPECT_EQ(cell(r, "runs", "report", 0), "slow");
  EXPECT_TRUE(contains(cell(r, "runs", "unlike the others", 0), "2.00 times the duration of 3 runs of the same work"));
  for (std::size_t row = 1; row < 5; ++row) EXPECT_EQ(cell(r, "runs", "unlike the others", row), "");
}

TEST(Overview, MarksOnlyTheSlowOneOfTwoRuns) {
  StudyBuilder s;
  add(s, "fast", {.fingerprint = "same"});
  add(s, "slow", {.window = 2e6, .fingerprint = "same"});
  const Recorder r = concluded(s.build(), {});
  EXPECT_EQ(cell(r, "runs", "report", 0), "slow");
  EXPECT_EQ(cell(r, "runs", "unlike the others", 1), "");
}

TEST(Overview, FewKernelsComeFirstAndSpreadIsNotAnOddity) {
  StudyBuilder s;
  for (int i = 1; i <= 6; ++i) add(s, "dim" + std::to_string(i), {.busy = 0.1 * i, .kernels = 100.0 * i});
  add(s, "few", {.busy = 0.3, .kernels = 3});
  const Recorder r = concluded(s.build(), {});
  EXPECT_EQ(cell(r, "runs", "report", 0), "few");
  EXPECT_TRUE(contains(cell(r, "runs", "unlike the others", 0), "only 3 kernels"));
  for (std::size_t row = 1; row < 7; ++row) EXPECT_EQ(cell(r, "runs", "unlike the others", row), "");
}

TEST(Overview, WhereAllAreUnlikeNoneIs) {
  StudyBuilder s;
  for (int i = 0; i < 3; ++i) add(s, "r" + std::to_string(i), {.kernels = 3});
  const Recorder r = concluded(s.build(), {});
  for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(cell(r, "runs", "unlike the others", row), "");
}

/// Titles of the page of a report, in their order.
std::vector<std::string> titles(const Recorder& r, const std::string& report) {
  std::vector<std::string> out;
  const auto* index = r.table_of("sections");
  for (std::size_t row = 0; row < index->column("title")->texts.size(); ++row) {
    const std::string title = index->column("title")->texts[row];
    if (index->column("report")->texts[row] == report && (out.empty() || out.back() != title)) out.push_back(title);
  }
  return out;
}

TEST(Overview, LaysOutPagesOnlyWhereTheyAreAskedFor) {
  StudyBuilder s;
  add(s, "r", {}).attribute("device", "H200").attribute("cuda", "HIP 7").fact("copy.time_sum_ns", 5, "direction=h2d");
  EXPECT_EQ(concluded(s.build(), {}).table_of("sections"), nullptr);
  const Recorder r = concluded(s.build(), {{"pages", "true"}});
  EXPECT_TRUE(equals(titles(r, ""), {"", "Jobs", "Pipelines", "What to try", "Profiles", "Unlike the others"}));
  EXPECT_TRUE(equals(
      titles(r, "r"),
      {"", "The median step", "Functions by samples of threads", "Ranges on the host, and what the GPU does for each",
       "Inside CUDA graphs, per replay, by the ranges of their capture", "Serving", "Steps of the server",
       "GPU idle 60 %, waiting for", "Copies", "Top kernels", "Kernels by counters: share of the peak (speed of light)",
       "What ran", "What to try"}));
  EXPECT_EQ(cell(r, "setup", "value", 0), "H200");
  EXPECT_EQ(cell(r, "setup", "its value", 0), "HIP 7") << "what is not known has no row";
  EXPECT_EQ(cell(r, "idle", "cause", 0), "host code between launches");
  EXPECT_EQ(r.table_of("idle")->column("share")->numbers.at(0), 0.5);
  EXPECT_EQ(cell(r, "copies", "direction", 0), "host to device");
  EXPECT_EQ(r.table_of("copies")->column("count")->integers.at(0), kNoInteger) << "not recorded is not zero";
}

TEST(Overview, MfuIsALeastValueWhereOperatorsHaveNoModel) {
  const auto title = [](std::optional<double> unmodelled, double hidden = 0, double mfu = 0.4,
                        const std::string& text = "40 %") {
    StudyBuilder s;
    auto& report = s.report("r", {});
    report.fact("step.mfu_ratio", mfu).fact("operator.above_roof_ns", 7).fact("graph.opaque_ratio", hidden);
    if (unmodelled) report.fact("operator.unmodelled_time_ratio", *unmodelled);
    return includes(titles(concluded(s.build(), {{"pages", "true"}}), "r"),
                    "Largest gains: time above the roof (MFU at least " + text + ")");
  };
  EXPECT_FALSE(title(0.001));
  EXPECT_TRUE(title(0.5));
  EXPECT_TRUE(title(std::nullopt)) << "how much has no model is not known";
  EXPECT_TRUE(title(0.001, 0.3)) << "operators in graphs";
  EXPECT_TRUE(title(0.5, 0, 0.0043, "0.43 %")) << "at least less than 1 % would say nothing";
}

// Each direction as long as the window, beside each other.
TEST(Overview, CopiesBesideEachOtherTakeNoMoreThanTheTime) {
  StudyBuilder s;
  add(s, "r", {.busy = 0.8})
      .fact("copy.time_sum_ns", 1e6, "direction=h2d")
      .fact("copy.time_sum_ns", 1e6, "direction=d2h")
      .fact("gpu.overlap_ratio", 0.1);
  const Recorder r = concluded(s.build(), {});
  EXPECT_TRUE(std::ranges::any_of(r.table_of("to_try")->column("because")->texts, [](const std::string& because) {
    return because == "copies between host and device take 80 % of the time, 10 % of that beside kernels";
  }));
}

TEST(Overview, ManyClassesAreSummedUpAndOperatorsAreShownByWhatTheyCouldGain) {
  StudyBuilder s;
  auto& report = s.report("r", {});
  for (int i = 0; i < 8; ++i) {
    const std::string dims = "class=c" + std::to_string(i);
    report.fact("kernel_class.time_sum_ns", 100 - i, dims).fact("kernel_class.time_ratio", 0.125, dims);
    report.fact("kernel_class.count", 2, dims);
  }
  report.fact("step.mfu_ratio", 0.4).fact("operator.above_roof_ns", 7).fact("operator.unmodelled_time_ratio", 0.001);
  report.fact("step.hfu_ratio", 0.5).fact("step.compute_roof_ratio", 0.8).attribute("step.mfu_peak", "P");
  const Recorder r = concluded(s.build(), {{"pages", "true"}});
  EXPECT_EQ(cell(r, "classes", "class", 6), "all others");
  EXPECT_EQ(r.table_of("classes")->column("time")->numbers.at(6), 94 + 93);
  EXPECT_EQ(r.table_of("classes")->column("kernels")->integers.at(6), 4);
  EXPECT_TRUE(includes(titles(r, "r"), "Largest gains: time above the roof (MFU 40 %)"));
  EXPECT_TRUE(includes(r.table_of("sections")->column("sentence")->texts,
                       "MFU is of the P; with what is recomputed (HFU) 50 %; the step is at 80 % of the roof of the "
                       "types that its products ran in"));
  EXPECT_TRUE(includes(r.table_of("sections")->column("sentence")->texts,
                       "the roofline covers 100 % of the operators' GPU time; the rest has no model"));
}

}  // namespace assay::overview_test
