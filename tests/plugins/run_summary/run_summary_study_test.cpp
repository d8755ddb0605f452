#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::summary::run_summary_study_test {

using under_test::run_summary::concluded;

using testing::StudyBuilder;

constexpr const char* kBusy = "iteration.gpu_busy_ns";
constexpr const char* kWindow = "window.duration_ns";

/// A study whose runs have names that tell them apart and nothing else.
struct Runs : StudyBuilder {
  Runs() { descriptive_label("run"); }
};

void run(StudyBuilder& s, const std::string& path, const std::string& fingerprint, double busy, double window,
         double count = 10) {
  s.report(path, {{"run", path}})
      .attribute("fingerprint", fingerprint)
      .fact(kBusy, busy)
      .fact(kWindow, window)
      .fact("iteration.count", count);
}

TEST(RunSummaryStudy, ThroughputNeedsABatch) {
  StudyBuilder s;
  s.label("batch", StudyBuilder::kNumeric);
  s.report("a", {{"batch", "8"}}).fact("iteration.count", 12).fact(kWindow, 2e6);
  s.report("b").fact("iteration.count", 12).fact(kWindow, 2e6);
  s.report("c", {{"batch", "8"}}).fact(kWindow, 2e6);
  const Study& study = s.build();
  const auto r = concluded(study);
  EXPECT_DOUBLE_EQ(*r.value("throughput.samples_per_s", "", 0), 12 * 8 / 2e-3);
  EXPECT_FALSE(r.value("throughput.samples_per_s", "", 1).has_value());
  EXPECT_FALSE(r.value("throughput.samples_per_s", "", 2).has_value());
  ASSERT_EQ(r.skips.size(), 1U);
  EXPECT_EQ(r.skips[0].report, 1);
}

TEST(RunSummaryStudy, ADoubtedRunIsNotAReplicate) {
  Runs s;
  run(s, "a", "p", 100, 1000);
  run(s, "b", "p", 101, 1000);
  s.report("liar", {{"run", "liar"}})
      .attribute("fingerprint", "p")
      .fact(kBusy, 500)
      .fact("iteration.count", 10)
      .doubted("a doubt");
  const auto r = concluded(s.build());
  EXPECT_EQ(r.value("replicate.group", "group=1"), 2);
  EXPECT_DOUBLE_EQ(*r.value("replicate.spread_ratio", "group=1;metric=iteration.gpu_busy_ns"), 1.01);
}

TEST(RunSummaryStudy, ThroughputOfABatchThatIsNotBelievedIsSkipped) {
  StudyBuilder s;
  s.label("batch", StudyBuilder::kNumeric).label("px", StudyBuilder::kNumeric);
  const auto add = [&](const char* path, const char* dims) -> StudyBuilder::ReportEntry& {
    return s.report(path, {{"batch", "2"}})
        .fact("iteration.count", 12)
        .fact(kWindow, 2e6)
        .fact("label.verdict", 1, dims);
  };
  add("a", "label=batch;verdict=contradicted").fact("label.trace_value", 8, "label=batch");
  add("b", "label=batch;verdict=unverifiable");
  add("c", "label=px;verdict=contradicted");
  add("d", "label=batch;verdict=not_borne_out");
  add("e", "label=batch;verdict=unverifiable").fact("label.conflict", 1, "label=batch");
  const auto r = concluded(s.build());
  EXPECT_FALSE(r.value("throughput.samples_per_s", "", 0).has_value());
  EXPECT_DOUBLE_EQ(*r.value("throughput.samples_per_s", "", 1), 12 * 2 / 2e-3);
  EXPECT_TRUE(r.value("throughput.samples_per_s", "", 2).has_value()) << "its batch is believed";
  EXPECT_FALSE(r.value("throughput.samples_per_s", "", 3).has_value());
  EXPECT_FALSE(r.value("throughput.samples_per_s", "", 4).has_value());
  ASSERT_EQ(r.skips.size(), 3U);
  EXPECT_TRUE(contains(r.skips[0].reason, "which shows 8"));
}

TEST(RunSummaryStudy, GroupsAreEqualFingerprintsInOrderOfPath) {
  Runs s;
  run(s, "a", "second", 100, 1000);
  run(s, "b", "alone", 500, 1000);
  run(s, "c", "first", 300, 3000);
  run(s, "d", "second", 110, 1500);
  run(s, "e", "first", 300, 2000);
  s.noise_report("f")
      .attribute("fingerprint", "second")
      .fact(kBusy, 105)
      .fact(kWindow, 900)
      .fact("iteration.count", 10);
  s.report("g").fact(kBusy, 1);
  const auto r = concluded(s.build());
  EXPECT_TRUE(has_values(r, {{"replicate.group{group=1}", 3}, {"replicate.group{group=2}", 2}}));
  EXPECT_FALSE(r.value("replicate.group", "group=3").has_value());
  EXPECT_DOUBLE_EQ(*r.value("replicate.spread_ratio", "group=1;metric=iteration.gpu_busy_ns"), 1.1);
  EXPECT_DOUBLE_EQ(*r.value("replicate.spread_ratio", "group=1;metric=window.duration_ns"), 1500.0 / 900);
  EXPECT_EQ(r.value("replicate.spread_ratio", "group=2;metric=iteration.gpu_busy_ns"), 1);

  const double a = std::log(100), d = std::log(110), f = std::log(105), mean = (a + d + f) / 3;
  const double squares = (a - mean) * (a - mean) + (d - mean) * (d - mean) + (f - mean) * (f - mean);
  EXPECT_NEAR(*r.value("replicate.pooled_sd_log", "metric=iteration.gpu_busy_ns"), std::sqrt(squares / 3), 1e-14);
  EXPECT_EQ(r.value("replicate.pooled_df", "metric=iteration.gpu_busy_ns"), 3) << "2 of three runs, 1 of two";

  ASSERT_EQ(r.findings.size(), 1U);
  EXPECT_EQ(r.findings[0].role, FindingRole::kNote);
  EXPECT_TRUE(
      contains(r.findings[0].title, "device time up to a factor of 1.100, host-bound time up to a factor of 1.67"));
  EXPECT_TRUE(contains(r.findings[0].text, "5 runs in 2 groups of equal fingerprints among 7 profiles"));
  EXPECT_TRUE(contains(r.findings[0].text, "1 profile (no GPU work"));
  EXPECT_FALSE(r.findings[0].evidence.empty());

  const auto* groups = r.table_of("replicate_groups");
  ASSERT_NE(groups, nullptr);
  EXPECT_TRUE(equals(groups->column("first report")->texts, {"a", "c"}));
  EXPECT_TRUE(equals(groups->column("reports")->integers, {3, 2}));
  EXPECT_TRUE(equals(r.table_of("replicate_runs")->column("report")->texts, {"a", "d", "f", "c", "e"}));
}

TEST(RunSummaryStudy, WindowsOfOtherLengthAreNotReplicates) {
  Runs s;
  run(s, "a", "x", 100, 1000, 10);
  run(s, "b", "x", 102, 4000, 40);
  run(s, "c", "x", 101, 4400, 40);
  const auto r = concluded(s.build());
  EXPECT_EQ(r.value("replicate.group", "group=1"), 3);
  EXPECT_DOUBLE_EQ(*r.value("replicate.spread_ratio", "group=1;metric=window.duration_ns"), 1.1);
  EXPECT_EQ(r.value("replicate.pooled_df", "metric=window.duration_ns"), 1);
  EXPECT_DOUBLE_EQ(*r.value("replicate.spread_ratio", "group=1;metric=iteration.gpu_busy_ns"), 1.02);
  EXPECT_EQ(r.value("replicate.pooled_df", "metric=iteration.gpu_busy_ns"), 2);
}

TEST(RunSummaryStudy, ValuesWithoutALogarithmAreLeftOutAndSaid) {
  Runs s;
  run(s, "a", "x", 0, 1000);
  run(s, "b", "x", 100, 1000);
  const auto r = concluded(s.build());
  EXPECT_FALSE(r.value("replicate.pooled_sd_log", "metric=iteration.gpu_busy_ns").has_value());
  EXPECT_TRUE(contains(r.findings.at(0).text, "1 value of iteration.gpu_busy_ns <= 0"));
}

TEST(RunSummaryStudy, WithoutEqualRunsTheSpreadIsUnknown) {
  Runs s;
  run(s, "a", "x", 100, 1000);
  run(s, "b", "y", 100, 1000);
  const auto r = concluded(s.build());
  EXPECT_TRUE(r.facts.empty());
  EXPECT_TRUE(r.tables.empty());
  EXPECT_TRUE(contains(r.findings.at(0).title, "unknown"));
}

TEST(RunSummaryStudy, ReportsWithoutANameAreNotReplicates) {
  StudyBuilder s;
  s.label("variant");
  for (const char* path : {"a", "b"}) s.report(path).attribute("fingerprint", "x").fact(kBusy, 100);
  const auto r = concluded(s.build());
  EXPECT_TRUE(r.facts.empty());
  EXPECT_TRUE(contains(r.findings.at(0).title, "unknown"));
}

TEST(RunSummaryStudy, DeclaredVariantsAndRanksOfOneJobAreNotReplicates) {
  StudyBuilder s;
  s.label("variant");
  for (const char* variant : {"overlap", "straggler"}) {
    for (const char* rank : {"0", "1"}) {
      s.report(std::string(variant) + rank, {{"variant", variant}})
          .attribute("fingerprint", "x")
          .attribute("rank", rank)
          .attribute("world_size", "2")
          .fact(kBusy, variant[0] == 'o' ? 100 : 147.8);
    }
  }
  EXPECT_TRUE(concluded(s.build()).facts.empty());
}

TEST(RunSummaryStudy, MetricsAreOptions) {
  Runs s;
  run(s, "a", "x", 100, 1000);
  run(s, "b", "x", 110, 1000);
  const auto r = concluded(s.build(), {{"device_time", "window.duration_ns"}, {"host_bound", ""}});
  EXPECT_EQ(r.value("replicate.spread_ratio", "group=1;metric=window.duration_ns"), 1);
  EXPECT_FALSE(r.value("replicate.spread_ratio", "group=1;metric=iteration.gpu_busy_ns").has_value());
}

}  // namespace assay::summary::run_summary_study_test
