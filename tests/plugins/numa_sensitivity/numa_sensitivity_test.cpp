#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::numa_sensitivity_test {

using under_test::numa_sensitivity::concluded;

using namespace testing;

/// How the values of runs of one program scatter; by number of the run.
constexpr double kScatter[] = {1.0, 1.02, 0.985, 1.01, 0.99, 1.015, 0.995, 1.005};

struct Shape {
  double batch1_factor = 1;  ///< of the period of runs bound to node 2 at batch 1
  int replicates = 4;
  bool words_contradict = false;
};

/// Three models at batch 1 and 8 on nodes 0 and 2.
void numa_study(StudyBuilder& s, const Shape& shape) {
  s.label("numa", StudyBuilder::kNumeric).label("dim", StudyBuilder::kNumeric).label("batch", StudyBuilder::kNumeric);
  s.descriptive_label("memory");
  int run = 0;
  for (const char* dim : {"384", "768", "1024"}) {
    for (const char* batch : {"1", "8"}) {
      for (const char* node : {"0", "2"}) {
        for (int i = 0; i < shape.replicates; ++i) {
          const bool slow = std::string_view(node) == "2" && std::string_view(batch) == "1";
          const double scatter = kScatter[run % 8];
          auto& report =
              s.report("run" + std::to_string(100 + run++),
                       {{"numa", node}, {"dim", dim}, {"batch", batch}, {"memory", i % 2 == 0 ? "local" : "remote"}});
          report.attribute("fingerprint", std::string(dim) + "/" + batch)
              .fact("iteration.count", 12)
              .fact("iteration.period_ns", 1000 * scatter * (slow ? shape.batch1_factor : 1))
              .fact("window.duration_ns", 12000 * scatter * (slow ? shape.batch1_factor : 1))
              .fact("iteration.gpu_busy_ns", 500 * (1 + (scatter - 1) / 20))
              .fact("copy.bandwidth_bytes_per_s", 5e10 * (1 + (scatter - 1) / 4), "direction=h2d")
              .fact("copy.bandwidth_bytes_per_s", 5e10 * (1 - (scatter - 1) / 4), "direction=d2h");
          if (shape.words_contradict && i % 2 == 0) {
            report.fact("label.verdict", 1, "label=memory;verdict=contradicted");
          }
        }
      }
    }
  }
}

double comparisons(const Recorder& recorder, const std::string& metric, const std::string& outcome) {
  return *recorder.value("numa.comparisons", "metric=" + metric + ";outcome=" + outcome);
}

TEST(NumaSensitivity, FindsNothingWhereNothingIs) {
  StudyBuilder s;
  numa_study(s, {});
  const Recorder recorder = concluded(s.build());
  for (const char* metric : {"iteration.period_ns", "window.duration_ns", "iteration.gpu_busy_ns"}) {
    EXPECT_EQ(comparisons(recorder, metric, "differs"), 0) << metric;
  }
  EXPECT_EQ(comparisons(recorder, "iteration.gpu_busy_ns", "equivalent"), 6);
  EXPECT_EQ(recorder.value("numa.effects_found"), 0);
  EXPECT_TRUE(contains(recorder.findings.front().title, "No effect of the bound node found"));
}

TEST(NumaSensitivity, ShowsTheLevelsOfBothNodes) {
  StudyBuilder s;
  numa_study(s, {.batch1_factor = 1.35});
  const Recorder recorder = concluded(s.build());
  const auto* table = recorder.table_of("node_levels");
  ASSERT_NE(table, nullptr);
  // First the period: dim 384, batch 1; its runs on node 0 scatter by the first four factors, on node 2 by the others.
  EXPECT_EQ(table->column("metric")->texts.front(), "iteration.period_ns");
  EXPECT_DOUBLE_EQ(table->column("base least")->numbers.front(), 985);
  EXPECT_DOUBLE_EQ(table->column("base greatest")->numbers.front(), 1020);
  EXPECT_DOUBLE_EQ(table->column("base median")->numbers.front(), 1005);
  EXPECT_DOUBLE_EQ(table->column("node median")->numbers.front(), 1350);
}

TEST(NumaSensitivity, FindsAPlantedSlowdownAtBatchOne) {
  StudyBuilder s;
  numa_study(s, {.batch1_factor = 1.35});
  const Recorder recorder = concluded(s.build());
  EXPECT_EQ(comparisons(recorder, "iteration.period_ns", "differs"), 3);
  EXPECT_EQ(comparisons(recorder, "window.duration_ns", "differs"), 3);
  EXPECT_EQ(comparisons(recorder, "iteration.gpu_busy_ns", "differs"), 0);
  EXPECT_EQ(recorder.value("numa.effects_found"), 6);
  EXPECT_NEAR(*recorder.value("numa.ratio", "batch=1;dim=768;metric=iteration.period_ns;node=2"), 1.35, 0.05);
  EXPECT_NEAR(*recorder.value("numa.ratio", "batch=8;dim=768;metric=iteration.period_ns;node=2"), 1, 0.05);
  EXPECT_TRUE(contains(recorder.findings.front().title, "The bound node matters: iteration.period_ns"));
  // The answer's numbers are those of the period: three pairs slower by 1.35 and three equal, their geometric mean.
  ASSERT_TRUE(recorder.findings.front().effect.has_value());
  EXPECT_NEAR(recorder.findings.front().effect->effect.value, std::sqrt(1.35), 0.02);
  EXPECT_EQ(recorder.findings.front().pairs, 6);
}

TEST(NumaSensitivity, WithoutReplicatesASlowdownIsInconclusive) {
  StudyBuilder s;
  numa_study(s, {.batch1_factor = 1.35, .replicates = 1});
  const Recorder recorder = concluded(s.build());
  EXPECT_EQ(recorder.value("numa.effects_found"), 0);
  EXPECT_EQ(comparisons(recorder, "iteration.period_ns", "inconclusive"), 6);
  EXPECT_EQ(comparisons(recorder, "iteration.gpu_busy_ns", "equivalent"), 0);
}

TEST(NumaSensitivity, AWordThatContradictsTheBindingTakesNothingOut) {
  StudyBuilder s;
  numa_study(s, {.batch1_factor = 1.35, .words_contradict = true});
  const Recorder recorder = concluded(s.build());
  EXPECT_EQ(comparisons(recorder, "iteration.period_ns", "differs"), 3);
  EXPECT_TRUE(recorder.skips.empty());
}

TEST(NumaSensitivity, OneNodeAloneIsSaid) {
  StudyBuilder s;
  s.label("numa", StudyBuilder::kNumeric);
  s.report("a", {{"numa", "0"}}).fact("iteration.period_ns", 1);
  const Recorder recorder = concluded(s.build());
  EXPECT_TRUE(recorder.findings.empty());
  ASSERT_EQ(recorder.skips.size(), 1U);
  EXPECT_TRUE(contains(recorder.skips[0].reason, "one value of the label numa"));
}

}  // namespace assay::numa_sensitivity_test
