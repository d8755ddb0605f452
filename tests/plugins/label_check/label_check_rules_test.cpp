#include <gtest/gtest.h>

#include "label_check_fixture.hpp"
#include "plugins/analyzers.hpp"
#include "support/check.hpp"

namespace assay::label_check_rules_test {

using under_test::label_check::concluded;

constexpr const char* kSameWork = "did the same device work";

using namespace testing;

// --- kernels in a line with a label

Recorder judged_depths(StudyBuilder& s, const std::vector<std::pair<std::string, double>>& runs) {
  s.label("depth", StudyBuilder::kNumeric, kChangesKernels);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    s.report(std::string(1, static_cast<char>('a' + i)), {{"depth", runs[i].first}})
        .fact("iteration.kernel_count", runs[i].second)
        .attribute("fingerprint", "kernels=" + std::to_string(runs[i].second) + ";copies=x");
  }
  return concluded(s.build(), {{"linear", "depth"}});
}

TEST(LabelCheckLinear, ThreeLevelsOnALine) {
  StudyBuilder s;
  const Recorder r = judged_depths(s, {{"6", 70}, {"12", 130}, {"24", 250}});
  for (const char* path : {"a", "b", "c"}) EXPECT_EQ(verdict(r, s, path, "depth"), "borne_out");
  EXPECT_EQ(shown(r, s, "c", "depth"), 24);
}

TEST(LabelCheckLinear, OnlyTheOddOneIsContradicted) {
  StudyBuilder s;
  const Recorder r = judged_depths(s, {{"6", 70}, {"12", 130}, {"18", 190}, {"24", 129}});
  for (const char* path : {"a", "b", "c"}) EXPECT_EQ(verdict(r, s, path, "depth"), "borne_out");
  EXPECT_EQ(verdict(r, s, "d", "depth"), "contradicted");
  EXPECT_EQ(shown(r, s, "d", "depth"), 12);
}

TEST(LabelCheckLinear, OneCannotSayWhichOfThreeIsOff) {
  StudyBuilder s;
  const Recorder r = judged_depths(s, {{"6", 70}, {"12", 130}, {"24", 160}});
  for (const char* path : {"a", "b", "c"}) EXPECT_EQ(verdict(r, s, path, "depth"), "unverifiable");
  EXPECT_TRUE(contains(r.tables.at(0).column("reason")->texts.at(0), "it is unclear which"));
}

TEST(LabelCheckLinear, TwoLevelsTellNothing) {
  StudyBuilder s;
  const Recorder r = judged_depths(s, {{"6", 70}, {"12", 500}});
  EXPECT_EQ(verdict(r, s, "a", "depth"), "unverifiable");
  EXPECT_EQ(verdict(r, s, "b", "depth"), "unverifiable");
}

TEST(LabelCheckLinear, EqualRunsUnderTwoDepthsAreNotBorneOut) {
  StudyBuilder s;
  const Recorder r = judged_depths(s, {{"6", 70}, {"12", 70}});
  EXPECT_EQ(verdict(r, s, "a", "depth"), "not_borne_out");
  EXPECT_EQ(verdict(r, s, "b", "depth"), "not_borne_out");
}

// --- one report alone

std::string judged_mode(const std::string& mode, double kernels, double graphs) {
  StudyBuilder s;
  s.label("compile", {"none", "default", "graphs"}, kChangesKernels);
  s.report("a", {{"compile", mode}}).fact("label.compiled_kernels", kernels).fact("graph.launch_count", graphs);
  const Recorder r = concluded(s.build(), {{"compile_label", "compile"}, {"graph_values", "graphs"}});
  return verdict(r, s, "a", "compile");
}

TEST(LabelCheckCompile, ModesByTheirKernelsAndGraphs) {
  EXPECT_EQ(judged_mode("none", 0, 0), "borne_out");
  EXPECT_EQ(judged_mode("none", 12, 0), "contradicted");
  EXPECT_EQ(judged_mode("none", 0, 12), "contradicted");
  EXPECT_EQ(judged_mode("default", 12, 0), "borne_out");
  EXPECT_EQ(judged_mode("default", 0, 0), "contradicted");
  EXPECT_EQ(judged_mode("default", 0, 12), "contradicted");
  EXPECT_EQ(judged_mode("graphs", 0, 12), "borne_out");
  EXPECT_EQ(judged_mode("graphs", 12, 0), "contradicted");
}

TEST(LabelCheckCompile, ValuesMayHaveOtherNames) {
  StudyBuilder s;
  s.label("compile", {"eager", "default"}, kChangesKernels).label("pipeline", {"wait", "go"}, kChangesSync);
  s.report("a", {{"compile", "eager"}, {"pipeline", "wait"}})
      .fact("label.compiled_kernels", 12)
      .fact("graph.launch_count", 0)
      .fact("iteration.count", 10)
      .fact("sync.count", 10, "kind=stream");
  s.report("b", {{"compile", "eager"}, {"pipeline", "go"}})
      .fact("label.compiled_kernels", 0)
      .fact("graph.launch_count", 0)
      .fact("iteration.count", 10)
      .fact("gpu.overlap_ratio", 0)
      .fact("sync.count", 10, "kind=stream");
  const Recorder r = concluded(s.build(), {{"compile_label", "compile"},
                                           {"compile_base", "eager"},
                                           {"pipeline_label", "pipeline"},
                                           {"sync_value", "wait"},
                                           {"async_value", "go"}});
  EXPECT_EQ(verdict(r, s, "a", "compile"), "contradicted");
  EXPECT_EQ(verdict(r, s, "b", "compile"), "borne_out");
  EXPECT_EQ(verdict(r, s, "a", "pipeline"), "borne_out");
  EXPECT_EQ(verdict(r, s, "b", "pipeline"), "contradicted");
}

TEST(LabelCheckCompile, GraphsTracedNodeByNodeAreThere) {  // kernels and launching calls, and no row of a graph
  StudyBuilder s;
  s.label("compile", {"none", "default", "graphs"}, kChangesKernels);
  s.report("a", {{"compile", "graphs"}}).fact("label.compiled_kernels", 900).fact("label.graph_launches", 40);
  s.report("b", {{"compile", "default"}}).fact("label.compiled_kernels", 900).fact("label.graph_launches", 40);
  s.report("c", {{"compile", "none"}}).fact("label.compiled_kernels", 0).fact("label.graph_launches", 40);
  const Recorder r = concluded(s.build(), {{"compile_label", "compile"}, {"graph_values", "graphs"}});
  EXPECT_EQ(verdict(r, s, "a", "compile"), "borne_out");
  EXPECT_EQ(verdict(r, s, "b", "compile"), "contradicted");
  EXPECT_EQ(verdict(r, s, "c", "compile"), "contradicted");
}

std::string judged_partly(const std::string& mode, std::optional<double> kernels, std::optional<double> graphs) {
  StudyBuilder s;
  s.label("compile", {"none", "default", "graphs"}, kChangesKernels);
  auto& report = s.report("a", {{"compile", mode}});
  if (kernels) report.fact("label.compiled_kernels", *kernels);
  if (graphs) report.fact("graph.launch_count", *graphs);
  const Recorder r = concluded(s.build(), {{"compile_label", "compile"}, {"graph_values", "graphs"}});
  return verdict(r, s, "a", "compile");
}

TEST(LabelCheckCompile, IsUnknownIfTheTraceLacksIt) {
  EXPECT_EQ(judged_partly("graphs", 12, {}), "unverifiable");
  EXPECT_EQ(judged_partly("default", 12, {}), "unverifiable");
  EXPECT_EQ(judged_partly("default", 0, {}), "unverifiable");
  EXPECT_EQ(judged_partly("none", 0, {}), "unverifiable");
  EXPECT_EQ(judged_partly("none", {}, 0), "unverifiable");
  EXPECT_EQ(judged_partly("none", 12, {}), "contradicted");
  EXPECT_EQ(judged_partly("none", {}, 12), "contradicted");
  EXPECT_EQ(judged_partly("graphs", {}, 12), "borne_out");
}

std::string judged_pipeline(const std::string& mode, double device_syncs, double event_syncs, double overlap) {
  StudyBuilder s;
  s.label("mode", {"sync", "async"}, kChangesSync);
  s.report("a", {{"mode", mode}})
      .fact("iteration.count", 12)
      .fact("gpu.overlap_ratio", overlap)
      .fact("sync.count", device_syncs, "kind=device")
      .fact("sync.count", event_syncs, "kind=event");
  const Recorder r = concluded(s.build(), {{"pipeline_label", "mode"}});
  return verdict(r, s, "a", "mode");
}

TEST(LabelCheckPipeline, AWaitingRunWhoseOverlapIsNotKnown) {
  StudyBuilder s;
  s.label("mode", {"sync", "async"}, kChangesSync);
  s.report("a", {{"mode", "async"}}).fact("iteration.count", 12).fact("sync.count", 11, "kind=device");
  const Recorder r = concluded(s.build(), {{"pipeline_label", "mode"}});
  EXPECT_EQ(verdict(r, s, "a", "mode"), "unverifiable");
}

TEST(LabelCheckPipeline, WaitingCallsThenOverlap) {
  EXPECT_EQ(judged_pipeline("sync", 11, 0, 0), "borne_out");
  EXPECT_EQ(judged_pipeline("sync", 0, 12, 0), "contradicted");
  EXPECT_EQ(judged_pipeline("async", 1, 12, 0), "borne_out");
  EXPECT_EQ(judged_pipeline("async", 11, 0, 0), "contradicted");
  EXPECT_EQ(judged_pipeline("async", 11, 0, 0.5), "borne_out");
}

std::string judged_device(const std::string& stated, const std::vector<std::string>& used,
                          const std::vector<std::string>& listed) {
  StudyBuilder s;
  s.label("gpu", StudyBuilder::kNumeric);
  auto& report = s.report("a", {{"gpu", stated}});
  for (const std::string& id : used) report.fact("label.device_used", 1, "device=" + id);
  for (const std::string& id : listed) report.fact("label.device_listed", 1, "device=" + id);
  const Recorder r = concluded(s.build(), {{"device_label", "gpu"}});
  return verdict(r, s, "a", "gpu");
}

TEST(LabelCheckDevice, ByWhatRan) {
  EXPECT_EQ(judged_device("0", {"0"}, {"0", "1"}), "borne_out");
  EXPECT_EQ(judged_device("1", {"0"}, {"0", "1"}), "contradicted");
  EXPECT_EQ(judged_device("3", {"0"}, {"0"}), "unverifiable");
  EXPECT_EQ(judged_device("0", {}, {"0"}), "unverifiable");
}

TEST(LabelCheckNamed, AWordAgainstAnotherLabel) {
  StudyBuilder s;
  s.label("numa", StudyBuilder::kNumeric).descriptive_label("memory");
  s.report("a", {{"numa", "2"}, {"memory", "local"}});
  s.report("b", {{"numa", "0"}, {"memory", "local"}});
  const Recorder r = concluded(s.build(), {{"named", "memory=local: numa=0"}});
  EXPECT_EQ(verdict(r, s, "a", "memory"), "contradicted");
  EXPECT_EQ(verdict(r, s, "b", "memory"), "unverifiable");
  EXPECT_EQ(verdict(r, s, "a", "numa"), "unverifiable");
  EXPECT_EQ(r.findings.at(0).role, FindingRole::kAnswer);
  EXPECT_TRUE(contains(r.findings.at(0).title, "1 of 2 profiles"));
  EXPECT_TRUE(contains(r.findings.at(1).text, "local means numa 0, and the same name says numa 2"));
}

// --- reports against each other

class LabelCheckPartners : public ::testing::Test {
 protected:
  LabelCheckPartners() {
    s.label("preproc", {"cpu", "gpu"}, kChangesKernels);
    s.label("queue", StudyBuilder::kNumeric);
    s.label("dim", StudyBuilder::kNumeric, kChangesKernels);
  }
  void report(const std::string& path, const StudyBuilder::LabelValues& labels, const std::string& kernels) {
    s.report(path, labels).attribute("fingerprint", "copies=h2d:1*1;kernels=" + kernels + ";syncs=");
  }
  StudyBuilder s;
};

TEST_F(LabelCheckPartners, EqualKernelsUnderTwoValues) {
  report("a", {{"preproc", "cpu"}, {"dim", "384"}}, "10");
  report("b", {{"preproc", "gpu"}, {"dim", "384"}}, "10");
  report("c", {{"preproc", "cpu"}, {"dim", "768"}}, "20");
  report("d", {{"preproc", "gpu"}, {"dim", "768"}}, "21");
  const Recorder r = concluded(s.build());
  EXPECT_EQ(verdict(r, s, "a", "preproc"), "not_borne_out");
  EXPECT_EQ(verdict(r, s, "b", "preproc"), "not_borne_out");
  EXPECT_EQ(verdict(r, s, "c", "preproc"), "unverifiable") << "that it differs does not prove that it is right";
  EXPECT_EQ(verdict(r, s, "d", "preproc"), "unverifiable");
  EXPECT_EQ(verdict(r, s, "a", "dim"), "unverifiable");
}

TEST_F(LabelCheckPartners, DoNotDifferByAMissingValue) {
  report("a", {{"preproc", "cpu"}, {"queue", "2"}}, "10");
  report("b", {{"queue", "8"}}, "10");
  const Recorder r = concluded(s.build());
  EXPECT_EQ(verdict(r, s, "a", "preproc"), "unverifiable");
  EXPECT_EQ(verdict(r, s, "a", "queue"), "unverifiable");
  EXPECT_EQ(verdict(r, s, "b", "queue"), "unverifiable");
}

TEST_F(LabelCheckPartners, EqualRunsAccuseWhateverElseTheirNamesSay) {
  report("a", {{"preproc", "cpu"}, {"dim", "384"}}, "10");
  report("b", {{"preproc", "gpu"}, {"dim", "768"}}, "10");
  const Recorder r = concluded(s.build());
  EXPECT_EQ(verdict(r, s, "a", "dim"), "not_borne_out");
  EXPECT_EQ(verdict(r, s, "b", "preproc"), "not_borne_out");
}

/// The labels of a recording are what the recorder put on the command line.
class LabelCheckRecorded : public LabelCheckPartners {
 protected:
  LabelCheckRecorded() { s.descriptive_label("block"); }
  void run(const std::string& path, const std::string& preproc, const std::string& kernels, const char* graphs) {
    s.report(path, {{"preproc", preproc}, {"dim", "384"}, {"block", "1"}})
        .origin("block", LabelOrigin::kResults)
        .attribute("fingerprint",
                   "copies=h2d:1*1;kernels=" + kernels + ";sets=0;syncs=;graph_launches=" + graphs + ";per=iteration");
  }
};

TEST_F(LabelCheckRecorded, AnOptionThatChangedOtherWorkThanDeclaredIsBelieved) {
  run("a", "cpu", "10", "0");
  run("b", "gpu", "10", "96");
  const Recorder r = concluded(s.build());
  EXPECT_EQ(verdict(r, s, "a", "preproc"), "unverifiable");
  EXPECT_EQ(verdict(r, s, "b", "preproc"), "unverifiable");
  EXPECT_TRUE(std::ranges::any_of(r.findings, [](const auto& finding) {
    return finding.title ==
           "Declared: preproc changes kernels; seen: same kernels, copies and waiting calls, 0 graph launches "
           "against 96 per iteration";
  }));
}

TEST_F(LabelCheckRecorded, AnOptionWithoutAnyEffectIsNotBorneOut) {
  run("a", "cpu", "10", "96");
  run("b", "gpu", "10", "96");
  const Recorder r = concluded(s.build());
  EXPECT_EQ(verdict(r, s, "a", "preproc"), "not_borne_out");
  EXPECT_EQ(verdict(r, s, "b", "preproc"), "not_borne_out");
}

TEST_F(LabelCheckPartners, ADefaultIsNotAccused) {
  report("a", {{"dim", "384"}}, "10");
  s.report("b", {{"dim", "768"}})
      .origin("dim", LabelOrigin::kDefault)
      .attribute("fingerprint", "copies=h2d:1*1;kernels=10;syncs=");
  const Recorder r = concluded(s.build());
  EXPECT_EQ(verdict(r, s, "a", "dim"), "not_borne_out");
  EXPECT_EQ(verdict(r, s, "b", "dim"), "");
}

TEST_F(LabelCheckPartners, AContradictedRunAccusesNoOther) {  // b's batch is contradicted: it is no evidence against a
  s.label("batch", StudyBuilder::kNumeric, kChangesCopies);
  report("a", {{"dim", "384"}, {"batch", "8"}}, "10");
  s.report("b", {{"dim", "768"}, {"batch", "1"}})
      .attribute("fingerprint", "copies=h2d:1*1;kernels=10;syncs=")
      .fact("label.h2d_bytes", 80);
  const Recorder r = concluded(s.build(), {{"input_bytes", "10 * batch"}});
  EXPECT_EQ(verdict(r, s, "b", "batch"), "contradicted");
  EXPECT_EQ(verdict(r, s, "b", "dim"), "unverifiable");
  EXPECT_EQ(verdict(r, s, "a", "dim"), "unverifiable");
}

// A journal tells its runs apart: nothing about that is a claim, and equal work is what they are made for.
TEST_F(LabelCheckPartners, RepetitionsOfARecordingAreNotDoubted) {
  s.descriptive_label("block");
  for (const char* block : {"1", "2", "3"}) {
    for (const char* queue : {"2", "8"}) {
      s.report(std::string("block_00") + block + "/queue_" + queue + ".sqlite", {{"queue", queue}, {"block", block}})
          .origin("block", LabelOrigin::kResults)
          .attribute("fingerprint", std::string("copies=h2d:1*1;kernels=") + queue + ";syncs=");
    }
  }
  const Recorder apart = concluded(s.build());
  for (const auto& finding : apart.findings) {
    EXPECT_FALSE(contains(finding.title + finding.text, "block"));
    EXPECT_FALSE(contains(finding.title, kSameWork));
  }
  EXPECT_EQ(verdict(apart, s, "block_001/queue_2.sqlite", "block"), "");
  s.report("block_003/queue_4.sqlite", {{"queue", "4"}, {"block", "3"}})
      .origin("block", LabelOrigin::kResults)
      .attribute("fingerprint", "copies=h2d:1*1;kernels=2;syncs=");
  const Recorder alike = concluded(s.build());
  EXPECT_TRUE(contains(alike.findings.back().text, " queue_2 and queue_4 differ in queue."))
      << "each name once, and queue alone: the block has nothing to do with the program";
}

TEST_F(LabelCheckPartners, FindingsSayWhatWasExpectedAndFound) {
  s.label("batch", StudyBuilder::kNumeric, kChangesCopies);
  s.report("x/a.sqlite", {{"batch", "1"}})
      .attribute("fingerprint", "copies=h2d:1*1;kernels=10;syncs=")
      .fact("label.h2d_bytes", 8000000);
  report("x/b.sqlite", {{"queue", "2"}}, "10");
  const Recorder r = concluded(s.build(), {{"input_bytes", "1000000 * batch"}});
  ASSERT_EQ(r.findings.size(), 4U);
  EXPECT_EQ(r.findings[0].title, "1 of 2 profiles is not what its labels say: batch in 1");
  EXPECT_EQ(r.findings[1].title, "a: batch 1 is contradicted");
  EXPECT_EQ(r.findings[1].text,
            "Stated: batch 1. Found: 8,000,000 bytes copied to the device in an iteration, not the 1,000,000 of batch "
            "1; they fit batch 8.");
  EXPECT_EQ(r.findings[1].evidence.size(), 1U);
  EXPECT_TRUE(contains(r.findings[2].text, "queue of 1 profile: it changes nothing visible in a trace."));
  EXPECT_TRUE(contains(r.findings[3].text, "a and b differ in queue and batch."));
}

TEST_F(LabelCheckPartners, WithoutAFingerprintNothingCanBeSaid) {
  s.report("a", {{"dim", "384"}}).fact("graph.opaque_ratio", 0.9);
  report("b", {{"dim", "768"}}, "10");
  const Recorder r = concluded(s.build());
  EXPECT_EQ(verdict(r, s, "a", "dim"), "unverifiable");
  EXPECT_EQ(verdict(r, s, "b", "dim"), "unverifiable");
}

}  // namespace assay::label_check_rules_test
