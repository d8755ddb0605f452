// What a mean iteration consists of: rows that sum to its time.
#include "difference/step_budget.hpp"

#include <nlohmann/json.hpp>

#include "made_program.hpp"
#include "support/test.hpp"

namespace assay::difference::test::step_budget_test {
using namespace assay::testing;

const BudgetRow* row_of(const StepBudget& budget, std::string_view part) {
  const auto at = std::ranges::find(budget.rows, part, &BudgetRow::part);
  return at == budget.rows.end() ? nullptr : &*at;
}

std::int64_t sum_of(const StepBudget& budget) {
  std::int64_t sum = 0;
  for (const BudgetRow& row : budget.rows) sum += row.wall;
  return sum;
}

TEST(StepBudget, HasTheTimeOfEachPart) {
  const StepBudget budget = budget_of(side_of(MadeProgram{.steps = 3, .graphs = {7, 8}}));
  EXPECT_EQ(budget.steps, 3U);
  ASSERT_NE(row_of(budget, "kernels"), nullptr);
  ASSERT_NE(row_of(budget, "graphs"), nullptr);
  EXPECT_EQ(row_of(budget, "kernels")->wall, 3 * (2 * 6000 + 3 * 4000) + 6000);
  EXPECT_EQ(row_of(budget, "kernels")->count, 16);
  EXPECT_EQ(row_of(budget, "graphs")->wall, 2 * 6000);
  EXPECT_EQ(row_of(budget, "copies"), nullptr) << "there are none";
  EXPECT_EQ(sum_of(budget), budget.wall);
}

TEST(StepBudget, SumsToTheNanosecondWhateverIsRounded) {
  for (std::int64_t attention = 4000; attention < 4010; ++attention) {
    const Side side = side_of("made", {measured({.steps = 4, .attention = attention}),
                                       measured({.steps = 3, .attention = attention + 1, .other_streams = true})});
    const StepBudget budget = budget_of(side);
    EXPECT_EQ(budget.wall, side.time / 7);
    EXPECT_EQ(sum_of(budget), budget.wall) << attention;
    EXPECT_LE(budget.shortest, budget.wall);
    EXPECT_GE(budget.longest, budget.wall);
  }
}

TEST(StepBudget, IsADocumentOfNumbers) {
  const StepBudget budget = budget_of(side_of(MadeProgram{}));
  const auto json = nlohmann::json::parse(budget_json(budget));
  std::int64_t sum = 0;
  for (const auto& row : json["rows"]) sum += row["wall_ns"].get<std::int64_t>();
  EXPECT_EQ(sum, json["iteration"]["wall_ns"].get<std::int64_t>());
  EXPECT_TRUE(contains(json["answer"].get<std::string>(), "mean of 4"));
  EXPECT_EQ(page_of(budget, "made").parts.front().rows.size(), budget.rows.size() + 1);
}

}  // namespace assay::difference::test::step_budget_test
