// What the fields of names are, by what the profiles hold.
#include "runs/configurations.hpp"

#include "support/test.hpp"

namespace assay::configurations_test {

/// "mode=a,b run(d)" of names whose runs ran these programs.
std::string labels_of(const std::vector<std::string>& names, const std::vector<int>& programs,
                      const RunChoice& choice = {}, bool* unlike = nullptr) {
  naming::NameRules rules = naming::rules_of(names);
  std::vector<RunFacts> facts(names.size());
  std::vector<NamedProfile> profiles;
  for (std::size_t f = 0; f < names.size(); ++f) {
    facts[f].program = {{static_cast<std::uint64_t>(programs[f]), 1.0}};
    profiles.push_back({f, 0, -1, &facts[f]});
  }
  const Configurations said = judge_names(rules, profiles, choice);
  if (unlike != nullptr) *unlike = said.unlike;
  std::string text;
  for (const naming::NameLabel& label : rules.labels) {
    text += (text.empty() ? "" : " ") + label.name;
    for (std::size_t v = 0; v < label.values.size() && !label.descriptive; ++v)
      text += (v == 0 ? "=" : ",") + label.values[v];
    if (label.descriptive) text += "(d)";
  }
  return text;
}

TEST(Configurations, EqualKernelsUnderCountersAreRepeats) {
  const std::vector<int> equal = {1, 1, 1};
  EXPECT_EQ(labels_of({"prof_1", "prof_2", "prof_3"}, equal), "prof(d)");
  EXPECT_EQ(labels_of({"x0", "x1", "x2"}, equal), "x(d)") << "an unknown word that counts up";
  EXPECT_EQ(labels_of({"x4", "x8", "x16"}, equal), "x=4,8,16") << "and one that does not";
  EXPECT_EQ(labels_of({"numa_0", "numa_1", "numa_2"}, equal), "numa=0,1,2") << "a setting changes no kernel";
  EXPECT_EQ(labels_of({"vit 1 layers", "vit 2 layers", "vit 3 layers"}, equal), "vit=1,2,3") << "a unit";
  EXPECT_EQ(labels_of({"t_88123", "t_88140", "t_88155"}, equal), "t(d)") << "ids";
}

TEST(Configurations, OtherKernelsMakeANumberALabel) {
  EXPECT_EQ(labels_of({"prof_1", "prof_2", "prof_3"}, {1, 2, 3}), "prof=1,2,3");
  EXPECT_EQ(labels_of({"x1_run1", "x1_run2", "x2_run1", "x2_run2"}, {1, 1, 2, 2}), "x=1,2 run(d)");
  EXPECT_EQ(labels_of({"x1_run1", "x1_run3", "x2_run2", "x2_run4"}, {1, 1, 2, 2}), "x=1,2 run(d)");
  EXPECT_EQ(labels_of({"t_88123", "t_88140"}, {1, 2}), "t=88123,88140");
}

TEST(Configurations, WordsAreLabelsAndTimesAreNot) {
  EXPECT_EQ(labels_of({"old_1764000000.25", "new_1764000900.75"}, {1, 1}), "variant=new,old date(d) decimals(d)");
  EXPECT_EQ(labels_of({"exp1_base", "exp2_fast"}, {1, 2}), "exp(d) variant=base,fast") << "never vary apart";
}

TEST(Configurations, RolesAreComparedOnlyWhenAsked) {
  const std::vector<std::string> names = {"policy_worker", "generation_worker"};
  EXPECT_EQ(labels_of(names, {1, 2}), "variant(d)");
  EXPECT_EQ(labels_of(names, {1, 2}, {.by = "role"}), "variant=generation,policy");
}

TEST(Configurations, WhatTheUserSaysWins) {
  const std::vector<std::string> names = {"prof_1", "prof_2"};
  EXPECT_EQ(labels_of(names, {1, 1}, {.labels = {"prof"}}), "prof=1,2");
  EXPECT_EQ(labels_of({"numa_0", "numa_1"}, {1, 1}, {.repeats = {"numa_{n}"}}), "numa(d)");
}

TEST(Configurations, AProgramThatIsNotKnownDecidesNothing) {
  naming::NameRules rules = naming::rules_of({"base_run1", "base_run2"});
  std::vector<NamedProfile> profiles = {{0}, {1}};
  EXPECT_FALSE(judge_names(rules, profiles).unlike);
  EXPECT_TRUE(rules.labels.front().descriptive);
}

TEST(Configurations, RunsOfEqualNamesAndOtherKernelsAreSaid) {
  naming::NameRules rules;
  rules.of_stem.resize(2);
  std::vector<RunFacts> facts(2);
  facts[0].program = {{1, 1.0}};
  facts[1].program = {{2, 1.0}};
  std::vector<NamedProfile> profiles = {{0, 0, -1, &facts[0]}, {1, 0, -1, &facts[1]}};
  EXPECT_TRUE(judge_names(rules, profiles).unlike);
  facts[1].program = {{1, 0.95}, {2, 0.05}};
  EXPECT_FALSE(judge_names(rules, profiles).unlike) << "95 % of the kernel time in equal kernels";
}

TEST(Configurations, AFieldThatNoNameHasIsRefused) {
  const naming::NameRules rules = naming::rules_of({"prof_1", "prof_2"});
  EXPECT_TRUE(check_choice({.labels = {"prof_{n}"}, .by = "role"}, rules));
  EXPECT_EQ(check_choice({.labels = {"porf"}}, rules).error().exit, Exit::kUsage);
  EXPECT_EQ(check_choice({.repeats = {"numa"}}, rules).error().exit, Exit::kUsage);
  EXPECT_EQ(check_choice({.by = "mode"}, rules).error().exit, Exit::kUsage);
}

}  // namespace assay::configurations_test
