#include "plan/plan.hpp"

#include "inspect/plan_description.hpp"
#include "plan_fixture.hpp"
#include "support/test.hpp"

namespace assay::plan_test {

std::vector<std::string> order_in(const Plan& plan) {
  std::vector<std::string> ids;
  for (const PlannedAnalyzer& analyzer : plan.questions.front().analyzers) ids.emplace_back(analyzer.plugin->id());
  return ids;
}

TEST_F(PlanTest, WantsTheUnionOfWhatEnabledAnalyzersNeedAndNothingElse) {
  add_summary();
  add({"other", kStageAnalyze, {}, {}, {}, {}, {}, {col::calls}, {}});
  const auto planned = require(plan("[analyzers.run_summary]\n"));
  EXPECT_TRUE(equals(planned->wanted, {col::kernels, col::copies}));
  EXPECT_EQ(planned->questions.front().judge, nullptr);
}

TEST_F(PlanTest, AnUnknownAnalyzerNamesTheNearestAndTheFolders) {
  add_summary();
  plugins_.searched = {"/a/plugins", "/b"};
  {
    const auto text = refusal("[analyzers.run_sumary]\n");
    EXPECT_TRUE(contains_all(text, {"'run_summary'?", "searched /a/plugins, /b"}));
    EXPECT_TRUE(starts_with(text, "6:12: [analyzers.run_sumary]"));
  }
}

TEST_F(PlanTest, AnAnalyzerWhoseLibraryWasRefusedGivesThatReason) {
  plugins_.refused.push_back({"/p/broken.so", "/p/broken.so: was built for version 9."});
  EXPECT_TRUE(contains(refusal("[analyzers.broken]\n"),
                       "[analyzers.broken] was refused: /p/broken.so: was built for version 9."));
}

TEST_F(PlanTest, VersionsOfAnalyzersAreRequired) {
  add_summary();  // version 1.0.0
  const auto requires_of = [&](const std::string& versions) {
    return refusal("[plugins]\nrequires = { " + versions + " }\n[analyzers.run_summary]\n");
  };
  for (const char* const least : {"1", "1.0", "1.0.0"}) {
    EXPECT_EQ(requires_of("run_summary = \"" + std::string(least) + "\""), "planned") << least;
  }
  EXPECT_EQ(requires_of("run_summary = \"1.0.1\""),
            "7:14: [plugins] requires run_summary 1.0.1 or a later 1.x, but the one found is version 1.0.0; install "
            "another one, or name its folder in [plugins] folders.");
  const auto planned = require(plan("[plugins]\nrequires = { run_summary = \"1.0\" }\n[analyzers.run_summary]\n"));
  EXPECT_TRUE(contains(describe_plan(*planned), "requires    run_summary 1.0\n"));
  EXPECT_TRUE(contains(requires_of("run_summary = \"0.9\""), "0.9 or a later 0.x, but"));
  EXPECT_TRUE(contains(requires_of("run_summary = \"2\""), "2 or a later 2.x, but"));
  EXPECT_TRUE(
      contains_all(requires_of("run_sumary = \"1\""), {"requires run_sumary, which is not enabled", "'run_summary'?"}));
}

TEST_F(PlanTest, AQuestionWithoutAnalyzersIsRefused) { EXPECT_TRUE(contains(refusal(""), "enables no analyzer")); }

TEST_F(PlanTest, AMetricOfAPluginThatIsNotEnabledSaysWhichToEnable) {
  add_summary();
  add_with_option({"o", OptionType::kMetric, "", "d"});
  EXPECT_TRUE(
      contains(refusal("[analyzers.tested]\no = \"copy.bytes\"\n"), "enable [analyzers.run_summary], which does"));
}

TEST_F(PlanTest, ConsumedNamesNeedAProducerUnlessOptional) {
  add_summary();
  add({"reader", kStageConclude, {}, {"gpu.busy", "?label.verdict"}});
  EXPECT_TRUE(contains_all(
      refusal("[analyzers.reader]\n"),
      {"[analyzers.reader] reads something that is missing: it names 'gpu.busy'", "enable [analyzers.run_summary]"}));
  const auto planned = require(plan("[analyzers.reader]\n[analyzers.run_summary]\n"));
  EXPECT_TRUE(equals(order_in(*planned), {"run_summary", "reader"}));
  EXPECT_TRUE(equals(planned->questions.front().analyzers[1].consumes, {"gpu.busy"}));
}

TEST_F(PlanTest, TheHostFingerprintsRunsThatAreComparedIfNoAnalyzerDoes) {
  add_summary();
  add({"reader", kStageConclude, {}, {"fingerprint"}});
  add({"kernels", kStageAnalyze, {}, {}, {}, {}, {}, {}, {col::kernel_name}});
  add({"compares", kStageConclude});
  add({"memory", kStageAnalyze, {}, {}, {}, {}, {}, {}, {col::allocations}});
  const auto by_host = [&](const std::string& analyzers) {
    const auto planned = require(plan(analyzers));
    EXPECT_EQ(planned->questions.front().fingerprints, planned->wanted.contains(col::copy_bytes)) << analyzers;
    return planned->questions.front().fingerprints;
  };
  EXPECT_TRUE(by_host("[analyzers.reader]\n"));
  EXPECT_TRUE(contains(describe_plan(*require(plan("[analyzers.reader]\n"))), "reads fingerprint (host)"));
  EXPECT_TRUE(by_host("[analyzers.kernels]\n[analyzers.compares]\n"));
  EXPECT_FALSE(by_host("[analyzers.reader]\n[analyzers.run_summary]\n")) << "which emits them";
  EXPECT_FALSE(by_host("[analyzers.kernels]\n")) << "nothing is compared";
  EXPECT_FALSE(by_host("[analyzers.memory]\n[analyzers.compares]\n")) << "no kernels are read";
}

TEST_F(PlanTest, AnOptionalProducerComesFirstWhereItIsEnabled) {
  add({"a_reader", kStageConclude, {}, {"?label.verdict"}});
  add({"label_check", kStageConclude, {{"label.verdict", "1", {}, "d"}}});
  const auto planned = require(plan("[analyzers.a_reader]\n[analyzers.label_check]\n"));
  EXPECT_TRUE(equals(order_in(*planned), {"label_check", "a_reader"}));
  EXPECT_TRUE(equals(planned->questions.front().analyzers[1].consumes, {"label.verdict"}));
}

TEST_F(PlanTest, DecidesBeliefBeforeComparisons) {
  add_summary();
  add({"a_judge", kStageConclude});  // says nothing of label.verdict
  add({"label_check", kStageConclude, {{"label.verdict", "1", {}, "d"}}, {"fingerprint"}});
  const auto planned = require(plan("[analyzers.a_judge]\n[analyzers.label_check]\n[analyzers.run_summary]\n"));
  EXPECT_TRUE(equals(order_in(*planned), {"run_summary", "label_check", "a_judge"})) << "but for what it reads itself";
}

TEST_F(PlanTest, ClaimsAreJudgedBeforeTheirEffectsAreShown) {
  add({"judge", kStageConclude, {{"claim.ratio", "1", {}, "d"}}});
  add({"late_judge", kStageConclude, {{"claim.ratio", "1", {}, "d"}}, {"a.found"}});
  add({"a_reader", kStageConclude, {{"a.found", "1", {}, "d"}}, {"?claim.ratio"}});
  const auto order = [&](const char* judge) {
    return order_in(*require(plan("[analyzers.a_reader]\n[analyzers." + std::string(judge) + "]\n")));
  };
  EXPECT_TRUE(equals(order("judge"), {"judge", "a_reader"}));
  EXPECT_TRUE(equals(order("late_judge"), {"a_reader", "late_judge"})) << "which judges what the reader finds";
}

TEST_F(PlanTest, DoesNotWaitForAnalyzedMetrics) {
  add_summary();
  add({"a_writer", kStageAnalyze | kStageConclude, {{"w.measured", "1", {}, "d"}}, {"?b.verdict"}});
  add({"b_reader", kStageConclude, {{"b.verdict", "1", {}, "d"}}, {"^w.measured"}});
  const auto planned = require(plan("[analyzers.a_writer]\n[analyzers.b_reader]\n"));
  EXPECT_TRUE(equals(order_in(*planned), {"b_reader", "a_writer"}));
  EXPECT_TRUE(equals(planned->questions.front().analyzers[0].consumes, {"w.measured"}));
  EXPECT_TRUE(contains(refusal("[analyzers.b_reader]\n"), "it names 'w.measured'"));
}

TEST_F(PlanTest, WaitsForConcludedMetrics) {
  add({"z_writer", kStageConclude, {{"w.found", "1", {}, "d"}}});
  add({"a_reader", kStageConclude, {}, {"^w.found"}});
  const auto planned = require(plan("[analyzers.a_reader]\n[analyzers.z_writer]\n"));
  EXPECT_TRUE(equals(order_in(*planned), {"z_writer", "a_reader"}));
}

TEST_F(PlanTest, MetricsNamedByOptionsAreConsumed) {
  add({"z_source", kStageConclude, {{"z.a", "1", {}, "d"}, {"z.b", "1", {}, "d"}}});
  add({"a_reader",
       kStageConclude,
       {},
       {},
       {{"m", OptionType::kMetricList, "z.a, z.b", "d"}, {"n", OptionType::kMetric, "z.a", "d"}}});
  const auto planned = require(plan("[analyzers.a_reader]\n[analyzers.z_source]\n"));
  EXPECT_TRUE(equals(order_in(*planned), {"z_source", "a_reader"}));
  EXPECT_TRUE(equals(planned->questions.front().analyzers[1].consumes, {"z.a", "z.b"}));
}

TEST_F(PlanTest, ReadingOnesOwnMetricIsNotACycle) {
  add({"own", kStageAnalyze | kStageConclude, {{"own.a", "1", {}, "d"}}, {"own.a"}});
  EXPECT_EQ(refusal("[analyzers.own]\n"), "planned");
}

TEST_F(PlanTest, ACycleIsNamed) {
  add({"a", kStageConclude, {{"a.x", "1", {}, "d"}}, {"b.x"}});
  add({"b", kStageConclude, {{"b.x", "1", {}, "d"}}, {"a.x"}});
  EXPECT_TRUE(contains(refusal("[analyzers.a]\n[analyzers.b]\n"), "in a circle (a -> b -> a)"));
}

bool refuse_negative(const Options& keys, ErrorSink& errors) noexcept {
  if (keys.number("by") >= 0) return true;
  errors.fail("'by' goes with something else");
  return false;
}

class PlanClaims : public PlanTest {
 protected:
  void SetUp() override {
    add_summary();
    DeclaredPlugin judge{"judge", kStageConclude | kStageJudge};
    judge.claim_keys = {{"metric", OptionType::kMetric, "", "d"}, {"by", OptionType::kNumber, "0", "d"}};
    judge.check_claim = &refuse_negative;
    add(judge);
    add({"study_facts", kStageConclude, {{"study.x", "1", {}, "d"}}});
  }
  static std::string claim(const std::string& keys) { return "[[claim]]\nid = \"c\"\ntext = \"t\"\n" + keys; }
};

TEST_F(PlanClaims, GetTheirKeysCheckedByTheJudge) {
  const auto planned = require(plan("[analyzers.judge]\n[analyzers.run_summary]\n" + claim("metric = \"gpu.busy\"\n")));
  const PlannedQuestion& q = planned->questions.front();
  ASSERT_NE(q.judge, nullptr);
  EXPECT_EQ(q.judge->id(), "judge");
  ASSERT_EQ(q.claims.size(), 1U);
  EXPECT_EQ(q.claims[0].keys.metric("metric"), "gpu.busy");
  EXPECT_EQ(q.claims[0].config->id, "c");
  EXPECT_TRUE(equals(order_in(*planned), {"run_summary", "judge"})) << "the judge reads what claims name";
}

TEST_F(PlanClaims, MistakesAreSaid) {
  const std::string both = "[analyzers.judge]\n[analyzers.run_summary]\n";
  EXPECT_TRUE(says(refusal(both + claim("metrik = \"gpu.busy\"\n")),
                   "11:1: ", {"[[claim]] c has no key 'metrik'. Did you mean 'metric'?"}));
  EXPECT_TRUE(contains(refusal(both + claim("metric = \"study.x\"\n")), "enable [analyzers.study_facts]"));
  EXPECT_TRUE(says(refusal(both + claim("by = -1\n")), "8:1: ", {"'by' goes with something else"}));
  EXPECT_TRUE(contains(refusal("[analyzers.run_summary]\n" + claim("")), "has no judge; enable [analyzers.judge]"));
}

TEST_F(PlanClaims, TwoJudgesAreOneTooMany) {
  add({"other_judge", kStageConclude | kStageJudge});
  EXPECT_TRUE(contains(refusal("[analyzers.judge]\n[analyzers.other_judge]\n"), "but so does 'judge'"));
}

TEST_F(PlanClaims, AreDescribedWithOrderProducersAndOptions) {
  const auto planned =
      require(plan("[window]\nnvtx = \"w\"\n[[matrix]]\ndim = [1, 2]\n[analyzers.judge]\n[analyzers.run_summary]\n" +
                   claim("metric = \"gpu.busy\"\n")));
  const std::string text = describe_plan(*planned);
  for (const char* part : {"question q (", "range \"w\", projected", "dim (int)", "2 runs",
                           "produces gpu.busy, copy.bytes", "attributes fingerprint", "reads gpu.busy (run_summary)",
                           "1, judged by judge", "read from each profile: kernels, copies"}) {
    EXPECT_TRUE(contains(text, part));
  }
  EXPECT_LT(text.find("run_summary 1.0.0"), text.find("judge 1.0.0"));
}

}  // namespace assay::plan_test
