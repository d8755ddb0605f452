// Where steps begin and end, which are dropped, and what each instant of them goes to.
#include <random>

#include "plugins/analyzers.hpp"
#include "plugins/step_breakdown/split.hpp"
#include "support/test.hpp"

namespace assay::step::step_breakdown_steps_test {

using under_test::step_breakdown::analyzed;

using namespace testing;

/// Samples of a category, one a step.
std::vector<double> category(const Recorder& recorder, const std::string& name) {
  const auto* fact = recorder.fact_of("step.category_time_ns", "category=" + name);
  return fact == nullptr ? std::vector<double>{} : fact->samples;
}

std::vector<double> times(const Recorder& recorder) { return recorder.fact_of("step.time_ns")->samples; }

/// A step on the host: as a range and as an annotation, as traces have it.
void add_step(ReportBuilder& b, int number, std::int64_t start, std::int64_t end) {
  const std::string name = "ProfilerStep#" + std::to_string(number);
  b.range(name, start, end);
  b.op(OpKind::kAnnotation, name, start, end);
}

/// `count` kernels of 1 ns from `start` on, launched by calls of 1 ns at `call`.
void add_work(ReportBuilder& b, int count, std::int64_t call, std::int64_t start) {
  for (int i = 0; i < count; ++i) {
    b.kernel("k", start + i, start + i + 1, {.call = b.call(CallKind::kKernelLaunch, call + i, call + i + 1)});
  }
}

TEST(StepBreakdownSteps, AStepEndsWithTheWorkThatItLaunchedAndTheNextBeginsThere) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  add_step(b, 2, 100, 200);
  b.kernel("a", 90, 130, {.call = b.call(CallKind::kKernelLaunch, 10, 12)});
  b.kernel("b", 140, 150, {.call = b.call(CallKind::kKernelLaunch, 110, 112)});
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(times(recorder), {130, 70}));
  EXPECT_EQ(recorder.value("step.time_ns"), 100);
  EXPECT_EQ(*recorder.attribute_of("step.source"), "profiler marks");
}

TEST(StepBreakdownSteps, ACallThatReachesOutOfTheRangeIsInside) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  b.kernel("a", 105, 130, {.call = b.call(CallKind::kKernelLaunch, 99, 101)});
  b.kernel("no call", 105, 160);
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(times(recorder), {130}));
}

TEST(StepBreakdownSteps, AStepThatOnlyWaitsForTheLastOnesWorkTakesNoTimeOfItsOwn) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  add_step(b, 2, 100, 150);
  add_step(b, 3, 150, 300);
  b.kernel("long", 20, 200, {.call = b.call(CallKind::kKernelLaunch, 10, 12)});
  b.kernel("late", 290, 320, {.call = b.call(CallKind::kKernelLaunch, 250, 260)});
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(times(recorder), {200, 0, 120}));
}

TEST(StepBreakdownSteps, TrailingStepsWithoutDeviceWorkAreDroppedAndSaid) {
  ReportBuilder b;
  for (int i = 0; i < 3; ++i) add_step(b, i, 100 * i, 100 * i + 100);
  add_work(b, 2, 10, 20);
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(times(recorder), {100}));
  EXPECT_EQ(recorder.value("step.dropped_count"), 2);
  ASSERT_EQ(recorder.issues.size(), 1U);
  EXPECT_EQ(recorder.issues[0].name, "dropped_steps");
  EXPECT_TRUE(contains(recorder.issues[0].text, "'ProfilerStep#1' and 'ProfilerStep#2' are not measured"));
}

TEST(StepBreakdownSteps, TheLastStepIsDroppedWhenItHasFewerThanFourFifthsOfTheEventsBeforeIt) {
  for (const int events : {7, 8}) {
    ReportBuilder b;
    add_step(b, 1, 0, 100);
    add_step(b, 2, 100, 200);
    add_work(b, 10, 10, 30);
    add_work(b, events, 110, 130);
    const Recorder recorder = analyzed(b.build());
    EXPECT_EQ(recorder.value("step.dropped_count"), events == 7 ? 1 : 0) << events;
  }
}

TEST(StepBreakdownSteps, WithoutDeviceWorkNothingIsDropped) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  add_step(b, 2, 100, 200);
  const Recorder recorder = analyzed(b.build());
  EXPECT_EQ(recorder.value("step.count"), 2);
  EXPECT_TRUE(contains(*recorder.skip_of("memory.*"), "no allocations"));
  EXPECT_TRUE(contains(recorder.skips[0].reason, "no kernels were captured"));
  EXPECT_FALSE(recorder.value("gpu.utilization_ratio"));
}

TEST(StepBreakdownSteps, WithoutStepsAllHostEventsAreOne) {
  ReportBuilder b;
  b.op(OpKind::kOperator, "aten::mm", 50, 90);
  b.kernel("k", 80, 130, {.call = b.call(CallKind::kKernelLaunch, 70, 120)});
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(times(recorder), {80}));
  EXPECT_EQ(recorder.issues[0].name, "no_steps");
  EXPECT_EQ(*recorder.attribute_of("step.source"), "whole capture");
}

TEST(StepBreakdownSteps, NothingOnTheHostIsSaid) {
  ReportBuilder b;
  b.kernel("k", 80, 130);
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(contains(*recorder.skip_of("step.*, gpu.*"), "nothing was recorded on the host"));
  EXPECT_FALSE(recorder.value("step.count"));
}

TEST(StepBreakdownSteps, IterationsAreStepsWhereNoRangeIs) {
  ReportBuilder b;
  b.range("all", 0, 100);
  b.range("step_0", 0, 50);
  b.range("forward", 10, 30);
  b.range("step_1", 60, 100);
  b.iteration(0, 0, 50);
  b.iteration(1, 60, 100);
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(times(recorder), {50, 40}));
  EXPECT_TRUE(equals(category(recorder, "cpu_exec"), {20, 0})) << "a range that holds a step is no work";
  EXPECT_TRUE(equals(category(recorder, "other"), {30, 40}));
}

TEST(StepBreakdownSteps, IgnoreRangesOfTheRuntimeWithArguments) {
  const auto steps = [](const std::string& before, const std::string& behind) {
    ReportBuilder b;
    for (int i = 0; i < 4; ++i) {
      b.range(before + std::to_string(i) + behind, 100 * i, 100 * i + 90);
      b.kernel("k", 100 * i + 20, 100 * i + 80, {.call = b.call(CallKind::kKernelLaunch, 100 * i + 5, 100 * i + 10)});
    }
    return times(analyzed(b.build())).size();
  };
  EXPECT_EQ(steps("work ", ""), 4U);
  EXPECT_EQ(steps("XlaModule:#hlo_module=jit_step,program_id=", "#"), 1U) << "the whole capture";
}

TEST(StepBreakdownSteps, ANamedWindowHoldsTheSteps) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  add_step(b, 2, 100, 200);
  b.window("measured", {100, 250});
  EXPECT_TRUE(equals(times(analyzed(b.build())), {100}));
}

TEST(StepBreakdownSteps, IgnoreAStepInsideAnother) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  add_step(b, 2, 20, 60);
  const Recorder recorder = analyzed(b.build());
  EXPECT_EQ(recorder.value("step.count"), 1);
}

TEST(StepBreakdownSplit, EachInstantGoesToTheFirstCategoryThatCoversIt) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  b.op(OpKind::kOperator, "aten::mm", 0, 90);
  b.op(OpKind::kOperator, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 80);
  b.call(CallKind::kOther, 0, 70);
  b.kernel("ncclKernel_AllReduce", 0, 60, {.stream = 20});
  b.set(4, 0, 50);
  b.copy(CopyDirection::kHostToDevice, 4, 0, 40);
  b.kernel("gemm", 0, 30);
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(category(recorder, "kernel"), {30}));
  for (const char* name : {"memcpy", "memset", "communication", "runtime", "dataloader", "cpu_exec", "other"}) {
    EXPECT_TRUE(equals(category(recorder, name), {10})) << name;
  }
  EXPECT_EQ(recorder.value("step.category_time_ratio", "category=kernel"), 0.3);
}

TEST(StepBreakdownSplit, KernelsThatCommunicateAreNotKernels) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  b.kernel("ncclKernel_AllReduce_RING_LL_Sum_float", 0, 60, {.stream = 20});
  b.kernel("gemm", 40, 50);
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(category(recorder, "communication"), {50}));
  EXPECT_TRUE(equals(category(recorder, "kernel"), {10}));
  EXPECT_EQ(recorder.value("gpu.utilization_ratio"), 0.6) << "utilization is of all kernels";
}

// A kernel has one class in every analyzer: here a word of the option would say otherwise of both.
TEST(StepBreakdownSplit, RulesSayWhichKernelsCommunicateAndNoHostEventDoes) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  b.kernel("multimem_all_reduce_kernel<float>", 0, 30);
  b.kernel("gloo_shaped_gemm", 40, 50);
  b.op(OpKind::kAnnotation, "gloo:wait", 60, 65);
  const std::vector<std::string> rules = {"communication: multimem_", "matmul: gemm"};
  const Recorder recorder = analyzed(b.build(), {{"rules", rules}});
  EXPECT_TRUE(equals(category(recorder, "communication"), {30}));
  EXPECT_TRUE(equals(category(recorder, "cpu_exec"), {5})) << "the host may set up communicators";
  EXPECT_TRUE(equals(category(recorder, "kernel"), {10}));
  const Recorder words = analyzed(b.build());
  EXPECT_TRUE(equals(category(words, "communication"), {10})) << "without rules the words judge kernels too";
}

TEST(StepBreakdownSplit, NamesCountForOperatorsAndAnnotationsOnly) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  b.op(OpKind::kPythonFunction, "torch/distributed/nccl.py(1): wait", 0, 20);
  b.op(OpKind::kPythonFunction, "ProfilerStep#1", 20, 40);
  b.op(OpKind::kAnnotation, "enumerate(DataLoader)#x", 40, 50);
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(category(recorder, "cpu_exec"), {50}));
  EXPECT_TRUE(equals(category(recorder, "communication"), {0}));
  EXPECT_TRUE(equals(category(recorder, "dataloader"), {0}));
  EXPECT_TRUE(equals(category(recorder, "other"), {50}));
}

TEST(StepBreakdownSplit, GraphLaunchesAreKernels) {
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  b.graph(1, 20, 140, {.call = b.call(CallKind::kGraphLaunch, 10, 15)});
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(times(recorder), {140}));
  EXPECT_TRUE(equals(category(recorder, "kernel"), {120}));
  EXPECT_NEAR(*recorder.value("gpu.utilization_ratio"), 120.0 / 140, 1e-15);
}

TEST(StepBreakdownSplit, OneCategoryThatCoversAStepWhollyLeavesNothing) {  // the original counts the rest again
  ReportBuilder b;
  add_step(b, 1, 0, 100);
  b.kernel("gemm", 0, 100);
  b.op(OpKind::kOperator, "aten::mm", 10, 90);
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(equals(category(recorder, "kernel"), {100}));
  EXPECT_TRUE(equals(category(recorder, "cpu_exec"), {0}));
  EXPECT_TRUE(equals(category(recorder, "other"), {0}));
}

/// Looks at every nanosecond of a step by itself.
Parts painted(const Report& report, const Step& step, Names& names) {
  Parts parts{};
  const auto covers = [](const auto* table, std::int64_t t, auto&& counts) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      if (table->start[r] <= t && t < table->end[r] && counts(r)) return true;
    }
    return false;
  };
  const auto any = [](std::size_t) { return true; };
  const auto kernel_is = [&](bool communication) {
    return [&, communication](std::size_t k) {
      return names.kernel_communicates(report.kernels->name[k]) == communication;
    };
  };
  const auto op_is = [&](NameMeaning meaning) {
    return [&, meaning](std::size_t o) {
      if (report.string(report.ops->name[o]).starts_with("ProfilerStep#")) return false;
      const bool python = report.ops->kind[o] == OpKind::kPythonFunction;
      return (python ? NameMeaning::kNothing : names.meaning_of(report.ops->name[o])) == meaning;
    };
  };
  for (std::int64_t t = step.time.start; t < step.time.end; ++t) {
    const bool in[] = {covers(report.kernels, t, kernel_is(false)),
                       covers(report.copies, t, any),
                       covers(report.sets, t, any),
                       covers(report.kernels, t, kernel_is(true)),
                       covers(report.calls, t, any),
                       covers(report.ops, t, op_is(NameMeaning::kDataLoader)),
                       covers(report.ops, t, op_is(NameMeaning::kNothing)) ||
                           covers(report.ops, t, op_is(NameMeaning::kCommunication)),
                       true};
    ++parts[static_cast<std::size_t>(std::find(std::begin(in), std::end(in), true) - std::begin(in))];
  }
  return parts;
}

class RandomReport {
 public:
  explicit RandomReport(unsigned seed) : random_(seed) {
    for (int s = 0, at = number(20); s < number(4) + 1; ++s) {
      const int length = 10 + number(80);
      add_step(b_, s, at, at + length);
      at += length + number(15) - 3 * (number(4) == 0 ? 1 : 0);
    }
    for (int i = number(40); i > 0; --i) add_event();
  }
  ReportBuilder& builder() { return b_; }

 private:
  int number(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  void add_event() {
    const std::int64_t start = number(300), end = start + number(25);
    const auto call = [&] {
      const std::int64_t at = number(280);
      return number(3) == 0 ? kNone : b_.call(CallKind::kKernelLaunch, at, at + number(6));
    };
    switch (number(7)) {
      case 0:
        b_.kernel(number(3) == 0 ? "ncclKernel" : "gemm", start, end, {.call = call()});
        break;
      case 1:
        b_.copy(CopyDirection::kHostToDevice, 1, start, end, {.call = call()});
        break;
      case 2:
        b_.set(1, start, end, {.call = call()});
        break;
      case 3:
        b_.op(OpKind::kOperator, number(2) == 0 ? "aten::mm" : "gloo:broadcast", start, end);
        break;
      case 4:
        b_.op(OpKind::kAnnotation, "enumerate(DataLoader)#It.__next__", start, end);
        break;
      case 5:
        b_.op(OpKind::kPythonFunction, "f.py(1): nccl", start, end);
        break;
      default:
        b_.call(CallKind::kOther, start, end);
    }
  }
  std::mt19937 random_;
  ReportBuilder b_;
};

TEST(StepBreakdownSplit, EqualsEveryNanosecondLookedAtByItself) {
  const NamePatterns patterns{{"enumerate(DataLoader)#*.__next__"}, {"nccl", "gloo"}, {}};
  std::int64_t painted_time = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomReport random(seed);
    const Report& report = random.builder().build();
    const NameRules no_rules{std::span<const Str>()};
    Names names(report, patterns, no_rules);
    Steps steps = steps_of(report, DisturbedSteps::kKeep);
    for (Step& step : steps.kept) step.time = step.own;
    const std::vector<Parts> parts = split_steps(report, steps.kept, names);
    ASSERT_EQ(parts.size(), steps.kept.size());
    for (std::size_t s = 0; s < parts.size(); ++s) {
      ASSERT_EQ(parts[s], painted(report, steps.kept[s], names)) << "seed " << seed << ", step " << s;
      EXPECT_GE(steps.kept[s].time.start, s > 0 ? steps.kept[s - 1].time.end : 0);
      painted_time += steps.kept[s].time.end - steps.kept[s].time.start;
    }
  }
  EXPECT_GT(painted_time, 20000);
}

TEST(StepBreakdownNames, StarsStandForAnyText) {
  EXPECT_TRUE(matches("enumerate(DataLoader)#*.__next__", "enumerate(DataLoader)#_Multi.__next__.__next__"));
  EXPECT_FALSE(matches("enumerate(DataLoader)#*.__next__", "enumerate(DataLoader)#_Multi.__next__."));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "a-b-b-c"));
  EXPECT_FALSE(matches("a*b*c", "a-c-b"));
  EXPECT_FALSE(matches("ab", "abc"));
  EXPECT_FALSE(matches("", "a"));
}

}  // namespace assay::step::step_breakdown_steps_test
