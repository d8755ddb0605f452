#include "plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "assay/plugin.hpp"
#include "plan/describe.hpp"
#include "temp_folder.hpp"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Analyzer* make_none(const Options&, ErrorSink& errors) noexcept {
  errors.fail("these plugins are for planning only");
  return nullptr;
}

/// What a test's plugin declares.
struct Declared {
  std::string id;
  std::uint32_t stages = kStageAnalyze | kStageConclude;
  std::vector<MetricSpec> produces = {};
  std::vector<Str> consumes = {};
  std::vector<OptionSpec> options = {};
  std::vector<OptionSpec> claim_keys = {};
  std::vector<AttributeSpec> attributes = {};
  std::vector<ColumnId> needs = {}, wants = {};
  ClaimCheck check_claim = nullptr;
};

/// Plugins without libraries. Keeps what their descriptors point to.
class PlanTest : public ::testing::Test {
 protected:
  void add(Declared declared) {
    Owned& own = *owned_.emplace_back(std::make_unique<Owned>());
    own.declared = std::move(declared);
    const Declared& d = own.declared;
    Descriptor& out = own.descriptor;
    out.sizes = detail::abi_sizes();
    out.id = d.id;
    out.version = "1.0.0";
    out.stages = d.stages;
    out.produces = d.produces;
    out.consumes = d.consumes;
    out.options = d.options;
    out.claim_keys = d.claim_keys;
    out.attributes = d.attributes;
    out.needs = d.needs;
    out.wants = d.wants;
    out.create = &make_none;
    out.check_claim = d.check_claim;
    auto plugin = Plugin::linked(out);
    ASSERT_TRUE(plugin.ok()) << plugin.error().sentence;
    plugins_.loaded.push_back(std::move(*plugin));
    std::sort(plugins_.loaded.begin(), plugins_.loaded.end(),
              [](const auto& a, const auto& b) { return a->id() < b->id(); });
  }

  void add_summary() {
    add({"run_summary",
         kStageAnalyze | kStageConclude,
         {{"gpu.busy", "ratio", {}, "d"}, {"copy.bytes", "bytes", {}, "d"}},
         {},
         {},
         {},
         {{"fingerprint", "d"}},
         {col::kernels},
         {col::copies}});
  }

  void add_with_option(OptionSpec spec) { add({"tested", kStageConclude, {}, {}, {spec}}); }

  Result<Plan> plan(const std::string& toml) {
    questions_.assign(1, question_of("[question]\nid = \"q\"\n[labels]\ndim = { type = \"int\" }\nmode = {}\n" + toml));
    return make_plan(questions_, plugins_);
  }

  /// The sentence without the file's name; "planned" when there is none.
  std::string refusal(const std::string& toml) {
    const auto planned = plan(toml);
    if (planned) return "planned";
    EXPECT_EQ(planned.error().exit, Exit::kUsage);
    return planned.error().sentence.substr(planned.error().sentence.find("question.toml:") + 14);
  }

  Plugins plugins_;

 private:
  struct Owned {
    Declared declared;
    Descriptor descriptor;
  };
  std::vector<std::unique_ptr<Owned>> owned_;
  std::vector<Question> questions_;
};

std::vector<std::string> order_in(const Plan& plan) {
  std::vector<std::string> ids;
  for (const PlannedAnalyzer& analyzer : plan.questions.front().analyzers) ids.emplace_back(analyzer.plugin->id());
  return ids;
}

TEST_F(PlanTest, WantsTheUnionOfWhatEnabledAnalyzersNeedAndNothingElse) {
  add_summary();
  add({"other", kStageAnalyze, {}, {}, {}, {}, {}, {col::calls}, {}});
  const auto planned = plan("[analyzers.run_summary]\n");
  ASSERT_TRUE(planned.ok()) << planned.error().sentence;
  EXPECT_THAT(planned->wanted, ElementsAre(col::kernels, col::copies));
  EXPECT_EQ(planned->questions.front().judge, nullptr);
}

TEST_F(PlanTest, AnUnknownAnalyzerNamesTheNearestAndTheFolders) {
  add_summary();
  plugins_.searched = {"/a/plugins", "/b"};
  EXPECT_THAT(refusal("[analyzers.run_sumary]\n"),
              AllOf(::testing::StartsWith("6:12: [analyzers.run_sumary]"), HasSubstr("Did you mean 'run_summary'?"),
                    HasSubstr("searched /a/plugins, /b")));
}

TEST_F(PlanTest, AnAnalyzerWhoseLibraryWasRefusedGivesThatReason) {
  plugins_.refused.push_back({"/p/broken.so", "/p/broken.so: was built for version 9."});
  EXPECT_THAT(refusal("[analyzers.broken]\n"),
              HasSubstr("[analyzers.broken] was refused: /p/broken.so: was built for version 9."));
}

TEST_F(PlanTest, AQuestionWithoutAnalyzersIsRefused) { EXPECT_THAT(refusal(""), HasSubstr("enables no analyzer")); }

TEST_F(PlanTest, UnknownOptionsNameTheNearest) {
  add_with_option({"threshold", OptionType::kNumber, "0.5", "d"});
  EXPECT_THAT(refusal("[analyzers.tested]\ntreshold = 1\n"),
              AllOf(::testing::StartsWith("7:1: "), HasSubstr("no option 'treshold'. Did you mean 'threshold'?")));
  EXPECT_THAT(refusal("[analyzers.tested]\nzz = 1\n"), HasSubstr("there are threshold"));
  add({"bare", kStageConclude});
  EXPECT_THAT(refusal("[analyzers.bare]\nzz = 1\n"), HasSubstr("it has none"));
}

TEST_F(PlanTest, DefaultsAreReadFromTheirText) {
  add({"tested",
       kStageConclude,
       {},
       {},
       {{"b", OptionType::kBool, "true", "d"},
        {"i", OptionType::kInteger, "-3", "d"},
        {"n", OptionType::kNumber, "0.25", "d"},
        {"t", OptionType::kText, "a, b", "d"},
        {"tl", OptionType::kTextList, " a ,b b , ", "d"},
        {"nl", OptionType::kNumberList, "1, 2.5", "d"},
        {"e", OptionType::kLabelList, "", "d"},
        {"l", OptionType::kLabel, "dim", "d"}}});
  const auto planned = plan("[analyzers.tested]\ni = 4\n");
  ASSERT_TRUE(planned.ok()) << planned.error().sentence;
  const OptionSet& o = planned->questions.front().analyzers.front().options;
  EXPECT_TRUE(o.boolean("b"));
  EXPECT_EQ(o.integer("i"), 4);
  EXPECT_TRUE(o.given("i"));
  EXPECT_FALSE(o.given("n"));
  EXPECT_EQ(o.number("n"), 0.25);
  EXPECT_EQ(o.text("t"), "a, b");
  EXPECT_THAT(o.texts("tl"), ElementsAre(Str("a"), Str("b b")));
  EXPECT_THAT(o.numbers("nl"), ElementsAre(1, 2.5));
  EXPECT_THAT(o.labels("e"), IsEmpty());
  EXPECT_EQ(o.label("l"), "dim");
  EXPECT_EQ(o.find("nope"), nullptr);
}

TEST_F(PlanTest, OptionsOutliveTheMoveOfTheirPlan) {
  add({"tested",
       kStageConclude,
       {},
       {},
       {{"t", OptionType::kText, "x", "d"}, {"l", OptionType::kTextList, "y,z", "d"}}});
  auto planned = plan("[analyzers.tested]\n");
  ASSERT_TRUE(planned.ok());
  const Plan moved = std::move(*planned);
  EXPECT_EQ(moved.questions.front().analyzers.front().options.text("t"), "x");
  EXPECT_EQ(moved.questions.front().analyzers.front().options.texts("l")[1].view(), "z");
}

struct OptionCase {
  OptionSpec spec;
  const char* toml;
  const char* answer;  ///< part of the refusal, or "planned"
  friend void PrintTo(const OptionCase& c, std::ostream* to) { *to << "o = " << c.toml; }
};

class PlanOptions : public PlanTest, public ::testing::WithParamInterface<OptionCase> {};

TEST_P(PlanOptions, AreCheckedAgainstTheirSpec) {
  add_summary();
  add_with_option(GetParam().spec);
  EXPECT_THAT(refusal("[analyzers.run_summary]\n[analyzers.tested]\no = " + std::string(GetParam().toml) + "\n"),
              HasSubstr(GetParam().answer));
}

OptionSpec of(OptionType type, Str choices = {}) { return {"o", type, "", "d", choices}; }
OptionSpec between(OptionType type, double low, double high) { return {"o", type, "", "d", {}, low, high}; }
constexpr double kOpen = 1.7976931348623157e308;

INSTANTIATE_TEST_SUITE_P(
    All, PlanOptions,
    ::testing::Values(
        OptionCase{of(OptionType::kBool), "1", "8:1: [analyzers.tested] o has the wrong type; expected true or false"},
        OptionCase{of(OptionType::kBool), "true", "planned"},
        OptionCase{of(OptionType::kInteger), "1.0", "expected an integer"},
        OptionCase{of(OptionType::kNumber), "1", "planned"},
        OptionCase{of(OptionType::kNumber), "\"1\"", "expected a number"},
        OptionCase{of(OptionType::kNumber), "nan", "is not a number"},
        OptionCase{of(OptionType::kNumber), "inf", "planned"},
        OptionCase{between(OptionType::kNumber, 0, 1), "1.5", "is 1.5; expected at least 0 and at most 1"},
        OptionCase{between(OptionType::kNumber, 0, kOpen), "-1", "is -1; expected at least 0."},
        OptionCase{between(OptionType::kNumber, 0, kOpen), "inf", "planned"},
        OptionCase{between(OptionType::kInteger, -kOpen, 8), "9", "is 9; expected at most 8"},
        OptionCase{between(OptionType::kNumberList, 0, 1), "[0.5, 2]", "is 2; expected"},
        OptionCase{of(OptionType::kNumberList), "3", "planned"},
        OptionCase{of(OptionType::kNumberList), "[]", "planned"},
        OptionCase{of(OptionType::kNumberList), "[\"a\"]", "expected a list of numbers"},
        OptionCase{of(OptionType::kText), "[\"a\"]", "expected a text"},
        OptionCase{of(OptionType::kTextList), "\"a\"", "planned"},
        OptionCase{of(OptionType::kTextList), "[1]", "expected a list of texts"},
        OptionCase{of(OptionType::kText, "mean|median"), "\"medain\"",
                   "is 'medain'; expected one of 'mean', 'median'. Did you mean 'median'?"},
        OptionCase{of(OptionType::kText, "mean|median"), "\"mean\"", "planned"},
        OptionCase{of(OptionType::kTextList, "a|b"), "[\"a\", \"c\"]", "is 'c'; expected one of 'a', 'b'"}));

INSTANTIATE_TEST_SUITE_P(
    Names, PlanOptions,
    ::testing::Values(OptionCase{of(OptionType::kMetric), "\"gpu.busy\"", "planned"},
                      OptionCase{of(OptionType::kMetric), "\"gpu.bsy\"",
                                 "names 'gpu.bsy', which no enabled analyzer produces. Did you mean 'gpu.busy'?"},
                      OptionCase{of(OptionType::kMetric), "\"fingerprint\"", "which is a text attribute and no metric"},
                      OptionCase{of(OptionType::kMetric), "\"\"", "names '', which no enabled analyzer produces"},
                      OptionCase{of(OptionType::kMetricList), "[\"gpu.busy\", \"copy.bytes\"]", "planned"},
                      OptionCase{of(OptionType::kMetricList), "[\"gpu.busy\", \"x\"]", "names 'x'"},
                      OptionCase{of(OptionType::kLabel), "\"dmi\"",
                                 "names the label 'dmi', which is not declared. Did you mean 'dim'?"},
                      OptionCase{of(OptionType::kLabelList), "[\"dim\", \"mode\"]", "planned"},
                      OptionCase{of(OptionType::kLabelList), "[\"dim\", \"dim\"]", "names 'dim' twice"},
                      OptionCase{of(OptionType::kMetricList), "[\"gpu.busy\", \"gpu.busy\"]", "names 'gpu.busy' twice"},
                      OptionCase{of(OptionType::kLabelList), "[\"dim\", \"batch\"]", "declare it with [labels.batch]"},
                      OptionCase{of(OptionType::kConditionList), "[\"dim=384\", \"mode=a|b\"]", "planned"},
                      OptionCase{of(OptionType::kConditionList), "[\"dim\"]", "expected \"label=value\""},
                      OptionCase{of(OptionType::kConditionList), "[\"dmi=1\"]", "names the label 'dmi'"},
                      OptionCase{of(OptionType::kConditionList), "[\"dim=1|x\"]", "whose value 'x' is not an integer"},
                      OptionCase{of(OptionType::kConditionList), "[\"dim=0384\"]", "is written '384' in the results"},
                      OptionCase{of(OptionType::kConditionList), "[\"dim=\"]", "whose value '' is empty"}));

TEST_F(PlanTest, ADefaultIsHeldToTheSameRules) {
  add_with_option({"o", OptionType::kMetric, "gpu.busy", "d"});
  EXPECT_THAT(refusal("[analyzers.tested]\n"),
              AllOf(::testing::StartsWith("6:12: "), HasSubstr("is not given 'o', whose default names 'gpu.busy'")));
}

TEST_F(PlanTest, ADefaultThatDoesNotParseIsThePluginsMistake) {
  add_with_option({"o", OptionType::kInteger, "many", "d"});
  EXPECT_THAT(refusal("[analyzers.tested]\n"), HasSubstr("a mistake in the plugin"));
  EXPECT_EQ(refusal("[analyzers.tested]\no = 1\n"), "planned");
}

TEST_F(PlanTest, AMetricOfAPluginThatIsNotEnabledSaysWhichToEnable) {
  add_summary();
  add_with_option({"o", OptionType::kMetric, "", "d"});
  EXPECT_THAT(refusal("[analyzers.tested]\no = \"copy.bytes\"\n"),
              HasSubstr("enable [analyzers.run_summary], which does"));
}

TEST_F(PlanTest, ConsumedNamesNeedAProducerUnlessOptional) {
  add_summary();
  add({"reader", kStageConclude, {}, {"fingerprint", "?label.verdict"}});
  EXPECT_THAT(refusal("[analyzers.reader]\n"),
              AllOf(HasSubstr("[analyzers.reader] reads what is not there: it names 'fingerprint'"),
                    HasSubstr("enable [analyzers.run_summary]")));
  const auto planned = plan("[analyzers.reader]\n[analyzers.run_summary]\n");
  ASSERT_TRUE(planned.ok()) << planned.error().sentence;
  EXPECT_THAT(order_in(*planned), ElementsAre("run_summary", "reader"));
  EXPECT_THAT(planned->questions.front().analyzers[1].consumes, ElementsAre("fingerprint"));
}

TEST_F(PlanTest, AnOptionalProducerComesFirstWhereItIsEnabled) {
  add({"a_reader", kStageConclude, {}, {"?label.verdict"}});
  add({"label_check", kStageConclude, {{"label.verdict", "1", {}, "d"}}});
  const auto planned = plan("[analyzers.a_reader]\n[analyzers.label_check]\n");
  ASSERT_TRUE(planned.ok()) << planned.error().sentence;
  EXPECT_THAT(order_in(*planned), ElementsAre("label_check", "a_reader"));
  EXPECT_THAT(planned->questions.front().analyzers[1].consumes, ElementsAre("label.verdict"));
}

TEST_F(PlanTest, WhoIsBelievedIsKnownBeforeAnybodyCompares) {
  add_summary();
  add({"a_judge", kStageConclude});  // says nothing of label.verdict
  add({"label_check", kStageConclude, {{"label.verdict", "1", {}, "d"}}, {"fingerprint"}});
  const auto planned = plan("[analyzers.a_judge]\n[analyzers.label_check]\n[analyzers.run_summary]\n");
  ASSERT_TRUE(planned.ok()) << planned.error().sentence;
  EXPECT_THAT(order_in(*planned), ElementsAre("run_summary", "label_check", "a_judge"))
      << "but for what it reads itself";
}

TEST_F(PlanTest, WhatIsReadAsAnalyzedWaitsForNobody) {
  add_summary();
  add({"a_writer", kStageAnalyze | kStageConclude, {{"w.measured", "1", {}, "d"}}, {"?b.verdict"}});
  add({"b_reader", kStageConclude, {{"b.verdict", "1", {}, "d"}}, {"^w.measured"}});
  const auto planned = plan("[analyzers.a_writer]\n[analyzers.b_reader]\n");
  ASSERT_TRUE(planned.ok()) << planned.error().sentence;
  EXPECT_THAT(order_in(*planned), ElementsAre("b_reader", "a_writer"));
  EXPECT_THAT(planned->questions.front().analyzers[0].consumes, ElementsAre("w.measured"));
  EXPECT_THAT(refusal("[analyzers.b_reader]\n"), HasSubstr("reads what is not there: it names 'w.measured'"));
}

TEST_F(PlanTest, WhatIsOnlyConcludedIsWaitedFor) {
  add({"z_writer", kStageConclude, {{"w.found", "1", {}, "d"}}});
  add({"a_reader", kStageConclude, {}, {"^w.found"}});
  const auto planned = plan("[analyzers.a_reader]\n[analyzers.z_writer]\n");
  ASSERT_TRUE(planned.ok()) << planned.error().sentence;
  EXPECT_THAT(order_in(*planned), ElementsAre("z_writer", "a_reader"));
}

TEST_F(PlanTest, MetricsNamedByOptionsAreConsumed) {
  add({"z_source", kStageConclude, {{"z.a", "1", {}, "d"}, {"z.b", "1", {}, "d"}}});
  add({"a_reader",
       kStageConclude,
       {},
       {},
       {{"m", OptionType::kMetricList, "z.a, z.b", "d"}, {"n", OptionType::kMetric, "z.a", "d"}}});
  const auto planned = plan("[analyzers.a_reader]\n[analyzers.z_source]\n");
  ASSERT_TRUE(planned.ok()) << planned.error().sentence;
  EXPECT_THAT(order_in(*planned), ElementsAre("z_source", "a_reader"));
  EXPECT_THAT(planned->questions.front().analyzers[1].consumes, ElementsAre("z.a", "z.b"));
}

TEST_F(PlanTest, ReadingOnesOwnMetricIsNoCycle) {
  add({"own", kStageAnalyze | kStageConclude, {{"own.a", "1", {}, "d"}}, {"own.a"}});
  EXPECT_EQ(refusal("[analyzers.own]\n"), "planned");
}

TEST_F(PlanTest, ACycleIsNamed) {
  add({"a", kStageConclude, {{"a.x", "1", {}, "d"}}, {"b.x"}});
  add({"b", kStageConclude, {{"b.x", "1", {}, "d"}}, {"a.x"}});
  EXPECT_THAT(refusal("[analyzers.a]\n[analyzers.b]\n"), HasSubstr("in a circle (a -> b -> a)"));
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
    Declared judge{"judge", kStageConclude | kStageJudge};
    judge.claim_keys = {{"metric", OptionType::kMetric, "", "d"}, {"by", OptionType::kNumber, "0", "d"}};
    judge.check_claim = &refuse_negative;
    add(judge);
    add({"study_facts", kStageConclude, {{"study.x", "1", {}, "d"}}});
  }
  static std::string claim(const std::string& keys) { return "[[claim]]\nid = \"c\"\ntext = \"t\"\n" + keys; }
};

TEST_F(PlanClaims, GetTheirKeysCheckedByTheJudge) {
  const auto planned = plan("[analyzers.judge]\n[analyzers.run_summary]\n" + claim("metric = \"gpu.busy\"\n"));
  ASSERT_TRUE(planned.ok()) << planned.error().sentence;
  const PlannedQuestion& q = planned->questions.front();
  ASSERT_NE(q.judge, nullptr);
  EXPECT_EQ(q.judge->id(), "judge");
  ASSERT_EQ(q.claims.size(), 1U);
  EXPECT_EQ(q.claims[0].keys.metric("metric"), "gpu.busy");
  EXPECT_EQ(q.claims[0].config->id, "c");
  EXPECT_THAT(order_in(*planned), ElementsAre("run_summary", "judge")) << "the judge reads what claims name";
}

TEST_F(PlanClaims, MistakesAreSaid) {
  const std::string both = "[analyzers.judge]\n[analyzers.run_summary]\n";
  EXPECT_THAT(
      refusal(both + claim("metrik = \"gpu.busy\"\n")),
      AllOf(::testing::StartsWith("11:1: "), HasSubstr("[[claim]] c has no key 'metrik'. Did you mean 'metric'?")));
  EXPECT_THAT(refusal(both + claim("metric = \"study.x\"\n")), HasSubstr("enable [analyzers.study_facts]"));
  EXPECT_THAT(refusal(both + claim("by = -1\n")),
              AllOf(::testing::StartsWith("8:1: "), HasSubstr("'by' goes with something else")));
  EXPECT_THAT(refusal("[analyzers.run_summary]\n" + claim("")),
              HasSubstr("has nobody to judge it; enable [analyzers.judge]"));
}

TEST_F(PlanClaims, TwoJudgesAreOneTooMany) {
  add({"other_judge", kStageConclude | kStageJudge});
  EXPECT_THAT(refusal("[analyzers.judge]\n[analyzers.other_judge]\n"), HasSubstr("and so does 'judge'"));
}

TEST_F(PlanClaims, AreDescribedWithOrderProducersAndOptions) {
  const auto planned =
      plan("[window]\nnvtx = \"w\"\n[[matrix]]\ndim = [1, 2]\n[analyzers.judge]\n[analyzers.run_summary]\n" +
           claim("metric = \"gpu.busy\"\n"));
  ASSERT_TRUE(planned.ok()) << planned.error().sentence;
  const std::string text = describe_plan(*planned);
  for (const char* part : {"question q (", "range \"w\", projected", "dim (int)", "2 runs",
                           "produces gpu.busy, copy.bytes", "attributes fingerprint", "reads gpu.busy (run_summary)",
                           "1, judged by judge", "read of each report: kernels, copies"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_LT(text.find("run_summary 1.0.0"), text.find("judge 1.0.0"));
}

}  // namespace
}  // namespace assay
