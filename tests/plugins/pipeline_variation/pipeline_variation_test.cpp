#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::pipeline_variation_test {

using under_test::pipeline_variation::concluded;

using namespace testing;

struct Run {
  std::string name, dim, mode, queue;
  double period;
  std::string program;
  double waits = 0, overlap = 0;
  std::string batch = "8";
};

void add(StudyBuilder& s, const Run& run) {
  auto& report = s.report(run.name, {{"dim", run.dim}, {"mode", run.mode}, {"queue", run.queue}, {"batch", run.batch}});
  report.attribute("fingerprint", run.program)
      .fact("iteration.period_ns", run.period)
      .fact("iteration.gpu_busy_ns", 100)
      .fact("iteration.count", 12)
      .fact("gpu.overlap_ratio", run.overlap)
      .fact("sync.count", 12 * run.waits, "kind=device")
      .fact("sync.count", 0, "kind=stream");
}

StudyBuilder& labelled(StudyBuilder& s) {
  s.label("dim", StudyBuilder::kNumeric).label("mode", {"sync", "async"}, kChangesSync);
  s.label("queue", StudyBuilder::kNumeric).label("batch", StudyBuilder::kNumeric);
  return s;
}

/// Six programs of five runs within 2 % each: the spread between repeat runs.
void add_noise(StudyBuilder& s) {
  for (int i = 0; i < 30; ++i) {
    s.noise_report("noise" + std::to_string(i))
        .attribute("fingerprint", "n" + std::to_string(i / 5))
        .fact("iteration.period_ns", 1000 * (1 + 0.008 * (i % 5 - 2)))
        .fact("iteration.gpu_busy_ns", 100 * (1 + 0.0002 * (i % 5 - 2)));
  }
}

const OptionInputs kOptions = {{"changes", std::vector<std::string>{"mode: sync -> async", "queue: 2 -> 8"}},
                               {"batch", "batch"},
                               {"model", std::vector<std::string>{"dim"}},
                               {"pipeline", std::vector<std::string>{"mode", "queue"}}};

TEST(PipelineVariation, FindsAnEffectBeyondTheFloorAndItsMechanism) {
  StudyBuilder s;
  labelled(s);
  add_noise(s);
  add(s, {"a", "384", "sync", "2", 2000, "p", 1, 0});
  add(s, {"b", "384", "async", "2", 1000, "q", 0, 0.5});
  add(s, {"c", "768", "sync", "2", 4000, "P", 1, 0});
  add(s, {"d", "768", "async", "2", 2000, "Q", 0, 0.6});
  const Recorder recorder = concluded(s.build(), kOptions);
  EXPECT_TRUE(contains(recorder.findings.front().title, "iteration.period_ns with mode sync -> async x0.50"));
  EXPECT_NEAR(
      *recorder.value("pipeline.ratio", "batch=8;change=mode sync -> async;dim=384;metric=iteration.period_ns;queue=2"),
      0.5, 1e-12);
  EXPECT_TRUE(contains(finding(recorder, "Mechanism of mode").title,
                       "waiting calls 1.00 -> 0.00 per iteration, overlap 0.00 -> 0.50 to 0.60"));
  EXPECT_EQ(*recorder.value("pipeline.waits_per_iteration", "", static_cast<Row>(s.row("a"))), 1);
}

TEST(PipelineVariation, TheAnswerHasTheNumbersOfTheLargestChange) {
  StudyBuilder s;
  labelled(s);
  add_noise(s);
  add(s, {"a", "384", "sync", "2", 2000, "p", 1, 0});
  add(s, {"b", "384", "async", "2", 1000, "q", 0, 0.5});
  add(s, {"c", "768", "sync", "2", 4000, "P", 1, 0});
  add(s, {"d", "768", "async", "2", 2000, "Q", 0, 0.6});
  add(s, {"e", "384", "async", "8", 1010, "r", 0, 0.5});
  const testing::RecordedFinding answer = concluded(s.build(), kOptions).findings.front();
  ASSERT_TRUE(answer.effect.has_value());
  EXPECT_NEAR(answer.effect->effect.value, 0.5, 1e-12) << "of mode, not of queue, which changes 1 %";
  EXPECT_EQ(answer.pairs, 2);
  EXPECT_EQ(answer.agreeing, 2);
}

TEST(PipelineVariation, EqualProgramsAreSaidAndInsideTheFloorIsInconclusive) {
  StudyBuilder s;
  labelled(s);
  add_noise(s);
  add(s, {"a", "384", "async", "2", 1000, "p"});
  add(s, {"b", "384", "async", "8", 1020, "p"});
  const Recorder recorder = concluded(s.build(), kOptions);
  EXPECT_TRUE(
      contains(recorder.findings.front().title, "no option confirmed beyond run-to-run noise: queue 2 -> 8 x1.02"));
  EXPECT_TRUE(contains(finding(recorder, "Mechanism of queue").title, "both sides ran the same program"));
  EXPECT_TRUE(contains(finding(recorder, "queue 2 -> 8 on iteration.period_ns").text, "did the same device work"));
}

TEST(PipelineVariation, SplitsTheVarianceExactly) {
  StudyBuilder s;
  labelled(s);
  // log period = log 1000 + {0, log 2} by model + {0, log 4} by mode: balanced, so shares are 1/5 and 4/5 in any order.
  add(s, {"a", "384", "sync", "2", 1000, "1"});
  add(s, {"b", "768", "sync", "2", 2000, "2"});
  add(s, {"c", "384", "async", "2", 4000, "3"});
  add(s, {"d", "768", "async", "2", 8000, "4"});
  const Recorder recorder = concluded(s.build(), kOptions);
  const auto share = [&](const std::string& by, const std::string& order) {
    return *recorder.value("pipeline.variance_ratio", "by=" + by + ";metric=iteration.period_ns;order=" + order);
  };
  EXPECT_NEAR(share("model", "alone"), 0.2, 1e-9);
  EXPECT_NEAR(share("model", "after"), 0.2, 1e-9);
  EXPECT_NEAR(share("pipeline", "alone"), 0.8, 1e-9);
  EXPECT_NEAR(share("pipeline", "after"), 0.8, 1e-9);
}

TEST(PipelineVariation, SetsLatencyAgainstThroughputByBatch) {
  StudyBuilder s;
  labelled(s);
  add(s, {"a", "384", "async", "2", 1e6, "1", 0, 0, "1"});
  add(s, {"b", "384", "async", "2", 2e6, "2", 0, 0, "32"});
  const Recorder recorder = concluded(s.build(), kOptions);
  const auto& scale = finding(recorder, "batch 1 -> 32");
  EXPECT_TRUE(contains(scale.title, "latency × 2.00, samples per second × 16.0"));
  EXPECT_TRUE(contains(scale.text, "batch 1: 1 ms per batch, 1000 samples/s"));
}

TEST(PipelineVariation, RefusesAChangeThatCannotBeRead) {
  StudyBuilder s;
  labelled(s);
  for (const char* text : {"mode", "mode: sync", "mode sync -> async", ": a -> b", "mode: -> async"}) {
    EXPECT_THROW(concluded(s.build(), {{"changes", std::vector<std::string>{text}}}), std::runtime_error) << text;
  }
  EXPECT_THROW(concluded(s.build()), std::runtime_error);
}

}  // namespace assay::pipeline_variation_test
