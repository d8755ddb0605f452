// Budgets of `assay compare --gate`: broken, kept, open, or nothing to decide by.
#include <gtest/gtest.h>

#include "made_program.hpp"
#include "plugins/step_difference/budgets.hpp"
#include "support/check.hpp"

namespace assay::difference::test::gate_test {

/// Runs of a program whose attention kernels take so many ns each.
Side runs(const std::string& name, std::initializer_list<std::int64_t> attention) {
  std::vector<SideRun> all;
  for (const std::int64_t ns : attention) all.push_back(measured(MadeProgram{.attention = ns}));
  return side_of(name, std::move(all));
}

BudgetAnswer asked(const Comparison& c, const char* allowed) { return judge_budget(c, read_budget(allowed), 1); }

TEST(Budgets, AreReadOrRefusedWithAnExample) {
  EXPECT_EQ(read_budget("step=+2%").share, 0.02);
  EXPECT_EQ(read_budget("kernels=+0.5ms").ns, 5e5);
  EXPECT_EQ(read_budget("copies=250us").ns, 2.5e5);
  EXPECT_EQ(read_budget("idle=0").ns, 0);
  EXPECT_FALSE(read_budget("").given);
  for (const char* text : {"step", "steps=1%", "step=fast", "step=2", "step=2parsecs", "step=", "=2%"}) {
    try {
      read_budget(text);
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& refused) {
      EXPECT_TRUE(contains(refused.what(), "step=+2%"));
    }
  }
}

TEST(Gate, FailsBeyondTheBudgetWithTheWholeInterval) {
  const Comparison c =
      compare(runs("before", {4000, 4010, 4005, 3995, 4002}), runs("after", {5000, 5008, 4995, 5003, 5001}));
  EXPECT_EQ(asked(c, "").verdict, Verdict::kRefuted);
  EXPECT_EQ(asked(c, "step=+2%").verdict, Verdict::kRefuted);
  EXPECT_EQ(asked(c, "step=+50%").verdict, Verdict::kSupported);
  const BudgetAnswer kept = asked(c, "step=+50%"), broken = judge_budget(c, read_budget("kernels=+1us"), 2);
  EXPECT_EQ(broken.verdict, Verdict::kRefuted);
  EXPECT_TRUE(contains(kept.sentence, "within"));
  EXPECT_EQ(kept.headline.substr(0, kept.headline.find(", ")), "step time within budget (+50 %): passed");
  EXPECT_TRUE(contains(broken.headline, "kernel time within budget (+1 us): failed, +"));
}

// A budget of 0 passes nothing that a looser one leaves open.
TEST(Gate, IsOpenForEqualRunsWithAZeroBudget) {
  const Comparison c = compare(runs("before", {4000, 4010, 4005}), runs("after", {4003, 4008, 3999}));
  EXPECT_EQ(asked(c, "").verdict, Verdict::kSupported) << "not shown to be worse, and by less than 2 %";
  EXPECT_EQ(asked(c, "step=0").verdict, Verdict::kInconclusive);
  EXPECT_EQ(asked(c, "step=+5%").verdict, Verdict::kSupported);
  const Comparison faster =
      compare(runs("before", {5000, 5008, 4995, 5003, 5001}), runs("after", {4000, 4010, 4005, 3995, 4002}));
  EXPECT_EQ(asked(faster, "").verdict, Verdict::kSupported);
}

TEST(Gate, JudgesTheProgramsOwnStepsIfTheyAreKnown) {
  Comparison c = compare(runs("before", {4000, 4010, 4005}), runs("after", {5000, 5008, 4995}));
  c.plain_before = {9000, 9010, 9005};
  c.plain_after = {8000, 8010, 7990};
  EXPECT_EQ(asked(c, "step=+2%").verdict, Verdict::kSupported) << "only under the profiler it is slower";
  EXPECT_TRUE(contains(asked(c, "step=+2%").sentence, "step without a profiler -1.005 us"))
      << asked(c, "step=+2%").sentence;
  EXPECT_EQ(asked(c, "kernels=0").verdict, Verdict::kRefuted);
  std::swap(c.plain_before, c.plain_after);
  EXPECT_EQ(asked(c, "step=+2%").verdict, Verdict::kRefuted);
}

TEST(Gate, IsUndecidedIfTheIntervalIsTooWide) {
  const Comparison c = compare(runs("before", {3000, 5000, 4000}), runs("after", {3200, 5100, 4300}));
  EXPECT_EQ(asked(c, "").verdict, Verdict::kInconclusive) << "no budget passes what a looser one leaves open";
  const BudgetAnswer answer = asked(c, "step=+1%");
  EXPECT_EQ(answer.verdict, Verdict::kInconclusive);
  EXPECT_TRUE(contains_all(answer.sentence, {"step", "open"}));
}

TEST(Gate, IsUndecidedForSingleRunsOrUnlikeSides) {
  const BudgetAnswer one = asked(compare(runs("before", {4000}), runs("after", {9000})), "step=+2%");
  EXPECT_EQ(one.verdict, Verdict::kInconclusive);
  EXPECT_TRUE(contains(one.sentence, "one run per side"));
  const MadeProgram other{.batch = 2};
  const BudgetAnswer unlike = asked(compare(side_of({}), side_of(other)), "");
  EXPECT_EQ(unlike.verdict, Verdict::kInconclusive);
  EXPECT_TRUE(contains(unlike.sentence, "not comparable"));
}

}  // namespace assay::difference::test::gate_test
