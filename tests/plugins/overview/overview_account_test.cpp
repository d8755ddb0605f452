// The first line of a run is read off the account of its steps.
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::overview_account_test {

using under_test::overview::concluded;

using namespace testing;

/// A run of steps of 24 ms that idle most for host code.
auto& add_steps(StudyBuilder& s) {
  auto& report = s.report("r", {});
  report.fact("gpu.busy_ratio", 0.9).fact("window.duration_ns", 1e9).fact("kernel.count", 100);
  report.fact("step_items.time_ns", 24e6).fact("step_items.part_ratio", 0.3, "part=kernel");
  report.fact("step_items.part_ratio", 0.7, "part=idle").fact("step_items.idle_ratio", 0.6, "cause=host");
  report.fact("step_items.idle_ratio", 0.1, "cause=launch");
  report.fact("step_items.idle_place_ratio", 0.55, "cause=host;place=data");
  return report.attribute("step.word", "step");
}

TEST(OverviewAccount, ReadsItsFirstLineOffTheAccountOfAStep) {
  StudyBuilder s;
  add_steps(s).attribute("step.left_out", "the first left out: ranks begin it");
  const auto outcome = concluded(s.build(), {});
  EXPECT_EQ(outcome.table_of("runs")->column("step")->numbers.at(0), 24e6);
  EXPECT_EQ(outcome.findings.front().title,
            "GPU busy 30 % of a step of 24 ms; idle most for host code in 'data' (55 % of a step) (the first left out: "
            "ranks begin it)");
}

/// Limit, first line and advice of steps with these gains by lever.
struct FirstLook {
  std::string limit, title;
  std::vector<std::string> tried;
  std::vector<double> gains;
};
FirstLook look_at(const std::vector<std::pair<std::string, double>>& gains, const std::string& at_least = {},
                  double error = 0.001) {
  StudyBuilder s;
  auto& report = add_steps(s);
  report.fact("kernel.time_mean_ns", 3000).fact("launch.interval_median_ns", 9800).fact("launch.bound_ratio", 0.9);
  report.fact("replay.drift_ratio", error);
  for (const auto& [change, gain] : gains) report.fact("replay.gain_ratio", gain, "change=" + change);
  if (!at_least.empty()) report.fact("replay.gain_at_least", 1, "change=" + at_least);
  const Recorder r = concluded(s.build(), {});
  const auto* tried = r.table_of("to_try");
  return {r.table_of("runs")->column("limited by")->texts.at(0), r.findings.front().title, tried->column("try")->texts,
          tried->column("gain")->numbers};
}

TEST(OverviewAccount, TheLargestLeverIsTheFirstLineAndTheFirstAdvice) {
  const FirstLook data = look_at({{"host:data", 0.68}, {"sync:loss", 0.19}, {"launches:forward", 0.02}});
  EXPECT_EQ(data.limit, "host code");
  EXPECT_EQ(data.title, "GPU busy 30 % of a step of 24 ms; limited by host code in 'data' (68 % of a step)");
  EXPECT_EQ(data.gains, (std::vector<double>{0.68, 0.19})) << "below a tenth nothing is advised";
  const FirstLook waits = look_at({{"launches:forward", 0.75}, {"sync:forward", 0.51}, {"launches", 0.9}});
  EXPECT_EQ(waits.limit, "synchronization") << "what the host waits in comes before launches";
  EXPECT_EQ(waits.gains, (std::vector<double>{0.51, 0.75})) << "all launches together are a bound";
  EXPECT_EQ(look_at({{"launches:forward", 0.75}}).limit, "launch-bound");
  const FirstLook attention = look_at({{"unfused-attention", 0.8}}, "unfused-attention");
  EXPECT_TRUE(contains(attention.title, "(at least 80 % of a step)")) << attention.title;
  ASSERT_EQ(attention.tried.size(), 1U);
  EXPECT_TRUE(contains(attention.tried.front(), "scaled_dot_product_attention"));
  const FirstLook two = look_at({{"host:data", 0.5}, {"copies:h2d", 0.495}}, {}, 0.01);
  EXPECT_TRUE(contains_all(two.title, {"host code in 'data' (50 % of a step)", "h2d copies"})) << two.title;
}

TEST(OverviewAccount, AFunctionIsAdvisedFromATwentiethOn) {
  StudyBuilder s;
  auto& report = add_steps(s);
  report.fact("replay.drift_ratio", 0.001).fact("replay.gain_ratio", 0.06, "change=host:tokenize (stacks.py:8)");
  report.fact("replay.gain_ratio", 0.07, "change=host:data")
      .fact("step_items.idle_place_ratio", 0.08, "cause=host;place=tokenize (stacks.py:8)");
  const Recorder r = concluded(s.build(), {});
  const auto& tried = r.table_of("to_try")->column("try")->texts;
  ASSERT_EQ(tried.size(), 1U) << "a range of 7 % is no advice";
  EXPECT_TRUE(
      tried.front().starts_with("tokenize (stacks.py:8) keeps the GPU waiting 1.92 ms a step: at most 6 % shorter"))
      << tried.front();
}

TEST(OverviewAccount, EnergyIsOfTheCaptureAndOfAStep) {
  StudyBuilder s;
  add_steps(s).fact("energy.joule", 700).fact("power.mean_w", 700.4);
  const Recorder r = concluded(s.build(), {{"pages", "true"}});
  EXPECT_TRUE(includes(r.table_of("sections")->column("sentence")->texts,
                       "700 J in the capture, 700 W on the mean; 16.8 J a step"))
      << "24 ms of 1 s";
}

TEST(OverviewAccount, WhereNoLeverStandsOutTheIdleTimeIsSaid) {
  const FirstLook little = look_at({{"launches:forward", 0.05}});
  EXPECT_TRUE(contains(little.title, "idle most for host code in 'data' (55 % of a step)")) << little.title;
  EXPECT_TRUE(little.gains.empty() || std::isnan(little.gains.front())) << "launches gain nothing to speak of";
}

}  // namespace assay::overview_account_test
