#include "assay/algo/matching.hpp"

#include "assay/testing/study_builder.hpp"
#include "support/test.hpp"

namespace assay::matching_test {

using testing::StudyBuilder;

/// "dim" is numeric, so that 1024 follows 768; "run" only describes.
void declare(StudyBuilder& s) {
  s.label("dim", StudyBuilder::kNumeric).label("compile", {"none", "default", "max-autotune"}).descriptive_label("run");
}

TEST(MatchPairs, EqualInEveryLabelButTheOneUnderTest) {
  StudyBuilder s;
  declare(s);
  s.report("b1", {{"dim", "1024"}, {"compile", "none"}, {"run", "1"}});
  s.report("b2", {{"dim", "1024"}, {"compile", "none"}, {"run", "2"}});
  s.report("a", {{"dim", "1024"}, {"compile", "default"}, {"run", "3"}});
  s.report("d", {{"dim", "768"}, {"compile", "none"}});
  s.report("c", {{"dim", "768"}, {"compile", "default"}});
  s.report("third value", {{"dim", "768"}, {"compile", "max-autotune"}});
  const StudyView view(s.build());

  const Matching m = match_pairs(view, "compile", "none", "default");
  ASSERT_EQ(m.strata.size(), 2U);
  EXPECT_TRUE(equals(m.strata[0].labels, {{"dim", "768"}}));
  EXPECT_TRUE(equals(m.strata[0].base.reports(), {s.row("d")}));
  EXPECT_TRUE(equals(m.strata[0].treated.reports(), {s.row("c")}));
  EXPECT_TRUE(equals(m.strata[1].labels, {{"dim", "1024"}}));
  EXPECT_TRUE(equals(m.strata[1].base.reports(), {s.row("b1"), s.row("b2")}));
  EXPECT_TRUE(equals(m.strata[1].treated.reports(), {s.row("a")}));
  EXPECT_TRUE(is_empty(m.unmatched));
}

TEST(MatchPairs, ReportsWithoutAPartnerAreListed) {
  StudyBuilder s;
  declare(s);
  s.report("a", {{"dim", "384"}, {"compile", "none"}});
  s.report("b", {{"dim", "768"}, {"compile", "default"}});
  s.report("c", {{"compile", "default"}});  // lacking a label is a value of its own
  s.report("d", {{"dim", "384"}});
  const StudyView view(s.build());
  const Matching m = match_pairs(view, "compile", "none", "default");
  EXPECT_TRUE(is_empty(m.strata));
  ASSERT_EQ(m.unmatched.size(), 4U);
  EXPECT_EQ(m.unmatched[0].report, s.row("a"));
  EXPECT_TRUE(contains(m.unmatched[0].reason, "compile=default"));
  EXPECT_TRUE(contains(m.unmatched[1].reason, "compile=none"));
  EXPECT_TRUE(contains(m.unmatched[3].reason, "no value of the label compile"));
}

TEST(MatchPairs, NoiseReportsAreNeverPaired) {
  StudyBuilder s;
  declare(s);
  s.report("a", {{"dim", "384"}, {"compile", "none"}});
  s.noise_report("b", {{"dim", "384"}, {"compile", "default"}});
  const StudyView view(s.build());
  const Matching m = match_pairs(view, "compile", "none", "default");
  EXPECT_TRUE(is_empty(m.strata));
  EXPECT_EQ(m.unmatched.size(), 1U);
}

TEST(MatchPairs, ADisbelievedLabelTakesAReportOut) {
  for (const auto& [verdict, stays] :
       {std::pair("contradicted", false), {"not_borne_out", false}, {"unverifiable", true}}) {
    StudyBuilder s;
    declare(s);
    s.report("a", {{"dim", "384"}, {"compile", "none"}});
    s.report("b", {{"dim", "384"}, {"compile", "default"}})
        .fact("label.verdict", 1, "label=compile;verdict=borne_out")
        .fact("label.verdict", 1, std::string("label=px;verdict=") + verdict);  // another label than the one under test
    const StudyView view(s.build());
    const Matching m = match_pairs(view, "compile", "none", "default");
    EXPECT_EQ(m.strata.size(), stays ? 1U : 0U) << verdict;
    if (stays) continue;
    ASSERT_EQ(m.unmatched.size(), 2U);
    EXPECT_TRUE(contains(m.unmatched[1].reason, "label px"));
  }
}

TEST(MatchPairs, AContradictedWordThatOnlyDescribesTakesNothingOut) {
  StudyBuilder s;
  s.label("numa").descriptive_label("memory");
  s.report("a", {{"numa", "0"}, {"memory", "remote"}}).fact("label.verdict", 1, "label=memory;verdict=contradicted");
  s.report("b", {{"numa", "2"}, {"memory", "remote"}});
  const StudyView view(s.build());
  EXPECT_EQ(match_pairs(view, "numa", "0", "2").strata.size(), 1U);
}

TEST(MatchPairs, AnUndeclaredLabelIsTheAuthorsMistake) {
  StudyBuilder s;
  declare(s);
  const StudyView view(s.build());
  EXPECT_THROW(match_pairs(view, "no such label", "a", "b"), std::invalid_argument);
}

TEST(DimValue, ReadsCanonicalDims) {
  EXPECT_EQ(dim_value("a=1;bc=2", "bc"), "2");
  EXPECT_EQ(dim_value("a=1;bc=2", "b"), std::nullopt);
  EXPECT_EQ(dim_value("", "a"), std::nullopt);
  EXPECT_EQ(dim_value("a%3Db=x%3By%25", "a=b"), "x;y%");
  EXPECT_EQ(dim_value("a=%zz%4", "a"), "%zz%4");  // no escapes
}

}  // namespace assay::matching_test
