// The first line of a run is read off the account of its steps.
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::overview_account_test {

using under_test::overview::concluded;

using namespace testing;

TEST(OverviewAccount, ReadsItsFirstLineOffTheAccountOfAStep) {
  StudyBuilder s;
  auto& report = s.report("r", {});
  report.fact("gpu.busy_ratio", 0.9).fact("window.duration_ns", 1e9).fact("kernel.count", 100);
  report.fact("step_items.time_ns", 24e6).fact("step_items.part_ratio", 0.3, "part=kernel");
  report.fact("step_items.part_ratio", 0.7, "part=idle").fact("step_items.idle_ratio", 0.6, "cause=host");
  report.fact("step_items.idle_ratio", 0.1, "cause=launch");
  report.fact("step_items.idle_place_ratio", 0.55, "cause=host;place=data");
  report.attribute("step.word", "step").attribute("step.left_out", "the first left out: ranks begin it");
  const auto outcome = concluded(s.build(), {});
  EXPECT_EQ(outcome.table_of("runs")->column("step")->numbers.at(0), 24e6);
  EXPECT_EQ(outcome.findings.front().title,
            "GPU busy 30 % of a step of 24 ms; idle most for host code in 'data' (55 % of a step) (the first left out: "
            "ranks begin it)");
}

}  // namespace assay::overview_account_test
