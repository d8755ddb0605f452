// What plans make of the options of analyzers.
#include "plan_fixture.hpp"
#include "support/test.hpp"

namespace assay::plan_options_test {

TEST_F(PlanTest, UnknownOptionsNameTheNearest) {
  add_with_option({"threshold", OptionType::kNumber, "0.5", "d"});
  EXPECT_TRUE(says(refusal("[analyzers.tested]\ntreshold = 1\n"),
                   "7:1: ", {"no option 'treshold'. Did you mean 'threshold'?"}));
  EXPECT_TRUE(contains(refusal("[analyzers.tested]\nzz = 1\n"), "there are threshold"));
  add({"bare", kStageConclude});
  EXPECT_TRUE(contains(refusal("[analyzers.bare]\nzz = 1\n"), "it has none"));
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
  const auto planned = require(plan("[analyzers.tested]\ni = 4\n"));
  const OptionSet& o = planned->questions.front().analyzers.front().options;
  EXPECT_TRUE(o.boolean("b"));
  EXPECT_EQ(o.integer("i"), 4);
  EXPECT_TRUE(o.given("i"));
  EXPECT_FALSE(o.given("n"));
  EXPECT_EQ(o.number("n"), 0.25);
  EXPECT_EQ(o.text("t"), "a, b");
  EXPECT_TRUE(equals(o.texts("tl"), {Str("a"), Str("b b")}));
  EXPECT_TRUE(equals(o.numbers("nl"), {1, 2.5}));
  EXPECT_TRUE(is_empty(o.labels("e")));
  EXPECT_EQ(o.label("l"), "dim");
  EXPECT_EQ(o.find("nope"), nullptr);
}

TEST_F(PlanTest, OptionsOutliveTheMoveOfTheirPlan) {
  add({"tested",
       kStageConclude,
       {},
       {},
       {{"t", OptionType::kText, "x", "d"}, {"l", OptionType::kTextList, "y,z", "d"}}});
  auto planned = require(plan("[analyzers.tested]\n"));
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
  EXPECT_TRUE(
      contains(refusal("[analyzers.run_summary]\n[analyzers.tested]\no = " + std::string(GetParam().toml) + "\n"),
               GetParam().answer));
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
                      OptionCase{of(OptionType::kMetric), "\"fingerprint\"", "which is a text attribute, not a metric"},
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
  EXPECT_TRUE(says(refusal("[analyzers.tested]\n"), "6:12: ", {"is not given 'o', whose default names 'gpu.busy'"}));
}

TEST_F(PlanTest, ADefaultThatDoesNotParseIsThePluginsMistake) {
  add_with_option({"o", OptionType::kInteger, "many", "d"});
  EXPECT_TRUE(contains(refusal("[analyzers.tested]\n"), "a mistake in the plugin"));
  EXPECT_EQ(refusal("[analyzers.tested]\no = 1\n"), "planned");
}

}  // namespace assay::plan_options_test
