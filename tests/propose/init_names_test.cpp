#include "propose/labels.hpp"
#include "runs/fields.hpp"
#include "runs/names.hpp"
#include "support/test.hpp"

namespace assay::init::init_names_test {

using namespace naming;

std::vector<std::string> names_of(const NameRules& rules) {
  std::vector<std::string> names;
  for (const NameLabel& label : rules.labels) names.push_back(label.name);
  return names;
}

const NameLabel& label(const NameRules& rules, const std::string& name) {
  const auto at = std::find_if(rules.labels.begin(), rules.labels.end(), [&](const auto& l) { return l.name == name; });
  if (at == rules.labels.end()) throw std::runtime_error("no label " + name);
  return *at;
}

TEST(InitNames, NumbersAreLabelsCalledByTheWordBesideThem) {
  const NameRules rules = rules_of({"gpu0_numa0_vit16x12x768_256px", "gpu0_numa0_vit8x6x384_1024px"});
  EXPECT_TRUE(equals(rules.patterns, {"gpu{gpu}_numa{numa}_vit{vit}x{vit_2}x{vit_3}_{px}px"}));
  EXPECT_TRUE(equals(label(rules, "px").values, {"256", "1024"})) << "by size and not by text";
  EXPECT_EQ(label(rules, "vit_2").type, LabelType::kInteger);
  EXPECT_EQ(rules.of_stem[1].at("vit_3"), "384");
}

TEST(InitNames, AWordThatDiffersIsOneLabelBetweenWhatIsEqual) {
  const NameRules rules = rules_of({"baseline_bs1_is224", "with_tr_bs8_is448"});
  EXPECT_TRUE(equals(rules.patterns, {"{variant}_bs{bs}_is{is}"}));
  EXPECT_TRUE(equals(label(rules, "variant").values, {"baseline", "with_tr"}));
}

TEST(InitNames, PartsThatComeAndGoHaveADefault) {
  const NameRules rules =
      rules_of({"vit8_compiled", "vit8_uncompiled", "vit8_compiled_batch32", "vit8_compiled_max-autotune"});
  EXPECT_TRUE(
      equals(rules.patterns, {"vit8_{compiled}", "vit8_{compiled}_batch{batch}", "vit8_{compiled}_{max_autotune}"}))
      << "the word that both hold names the label";
  EXPECT_EQ(label(rules, "max_autotune").otherwise, "no");
  EXPECT_EQ(rules.of_stem[0].at("max_autotune"), "no");
  EXPECT_EQ(rules.of_stem[3].at("max_autotune"), "max-autotune");
  EXPECT_FALSE(rules.of_stem[0].contains("batch")) << "a number that a name does not say is not known";
}

TEST(InitNames, RanksAndRepetitionsOnlyDescribe) {
  const NameRules rules = rules_of({"a_rank0_run1", "b_rank1_run2"});
  EXPECT_TRUE(label(rules, "rank").rank);
  EXPECT_TRUE(label(rules, "run").descriptive);
  EXPECT_FALSE(label(rules, "variant").descriptive);
}

TEST(InitNames, DatesAreOnePieceAndOnlyDescribe) {
  const NameRules rules = rules_of({"train_2024-05-01_120301", "train_2024-05-02_090000"});
  EXPECT_TRUE(equals(rules.patterns, {"train_{date}_{time}"}));
  EXPECT_TRUE(label(rules, "date").descriptive);
  EXPECT_TRUE(label(rules, "time").descriptive);
  EXPECT_EQ(rules_of({"a20241301", "a20241302"}).labels.front().type, LabelType::kInteger) << "there is no month 13";
}

TEST(InitNames, NumbersAreWhatLabelsReadThemAs) {
  const NameRules rules = rules_of({"BS08_lr0.50", "BS16_lr0.05"});
  EXPECT_TRUE(equals(label(rules, "bs").values, {"8", "16"})) << "without leading zeros";
  EXPECT_EQ(label(rules, "lr").type, LabelType::kNumber);
}

TEST(InitNames, NumbersMayHaveExponents) {
  const NameRules rules = rules_of({"vit_lr=1e-4_bs8", "vit_lr=2.5E-3_bs8", "vit_lr=0.50_bs8"});
  EXPECT_TRUE(equals(rules.patterns, {"vit_lr={lr}_bs{bs}"}));
  EXPECT_EQ(label(rules, "lr").type, LabelType::kNumber);
  EXPECT_TRUE(equals(label(rules, "lr").values, {"1e-04", "0.0025", "0.5"})) << "as the labels of a run are written";
  EXPECT_EQ(tokens_of("3e8f").size(), 4U) << "of a commit's digest";
  EXPECT_EQ(tokens_of("1e").size(), 2U);
  EXPECT_EQ(tokens_of("1e-").size(), 3U);
  EXPECT_EQ(tokens_of("1e400").size(), 3U) << "no number that can be told";
}

TEST(InitNames, AwkwardNamesHaveLabelsThatAConfigurationMayHave) {
  EXPECT_TRUE(equals(names_of(rules_of({"größe_4", "größe_8"})), {"gre"}));
  EXPECT_TRUE(equals(names_of(rules_of({"driver 4 run", "driver 8 run"})), {"driver_label"})) << "reports say it";
  EXPECT_TRUE(equals(names_of(rules_of({"1", "2"})), {"number"}));
}

TEST(InitNames, AreOneLabelWithoutStructure) {
  const NameRules rules = rules_of({"vit-32.bs8_fast", "vit-32.bs16-fast"});
  EXPECT_TRUE(equals(rules.patterns, {"{run}"}));
  EXPECT_FALSE(label(rules, "run").descriptive);
  const std::vector<std::string> many = {"a1", "2b", "c_3", "4-d", "e.5.f", "6", "g"};
  EXPECT_TRUE(label(whole_names(many), "run").descriptive) << "nobody knows what to compare with what";
}

TEST(InitNames, OneNameOrEqualNamesHaveNothingToTellApart) {
  EXPECT_TRUE(rules_of({"profile"}).patterns.empty());
  EXPECT_TRUE(rules_of({"run", "run"}).patterns.empty());
  EXPECT_TRUE(rules_of({}).patterns.empty());
}

TEST(InitNames, TheLabelWithMostPairsIsCompared) {
  // bs varies in two models: two pairs; model only once at equal bs.
  const NameRules rules = rules_of({"m1_bs1", "m1_bs8", "m2_bs1", "m2_bs8", "m3_bs64"});
  const std::vector<Comparison> found = comparisons_of(rules);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].pairs, 2U);
  EXPECT_EQ(found[0].base, "1");
}

TEST(InitNames, TheBaseHasPairs) {
  // The first value and the one called base are alone with their sizes; 16 and 32 differ in no other label.
  for (const std::vector<std::string>& stems : {std::vector<std::string>{"bs4_x1", "bs16_x2", "bs32_x2", "bs64_x2"},
                                                std::vector<std::string>{"base_x1", "deep_x2", "wide_x2", "z_x2"}}) {
    const std::vector<Comparison> found = comparisons_of(rules_of(stems));
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].pairs, 2U) << stems.front();
    EXPECT_EQ(found[0].base, stems.front() == "bs4_x1" ? "16" : "deep");
  }
  const std::vector<Comparison> none = comparisons_of(rules_of({"base_x1", "deep_x2"}));
  EXPECT_EQ(none[0].pairs, 0U);
}

TEST(InitNames, AWordThatSoundsLikeTheStateBeforeIsTheBase) {
  const std::vector<Comparison> found = comparisons_of(rules_of({"a_new_1", "a_baseline_1"}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].base, "baseline");
  EXPECT_EQ(found[0].pairs, 1U);
}

}  // namespace assay::init::init_names_test
