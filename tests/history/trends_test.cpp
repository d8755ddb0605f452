// From points of results to series and what became of them.
#include "history/trends.hpp"

#include "assay/detail/random.hpp"
#include "history/history_page.hpp"
#include "support/test.hpp"

namespace assay::trends_test {

const SeriesId kTime{"q", "H200, driver 570", "dim=768", "iteration.time_ns", ""};

/// Results r00, r01, ... whose time is `levels[i]` with a little noise.
std::vector<HistoryResult> history_of(const std::vector<double>& levels, Polarity polarity = Polarity::kLowerIsBetter) {
  Random random(5);
  std::vector<HistoryResult> results;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    HistoryResult& result = results.emplace_back();
    result.name = "r" + std::to_string(100 + i).substr(1);
    result.points.values[kTime] = levels[i] * (1 + 0.001 * random.normal());
    result.points.metrics[kTime.metric] = {"ns", polarity};
  }
  return results;
}

std::vector<double> levels(std::size_t before, std::size_t after, double factor) {
  std::vector<double> out(before, 1e6);
  out.resize(before + after, 1e6 * factor);
  return out;
}

TEST(Trends, AStepIsAShareWithItsPlaceAndDirection) {
  const auto results = history_of(levels(20, 10, 1.1));
  const Trends trends = find_trends(results, {});
  ASSERT_TRUE(size_is(trends.changed, 1));
  const Trend& trend = trends.changed.front();
  ASSERT_TRUE(size_is(trend.changes, 1));
  EXPECT_EQ(results[trend.changes[0].at].name, "r20");
  EXPECT_NEAR(trend.net, 0.1, 0.002);
  EXPECT_EQ(trend.changes[0].direction, Direction::kWorse);
  EXPECT_TRUE(trend.regression);
  EXPECT_TRUE(contains_all(history_page(results, trends),
                           {"<svg", "worse</span> +10", "; 1 of 1 series changed, all examined together."}));
}

TEST(Trends, OnlyWhatIsWorseBeyondTheToleranceIsARegression) {
  EXPECT_FALSE(find_trends(history_of(levels(20, 10, 0.9)), {}).changed.front().regression) << "faster";
  EXPECT_FALSE(find_trends(history_of(levels(20, 10, 1.1), Polarity::kNeutral), {}).changed.front().regression);
  EXPECT_TRUE(find_trends(history_of(levels(20, 10, 0.9), Polarity::kHigherIsBetter), {}).changed.front().regression);
  EXPECT_FALSE(find_trends(history_of(levels(20, 10, 1.1)), {.tolerance = 0.2}).changed.front().regression);
  EXPECT_TRUE(find_trends(history_of(levels(20, 10, 1.1)), {.tolerance = 0.05}).changed.front().regression);
}

TEST(Trends, GateOnTheStepOfAQuestionElseOnItsCaptureElseOnWhatIsNamed) {
  const auto gating = [](const std::vector<std::pair<std::string, std::string>>& metrics,
                         const TrendSettings& settings) {
    auto results = history_of(levels(10, 10, 1.5));
    for (HistoryResult& result : results) {
      const double time = result.points.values.begin()->second;
      result.points = {};
      for (const auto& [metric, unit] : metrics) {
        SeriesId id = kTime;
        id.metric = metric;
        result.points.values[id] = time;
        result.points.metrics[metric] = {unit, Polarity::kLowerIsBetter};
      }
    }
    const Trends trends = find_trends(results, settings);
    std::vector<std::string> judged;
    for (const Trend& trend : trends.changed) {
      if (trend.gates) judged.push_back(trend.id.metric);
    }
    EXPECT_EQ(trends.gating, judged.size());
    EXPECT_EQ(trends.changed.size(), metrics.size()) << "all are shown";
    return judged;
  };
  EXPECT_EQ(gating({{"gpu.busy_ratio", "ratio"}, {"iteration.period_ns", "ns"}, {"window.duration_ns", "ns"}}, {}),
            std::vector<std::string>{"iteration.period_ns"});
  EXPECT_EQ(gating({{"kernel.time_sum_ns", "ns"}, {"window.duration_ns", "ns"}}, {}),
            std::vector<std::string>{"window.duration_ns"});
  EXPECT_EQ(gating({{"serving.tokens_per_s", "1/s"}, {"window.duration_ns", "ns"}}, {}),
            std::vector<std::string>{"serving.tokens_per_s"});
  EXPECT_EQ(gating({{"iteration.period_ns", "ns"}, {"runner.pass_time_ns", "ns"}}, {}),
            std::vector<std::string>{"runner.pass_time_ns"})
      << "the program's own time";
  EXPECT_TRUE(gating({{"gpu_metrics.gpc_clock_hz", "1/s"}, {"gpu.kernel_busy_ratio", "ratio"}}, {}).empty());
  EXPECT_TRUE(gating({{"gpu.idle_ns", "ns"}}, {}).empty());
  EXPECT_EQ(gating({{"gpu.idle_ns", "ns"}}, {.metrics = {"gpu.*"}}), std::vector<std::string>{"gpu.idle_ns"});
}

TEST(Trends, TheMostTimeLostComesFirstWhateverItsShare) {
  auto results = history_of(levels(10, 10, 1.1));
  for (HistoryResult& result : results) {
    const double time = result.points.values.begin()->second;
    const auto add = [&](const char* metric, const char* unit, double value) {
      SeriesId id = kTime;
      id.metric = metric;
      result.points.values[id] = value;
      result.points.metrics[metric] = {unit, Polarity::kLowerIsBetter};
    };
    add("kernel.time_sum_ns", "ns", time * time / 1e7);  // a tenth of it, +21 %
    add("gpu.idle_ratio", "ratio", std::pow(time / 1e6, 5));
  }
  const Trends trends = find_trends(results, {});
  ASSERT_TRUE(size_is(trends.changed, 3));
  EXPECT_EQ(trends.changed[0].id.metric, "iteration.time_ns");
  EXPECT_NEAR(trends.changed[0].longer, 1e5, 2e3);
  EXPECT_EQ(trends.changed[1].id.metric, "kernel.time_sum_ns");
  EXPECT_NEAR(trends.changed[1].longer, 2.1e4, 1e3);
  EXPECT_EQ(trends.changed[2].longer, 0);
  EXPECT_NEAR(trends.changed[2].net, 0.61, 0.02);
}

TEST(Trends, ReportNoRegressionIfItWentBack) {
  std::vector<double> there = levels(20, 15, 1.1);
  there.insert(there.end(), 15, 1e6);
  const Trends trends = find_trends(history_of(there), {});
  ASSERT_TRUE(size_is(trends.changed, 1));
  EXPECT_TRUE(size_is(trends.changed[0].changes, 2));
  EXPECT_FALSE(trends.changed[0].regression);
}

TEST(Trends, AnAcceptedChangeIsTheNewLevelToHold) {
  std::vector<double> there = levels(20, 15, 1.1);
  const AcceptedChange accepted{"", "iteration.*", "dim=768", "r20", "the new model"};
  const Trends once = find_trends(history_of(there), {.accepted = {accepted}});
  ASSERT_TRUE(size_is(once.changed, 1));
  EXPECT_TRUE(once.changed[0].changes[0].is_accepted);
  EXPECT_FALSE(once.changed[0].regression);
  there.insert(there.end(), 15, 1.2e6);
  EXPECT_TRUE(find_trends(history_of(there), {.accepted = {accepted}}).changed[0].regression) << "another one after it";
  const AcceptedChange other{"", "gpu.*", "", "r20", ""};
  EXPECT_TRUE(find_trends(history_of(levels(20, 15, 1.1)), {.accepted = {other}}).changed[0].regression);
}

TEST(Trends, SlowCreepAddsUp) {
  std::vector<double> creeping;
  for (int i = 0; i < 60; ++i) creeping.push_back(1e6 * (1 + 0.0005 * i));
  const Trends trends = find_trends(history_of(creeping), {});
  ASSERT_TRUE(size_is(trends.changed, 1));
  EXPECT_TRUE(trends.changed[0].regression);
}

TEST(Trends, AnotherMachineIsAnotherSeries) {
  auto results = history_of(levels(10, 10, 1.3));
  for (std::size_t i = 10; i < 20; ++i) {
    SeriesId other = kTime;
    other.machine = "H200, driver 580";
    results[i].points.values = {{other, results[i].points.values.begin()->second}};
  }
  const Trends trends = find_trends(results, {});
  EXPECT_TRUE(is_empty(trends.changed));
  EXPECT_EQ(trends.series, 2U);
}

TEST(Trends, SeriesOfFewResultsAreCountedAndNotJudged) {
  const Trends trends = find_trends(history_of(levels(2, 3, 2)), {});
  EXPECT_TRUE(is_empty(trends.changed));
  EXPECT_EQ(trends.series, 0U);
  EXPECT_EQ(trends.short_series, 1U);
}

TEST(Trends, AChangeWithinAGapHasTheGapAsItsInterval) {
  auto results = history_of(levels(20, 20, 1.1));
  for (std::size_t i = 17; i < 23; ++i) results[i].points.values.clear();
  const Trends trends = find_trends(results, {});
  ASSERT_TRUE(size_is(trends.changed, 1));
  ASSERT_TRUE(size_is(trends.changed[0].changes, 1));
  EXPECT_EQ(trends.changed[0].changes[0].earliest, 17U) << "the first result that may have the new level";
  EXPECT_EQ(trends.changed[0].changes[0].latest, 23U);
  const AcceptedChange within{"", "", "", "r20", "made while nothing was measured"};
  EXPECT_FALSE(find_trends(results, {.accepted = {within}}).changed[0].regression);
}

TEST(Trends, WhyNothingWasFoundIsSaid) {
  EXPECT_EQ(nothing_found(find_trends(history_of(levels(20, 0, 1)), {})), "No level changed.");
  EXPECT_TRUE(contains(nothing_found(find_trends(history_of(levels(5, 0, 1)), {})), "six results"));
  Trends wandering;
  wandering.series = 3;
  wandering.too_alike = 2;
  EXPECT_TRUE(contains(nothing_found(wandering), "2 of 3 series"));
}

TEST(Trends, AnIntervalThatSaysNothingIsNotPrinted) {
  Trend trend;
  EXPECT_EQ(effect_text(trend, 0.5, 0.4, 0.6), "+50.0 % [+40.0, +60.0]");
  EXPECT_EQ(effect_text(trend, 0.5, -1, std::numeric_limits<double>::infinity()),
            "+50.0 % (too few results for an interval)");
}

TEST(Trends, CreepIsCalledSo) {
  std::vector<double> creeping;
  for (int i = 0; i < 60; ++i) creeping.push_back(1e6 * (1 + 0.0005 * i));
  const Trends trends = find_trends(history_of(creeping), {});
  ASSERT_TRUE(size_is(trends.changed, 1));
  EXPECT_EQ(direction_text(trends.changed[0].changes[0]), "worse, creeping");
}

TEST(Trends, NamesAreEscapedInThePage) {
  auto results = history_of(levels(10, 10, 1.3));
  results[10].name = "<script>";
  EXPECT_TRUE(contains(history_page(results, find_trends(results, {})), "&lt;script&gt;"));
  EXPECT_EQ(history_page(results, find_trends(results, {})).find("<script>"), std::string::npos);
}

}  // namespace assay::trends_test
