#include "assay/testing/study_builder.hpp"

#include "support/test.hpp"

namespace assay::testing::study_builder_test {

TEST(StudyBuilder, SortsAsTheHostDoes) {
  StudyBuilder s;
  s.label("mode", {"none", "default"}).label("word");
  s.report("z", {{"mode", "default"}, {"word", "first"}}).fact("b", 1).fact("a", 2, "k=2").fact("a", 3, "k=1");
  s.noise_report("y", {{"mode", "none"}, {"word", "second"}}).fact("a", 4);
  s.fact("c", 5);
  const Study& study = s.build();

  ASSERT_EQ(study.reports->rows, 2U);
  EXPECT_EQ(study.reports->path[0], "y");
  EXPECT_EQ(study.reports->role[0], ReportRole::kNoise);
  EXPECT_EQ(s.row("z"), 1U);
  std::vector<double> values(study.facts->value.begin(), study.facts->value.end());
  EXPECT_EQ(values, (std::vector<double>{5, 4, 3, 2, 1}));  // of the study; y a; z a k=1; z a k=2; z b
  EXPECT_EQ(study.facts->report[0], kNone);
  // Order of a declared list, and of texts by first use.
  EXPECT_EQ(study.label_values->order[0], 0);  // y none
  EXPECT_EQ(study.label_values->order[1], 1);  // y second
  EXPECT_EQ(study.label_values->order[2], 1);  // z default
  EXPECT_EQ(study.label_values->order[3], 0);  // z first
}

TEST(StudyBuilder, CanBeBuiltAgainAfterMoreWasAdded) {
  StudyBuilder s;
  s.report("a").fact("m", 1);
  EXPECT_EQ(s.build().facts->rows, 1U);
  s.report("b").fact("m", 2);
  EXPECT_EQ(s.build().facts->rows, 2U);
}

TEST(StudyBuilder, ClaimsCarryTheirCheckedKeys) {
  static constexpr OptionSpec kKeys[] = {{"metric", OptionType::kMetric, "", "Judged on."},
                                         {"between", OptionType::kNumberList, "", "Claimed range."}};
  StudyBuilder s;
  s.claim("c1", "It is so.", kKeys, {{"metric", "m"}, {"between", std::vector<double>{1.3, 1.4}}});
  const Study& study = s.build();
  ASSERT_EQ(study.claims->rows, 1U);
  EXPECT_EQ(study.claims->keys[0]->metric("metric"), "m");
  EXPECT_EQ(study.claims->keys[0]->numbers("between")[1], 1.4);
}

TEST(StudyBuilder, RefusesMistakes) {
  StudyBuilder undeclared;
  undeclared.report("a", {{"dim", "1"}});
  EXPECT_THROW(undeclared.build(), std::invalid_argument);
  StudyBuilder twice;
  twice.report("a").fact("m", 1).fact("m", 2);
  EXPECT_THROW(twice.build(), std::invalid_argument);
  StudyBuilder same_path;
  same_path.report("a");
  same_path.report("a");
  EXPECT_THROW(same_path.build(), std::invalid_argument);
}

}  // namespace assay::testing::study_builder_test
