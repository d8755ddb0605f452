// What a mean iteration consists of: rows that sum to its time.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "handed_on.hpp"
#include "support/check.hpp"

namespace assay::difference::test::step_budget_test {

/// The table `budget` of runs of one program.
testing::RecordedTable budget_of(const std::vector<MadeProgram>& programs) {
  testing::StudyBuilder study;
  for (const MadeProgram& program : programs)
    add_run(study, "run_" + std::to_string(&program - programs.data()) + ".sqlite", {}, program);
  return *under_test::step_items::concluded(study.build()).table_of("budget");
}

/// Value of a column of a part; -1: it has none.
std::int64_t wall_of(const testing::RecordedTable& budget, std::string_view part) {
  const auto& parts = budget.column("part")->texts;
  const auto at = std::ranges::find(parts, part);
  return at == parts.end() ? -1 : budget.column("wall_ns")->integers[static_cast<std::size_t>(at - parts.begin())];
}

std::int64_t sum_of(const testing::RecordedTable& budget) {
  const auto& wall = budget.column("wall_ns")->integers;
  return std::accumulate(wall.begin(), wall.end() - 1, std::int64_t{0});
}

TEST(StepBudget, HasTheTimeOfEachPart) {
  const testing::RecordedTable budget = budget_of({{.steps = 3, .graphs = {7, 8}}});
  EXPECT_EQ(wall_of(budget, "kernels"), 3 * (2 * 6000 + 3 * 4000) + 6000);
  EXPECT_EQ(budget.column("count")->numbers[0], 16);
  EXPECT_EQ(wall_of(budget, "graphs"), 2 * 6000);
  EXPECT_EQ(wall_of(budget, "copies"), -1) << "there are none";
  EXPECT_EQ(sum_of(budget), wall_of(budget, "all"));
}

TEST(StepBudget, SumsToTheNanosecondWhateverIsRounded) {
  for (std::int64_t attention = 4000; attention < 4010; ++attention) {
    const MadeProgram first{.steps = 4, .attention = attention};
    const MadeProgram second{.steps = 3, .attention = attention + 1, .other_streams = true};
    const testing::RecordedTable budget = budget_of({first, second});
    EXPECT_EQ(wall_of(budget, "all"), (measured(first).time + measured(second).time) / 7);
    EXPECT_EQ(sum_of(budget), wall_of(budget, "all")) << attention;
  }
}

}  // namespace assay::difference::test::step_budget_test
