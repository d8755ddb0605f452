// Budgets of `assay compare --gate`: broken, kept, open, or nothing to decide by.
#include "difference/gate.hpp"

#include "made_program.hpp"
#include "support/test.hpp"

namespace assay::compare::test::gate_test {
using difference::Comparison;
using difference::RunMeasure;
using difference::Side;
using difference::test::MadeProgram;

/// Runs of a program whose attention kernels take so many ns each.
Side runs(const std::string& name, std::initializer_list<std::int64_t> attention) {
  std::vector<RunMeasure> all;
  for (const std::int64_t ns : attention) all.push_back(difference::test::measured({.attention = ns}));
  return difference::test::side_of(name, std::move(all));
}

GateAnswer asked(const Comparison& c, std::initializer_list<const char*> allowed) {
  std::vector<Budget> budgets;
  for (const char* text : allowed) {
    const Result<Budget> budget = read_budget(text);
    EXPECT_TRUE(budget) << text;
    if (budget) budgets.push_back(*budget);
  }
  return gate(c, budgets);
}

TEST(Budgets, AreReadOrRefusedWithAnExample) {
  EXPECT_EQ(read_budget("step=+2%")->share, 0.02);
  EXPECT_EQ(read_budget("kernels=+0.5ms")->ns, 5e5);
  EXPECT_EQ(read_budget("copies=250us")->ns, 2.5e5);
  EXPECT_EQ(read_budget("idle=0")->ns, 0);
  for (const char* text : {"step", "steps=1%", "step=fast", "step=2", "step=2parsecs", "step=", "=2%"}) {
    const Result<Budget> budget = read_budget(text);
    ASSERT_FALSE(budget) << text;
    EXPECT_TRUE(contains(budget.error().sentence, "step=+2%"));
  }
}

TEST(Gate, FailsBeyondTheBudgetWithTheWholeInterval) {
  const Comparison c = difference::compare(runs("before", {4000, 4010, 4005, 3995, 4002}),
                                           runs("after", {5000, 5008, 4995, 5003, 5001}));
  EXPECT_EQ(asked(c, {}).outcome, GateOutcome::kFailed);
  EXPECT_EQ(asked(c, {"step=+2%"}).outcome, GateOutcome::kFailed);
  EXPECT_EQ(asked(c, {"step=+50%"}).outcome, GateOutcome::kPassed);
  const GateAnswer both = asked(c, {"step=+50%", "kernels=+1us"});
  EXPECT_EQ(both.outcome, GateOutcome::kFailed);
  EXPECT_TRUE(contains_all(both.sentence, {"Gate failed: step", "within; kernels"}));
  EXPECT_EQ(both.sentence.find('\n'), std::string::npos);
  ASSERT_EQ(both.budgets.size(), 2U);
  EXPECT_EQ(both.budgets[0].headline.substr(0, both.budgets[0].headline.find(", ")),
            "step time within budget (+50 %): passed");
  EXPECT_TRUE(contains(both.budgets[1].headline, "kernel time within budget (+1 us): failed, +"));
}

// A budget of 0 passes nothing that a looser one leaves open.
TEST(Gate, OfEqualRunsIsOpenWithABudgetOfNothing) {
  const Comparison c = difference::compare(runs("before", {4000, 4010, 4005}), runs("after", {4003, 4008, 3999}));
  EXPECT_EQ(asked(c, {}).outcome, GateOutcome::kPassed) << "not shown to be worse";
  EXPECT_EQ(asked(c, {"step=0"}).outcome, GateOutcome::kUndecided);
  EXPECT_EQ(asked(c, {"step=+5%"}).outcome, GateOutcome::kPassed);
  const Comparison faster = difference::compare(runs("before", {5000, 5008, 4995, 5003, 5001}),
                                                runs("after", {4000, 4010, 4005, 3995, 4002}));
  EXPECT_EQ(asked(faster, {}).outcome, GateOutcome::kPassed);
}

TEST(Gate, ThatNoIntervalAnswersIsUndecided) {
  const Comparison c = difference::compare(runs("before", {3000, 5000, 4000}), runs("after", {3200, 5100, 4300}));
  const GateAnswer answer = asked(c, {"step=+1%"});
  EXPECT_EQ(answer.outcome, GateOutcome::kUndecided);
  EXPECT_TRUE(contains_all(answer.sentence, {"Gate undecided: step", "open"}));
}

TEST(Gate, OfOneRunASideOrUnlikeSidesIsUndecided) {
  const GateAnswer one = asked(difference::compare(runs("before", {4000}), runs("after", {9000})), {"step=+2%"});
  EXPECT_EQ(one.outcome, GateOutcome::kUndecided);
  EXPECT_TRUE(contains(one.sentence, "one run per side"));
  const MadeProgram other{.batch = 2};
  const GateAnswer unlike =
      asked(difference::compare(difference::test::side_of({}), difference::test::side_of(other)), {});
  EXPECT_EQ(unlike.outcome, GateOutcome::kUndecided);
  EXPECT_TRUE(contains(unlike.sentence, "not the same work"));
}

}  // namespace assay::compare::test::gate_test
