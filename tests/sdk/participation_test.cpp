#include "assay/algo/participation.hpp"

#include "assay/algo/contrast.hpp"
#include "assay/detail/rank_names.hpp"
#include "assay/testing/study_builder.hpp"
#include "support/test.hpp"

namespace assay::participation_test {

using testing::StudyBuilder;

/// A rank of a job as its report says.
StudyBuilder::ReportEntry& rank(StudyBuilder::ReportEntry& report, int number, int of) {
  return report.attribute("rank", std::to_string(number)).attribute("world_size", std::to_string(of));
}

std::vector<std::vector<std::string>> job_paths(const StudyView& view) {
  std::vector<std::size_t> all;
  for (std::size_t r = 0; r < view.report_count(); ++r) all.push_back(r);
  std::vector<std::vector<std::string>> out;
  for (const RunReports& run : as_runs(view, all)) {
    out.emplace_back();
    for (const std::size_t r : run) out.back().emplace_back(view.path(r));
  }
  return out;
}

using Paths = std::vector<std::string>;

// --- who takes part

TEST(Participants, AreOfTheQuestionAndBelieved) {
  StudyBuilder s;
  s.label("batch", StudyBuilder::kNumeric).descriptive_label("run");
  s.report("a", {{"batch", "1"}}).fact("label.verdict", 1, "label=batch;verdict=borne_out");
  s.report("b", {{"batch", "2"}}).fact("label.verdict", 1, "label=batch;verdict=contradicted");
  s.report("c", {{"batch", "4"}}).fact("label.verdict", 1, "label=batch;verdict=not_borne_out");
  s.report("d", {{"batch", "4"}}).fact("label.verdict", 1, "label=batch;verdict=unverifiable");
  s.report("e", {{"run", "1"}}).fact("label.verdict", 1, "label=run;verdict=contradicted");
  s.report("f", {{"batch", "8"}}).doubted("somebody says so");
  s.noise_report("n", {{"batch", "1"}});
  const StudyView view(s.build());
  EXPECT_TRUE(equals(view.participants(), {s.row("a"), s.row("d"), s.row("e")}));
  EXPECT_TRUE(equals(view.disbelieved(), {s.row("b"), s.row("c"), s.row("f")}));
  EXPECT_EQ(view.doubt(s.row("b")), "its label batch is contradicted by the trace");
  EXPECT_EQ(view.doubt(s.row("c")), "its label batch is not borne out by the trace");
  EXPECT_EQ(view.doubt(s.row("f")), "somebody says so");
  EXPECT_EQ(view.doubt(s.row("a")), "");
}

// --- jobs

TEST(Jobs, RanksInOneFolderThatAgreeInTheirLabelsAreOneRun) {
  StudyBuilder s;
  s.label("variant");
  for (const char* variant : {"overlap", "straggler"}) {
    for (int r = 0; r < 2; ++r)
      rank(s.report(std::string(variant) + "_rank" + std::to_string(r), {{"variant", variant}}), r, 2);
  }
  const StudyView view(s.build());
  EXPECT_TRUE(
      equals(job_paths(view), {Paths{"overlap_rank0", "overlap_rank1"}, Paths{"straggler_rank0", "straggler_rank1"}}));
}

TEST(Jobs, SeveralOfOneRankAreSeveralJobs) {
  StudyBuilder s;
  for (const char* run : {"run1", "run2"}) {
    for (int r = 0; r < 2; ++r) rank(s.report(std::string("x/") + run + "_" + std::to_string(r)), r, 2);
  }
  const StudyView view(s.build());
  EXPECT_TRUE(equals(job_paths(view), {Paths{"x/run1_0", "x/run1_1"}, Paths{"x/run2_0", "x/run2_1"}}));
}

TEST(Jobs, AreNotMixedIfARankIsMissing) {
  StudyBuilder s;
  rank(s.report("x/overlap_rank0.sqlite"), 0, 2);
  rank(s.report("x/overlap_rank1.sqlite"), 1, 2);
  rank(s.report("x/noreduce_rank1.sqlite"), 1, 2);
  const StudyView view(s.build());
  EXPECT_TRUE(equals(job_paths(view),
                     {Paths{"x/noreduce_rank1.sqlite"}, Paths{"x/overlap_rank0.sqlite", "x/overlap_rank1.sqlite"}}));
}

TEST(Jobs, ReadTheRankInANameAsANumber) {
  EXPECT_EQ(before_rank("a/run3_rank_012.json", "12"), "run3_");
  EXPECT_EQ(before_rank("run_rank0.json", "0"), "run_");
  EXPECT_EQ(before_rank("run_rank12.json", "1"), "") << "another rank";
  EXPECT_EQ(before_rank("host_1234.json", "1"), "");
}

TEST(Jobs, AreFoundWithOneFolderPerRank) {
  StudyBuilder s;
  rank(s.report("rank0/a"), 0, 2);
  rank(s.report("rank1/a"), 1, 2);
  const StudyView view(s.build());
  EXPECT_TRUE(equals(job_paths(view), {Paths{"rank0/a", "rank1/a"}}));
}

TEST(Jobs, NeverMixFoldersSizesRolesOrLabels) {
  StudyBuilder s;
  s.label("batch", StudyBuilder::kNumeric);
  rank(s.report("a/0"), 0, 2);
  rank(s.report("a/1"), 1, 2);
  rank(s.report("b/0"), 0, 2);
  rank(s.report("b/1"), 1, 2);
  rank(s.report("c/0"), 0, 4);
  rank(s.report("d/0", {{"batch", "1"}}), 0, 2);
  rank(s.noise_report("e/0"), 0, 2);
  rank(s.report("f/0"), 0, 1);
  s.report("g/0");
  const StudyView view(s.build());
  EXPECT_EQ(job_paths(view).size(), 7U) << "a and b are one each";
}

TEST(Jobs, TheRankThatTheFileSaysWinsOverItsName) {
  StudyBuilder s;
  s.label("variant").rank_label("rank");
  rank(s.report("x_rank0", {{"variant", "x"}, {"rank", "0"}}), 1, 2);
  rank(s.report("x_rank1", {{"variant", "x"}, {"rank", "1"}}), 0, 2);
  rank(s.report("y_rank0", {{"variant", "y"}, {"rank", "0"}}), 0, 2);
  rank(s.report("y_rank1", {{"variant", "y"}, {"rank", "1"}}), 0, 2);
  const StudyView view(s.build());
  EXPECT_EQ(job_rank_of(view, s.row("x_rank0"))->rank, "1");
  EXPECT_TRUE(rank_conflicts(view, s.row("x_rank0"))) << "swapped";
  EXPECT_FALSE(rank_conflicts(view, s.row("y_rank0")));
  EXPECT_TRUE(rank_conflicts(view, s.row("y_rank1"))) << "rank 0 under two names";
  EXPECT_TRUE(equals(job_paths(view), {Paths{"x_rank0", "x_rank1"}, Paths{"y_rank0", "y_rank1"}}))
      << "names tell which files belong together, so that a double is seen";
}

TEST(Jobs, CapturesOfAProcessAreItsMeanAndAJobTheMedianOfItsProcesses) {
  StudyBuilder s;
  RunReports run;
  const auto capture = [&](int of, const char* number, double value, const std::vector<double>& samples) {
    const std::string path = "j" + std::to_string(of) + "." + number;
    rank(s.report(path), of, 3).attribute("job", "j").attribute("capture", number).fact("m", value, "", samples);
  };
  capture(0, "1", 1, {1, 1});
  capture(0, "2", 1.2, {1.2, 1.2});
  capture(0, "3", 1.8, {1.8, 1.8});
  capture(1, "1", 2, {1, 2, 9});
  capture(1, "2", 5, {5, 5, 6});
  capture(2, "1", 10, {});
  const StudyView view(s.build());
  const auto of = [&](const std::vector<std::size_t>& reports) { return *value_of(view, reports, "m"); };
  EXPECT_NEAR(of({0, 1, 2}), 4.0 / 3, 1e-12) << "the mean";
  EXPECT_EQ(of({3, 4}), 5) << "of 1 2 5 5 6 9, since each is the median of its samples";
  EXPECT_EQ(of({0, 1, 2, 3, 4, 5}), 5) << "of 1.33, 5 and 10";
  const std::vector<PartOfRun> parts = {{0, 1, view.samples(*view.fact(0, "m", ""))},
                                        {1, 1.2, view.samples(*view.fact(1, "m", ""))}};
  EXPECT_EQ(joined_parts(view, parts).samples, (std::vector<double>{1, 1, 1.2, 1.2}));
}

TEST(Jobs, ALabelMayTellTheRank) {
  StudyBuilder s;
  s.label("variant").rank_label("rank");
  s.report("x_r0", {{"variant", "x"}, {"rank", "0"}});
  s.report("x_r1", {{"variant", "x"}, {"rank", "1"}});
  s.report("y_r0", {{"variant", "y"}, {"rank", "0"}});
  const StudyView view(s.build());
  EXPECT_TRUE(equals(job_paths(view), {Paths{"x_r0", "x_r1"}, Paths{"y_r0"}}));
}

/// Two variants, one job of four ranks each.
void one_job_a_variant(StudyBuilder& s) {
  s.label("variant");
  for (const char* variant : {"plain", "treated"}) {
    for (int r = 0; r < 4; ++r) {
      const double value = (variant[0] == 'p' ? 100 : 50) + r;
      rank(s.report(std::string(variant) + std::to_string(r), {{"variant", variant}}), r, 4)
          .attribute("fingerprint", variant)
          .fact("m", value, {}, {value - 1, value, value + 1});
    }
  }
}

TEST(Jobs, HaveNoSpreadWithOneJobPerVariant) {
  StudyBuilder s;
  one_job_a_variant(s);
  const StudyView view(s.build());
  const NoiseFloor floor = noise_floor(view, "m", "", "variant");
  EXPECT_FALSE(floor.known()) << "four ranks of one job are no four runs";
  const Matching matching = match_pairs(view, "variant", "plain", "treated");
  ASSERT_EQ(matching.strata.size(), 1U);
  const auto contrast = ratio_contrast(view, matching.strata[0], "m", "", floor, 0.95, "test");
  ASSERT_TRUE(contrast);
  EXPECT_EQ(contrast->effect.n, 2);
  EXPECT_EQ(contrast->effect.scope, Scope::kWithinRun);
  EXPECT_DOUBLE_EQ(contrast->effect.value, 51.5 / 101.5) << "medians of the ranks";
  EXPECT_EQ(contrast->evidence.size(), 8U) << "of all ranks";
  EXPECT_EQ(judge(contrast->effect, 0.4, 0.6), Verdict::kInconclusive);
}

TEST(Jobs, AreReplicatesIfRepeated) {
  StudyBuilder s;
  s.label("variant").descriptive_label("run");
  for (const char* run : {"1", "2", "3"}) {
    for (int r = 0; r < 2; ++r) {
      rank(s.report(std::string(run) + "/" + std::to_string(r), {{"variant", "x"}, {"run", run}}), r, 2)
          .attribute("fingerprint", "of rank " + std::to_string(r))
          .fact("m", 100 + r);
    }
  }
  const StudyView view(s.build());
  const NoiseFloor floor = noise_floor(view, "m", "", "");
  EXPECT_EQ(floor.runs, 3U);
  EXPECT_EQ(floor.degrees, 2);
}

// --- repeat runs

TEST(EqualRuns, AreNeverOfDeclaredDifferentVariants) {
  StudyBuilder s;
  s.label("variant").descriptive_label("run");
  for (const char* variant : {"overlap", "straggler"}) {
    for (const char* run : {"1", "2"}) {
      s.report(std::string(variant) + run, {{"variant", variant}, {"run", run}})
          .attribute("fingerprint", "the same")
          .fact("m", variant[0] == 'o' ? 100 : 147.8);
    }
  }
  const StudyView view(s.build());
  EXPECT_EQ(equal_runs(view).size(), 2U);
  EXPECT_DOUBLE_EQ(noise_floor(view, "m", "", "").largest_ratio, 1) << "1.478 is the effect of the straggler";
}

TEST(EqualRuns, AreNeverReportsOfTheQuestionWithoutLabels) {
  StudyBuilder s;
  s.label("variant");
  s.report("a").attribute("fingerprint", "x").fact("m", 1);
  s.report("b").attribute("fingerprint", "x").fact("m", 2);
  const StudyView view(s.build());
  EXPECT_TRUE(is_empty(equal_runs(view)));
  EXPECT_FALSE(noise_floor(view, "m", "", "").known());
}

TEST(EqualRuns, AreNotNamedAfterTheirMachine) {
  StudyBuilder s;
  s.label("device");
  for (const char* path : {"a", "b"})
    s.report(path, {{"device", "H200"}}).origin("device", LabelOrigin::kReport).attribute("fingerprint", "x");
  const StudyView view(s.build());
  EXPECT_FALSE(view.named(0));
  EXPECT_FALSE(declares_labels(view));
  EXPECT_TRUE(is_empty(equal_runs(view)));
}

TEST(EqualRuns, NoiseOfAnotherQuestionJoinsTheOnlyVariantOfItsProgram) {
  StudyBuilder s;
  s.label("variant");
  s.report("a", {{"variant", "x"}}).attribute("fingerprint", "one");
  s.noise_report("n1").attribute("fingerprint", "one");
  s.noise_report("n2").attribute("fingerprint", "one");
  s.report("b", {{"variant", "x"}}).attribute("fingerprint", "two");
  s.report("c", {{"variant", "y"}}).attribute("fingerprint", "two");
  s.noise_report("n3").attribute("fingerprint", "two");
  s.noise_report("n4").attribute("fingerprint", "two");
  const StudyView view(s.build());
  const auto groups = equal_runs(view);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_TRUE(equals(groups[0], {RunReports{s.row("a")}, RunReports{s.row("n1")}, RunReports{s.row("n2")}}));
  EXPECT_TRUE(equals(groups[1], {RunReports{s.row("n3")}, RunReports{s.row("n4")}})) << "of which variant is unknown";
}

TEST(EqualRuns, LeaveOutDoubtedReports) {
  StudyBuilder s;
  s.label("variant");
  for (const char* path : {"a", "b"}) s.report(path, {{"variant", "x"}}).attribute("fingerprint", "one");
  s.report("liar", {{"variant", "x"}}).attribute("fingerprint", "one").doubted("its label lies");
  const StudyView view(s.build());
  EXPECT_TRUE(equals(equal_runs(view), {{RunReports{s.row("a")}, RunReports{s.row("b")}}}));
}

TEST(Differs, NeedsAnEffectBetweenRunsBeyondTheNoiseFloor) {
  Contrast contrast;
  contrast.effect.scope = Scope::kBetweenRun;
  contrast.effect.value = 0.9;
  contrast.effect.lo = 0.85;
  contrast.effect.hi = 0.95;
  EXPECT_TRUE(differs(contrast));
  contrast.inside_noise_floor = true;
  EXPECT_FALSE(differs(contrast));
  contrast.inside_noise_floor = false;
  contrast.effect.hi = 1.01;
  EXPECT_FALSE(differs(contrast));
  contrast.effect.hi = 0.95;
  contrast.effect.scope = Scope::kWithinRun;
  EXPECT_FALSE(differs(contrast));
}

}  // namespace assay::participation_test
