// What stands around a plot: what is claimed for it, the samples behind it, columns in one unit.
#include "render/format.hpp"
#include "render/outputs.hpp"
#include "render/plots/claimed_ranges.hpp"
#include "render/plots/drawing.hpp"
#include "render/plots/svg.hpp"
#include "render/samples.hpp"
#include "sample_run.hpp"
#include "support/test.hpp"

namespace assay::testing::plot_context_test {

OwnedTable::Column numbers(std::string unit, std::vector<double> values) {
  return {"column", std::move(unit), CellType::kNumber, {}, {}, std::move(values)};
}

TEST(ShownColumn, AllCellsAreInTheUnitOfTheLargest) {
  const OwnedTable::Column times = numbers("ns", {54780000, 850, std::numeric_limits<double>::quiet_NaN()});
  const ShownColumn shown(times);
  EXPECT_EQ(shown.unit(), "ms");
  EXPECT_EQ(shown.cell(0), "54.78");
  EXPECT_EQ(shown.cell(1), "0.0008500");
  EXPECT_EQ(shown.cell(2), "");
}

TEST(ShownColumn, LargeNumbersHaveNoExponent) {
  const OwnedTable::Column operations = numbers("1/s", {5.478e13, 1e12});
  const ShownColumn shown(operations);
  EXPECT_EQ(shown.unit(), "trillion 1/s");
  EXPECT_EQ(shown.cell(0), "54.78");
  EXPECT_EQ(ShownColumn(numbers("ratio", {0.5})).unit(), "");
}

/// Values of a metric by report, one panel a metric, on a logarithmic axis of ratios or a linear one of the metric.
OwnedPlot plot_of(bool ratios, const std::string& metric) {
  OwnedPlot plot;
  plot.analyzer = "alpha";
  plot.id = "pairs";
  plot.title = "Pairs";
  plot.x.title = ratios ? "fast / slow" : metric;
  if (ratios) plot.x.scale = PlotScale::kLog;
  plot.y.title = "run";
  OwnedLayer layer;
  layer.data = {"alpha", "ratios", "Ratios", {}};
  layer.data.columns.push_back(numbers("ratio", {0.8, 0.9}));
  layer.data.columns.push_back({"run", "", CellType::kText, {"one", "two"}, {}, {}});
  layer.data.columns.push_back({"metric", "", CellType::kText, {metric, metric}, {}, {}});
  layer.channels.x = 0;
  layer.channels.y = 1;
  if (ratios) layer.channels.facet = 2;
  plot.layers.push_back(layer);
  return plot;
}

OwnedClaim claim_on(EffectKind kind, double low, double high) {
  OwnedClaim claim{"id", "A text", "R", Verdict::kRefuted, "", {}};
  claim.claimed = ClaimedRange{"b.ratio", kind == EffectKind::kRatio ? "1" : "ratio", kind, low, high};
  return claim;
}

TEST(ClaimedRanges, RatiosStandInThePanelOfTheirMetricAndLevelsOnItsAxis) {
  QuestionResult result;
  result.metrics = {{"b.ratio", "ratio", "Share of b in a.", "alpha", Polarity::kNeutral, "share of b"}};
  result.claims = {claim_on(EffectKind::kRatio, 0.6, 0.7), claim_on(EffectKind::kLevel, 0.25, 0.35)};
  const ClaimedRanges of_ratios = claimed_ranges(result, plot_of(true, "share of b"));
  ASSERT_TRUE(size_is(of_ratios.ranges, 1));
  EXPECT_EQ(of_ratios.ranges[0].from, 0.6);
  EXPECT_EQ(of_ratios.ranges[0].facet, "share of b");
  EXPECT_EQ(of_ratios.said, "Dotted lines mark the claimed range: share of b ×\u00a00.600 to 0.700.");
  const ClaimedRanges of_levels = claimed_ranges(result, plot_of(false, "Share of b"));
  ASSERT_TRUE(size_is(of_levels.ranges, 1));
  EXPECT_EQ(of_levels.said, "Dotted lines mark the claimed range: 25.0 to 35.0 %.");
  EXPECT_TRUE(is_empty(claimed_ranges(result, plot_of(true, "length of a")).ranges));
}

TEST(ClaimedRanges, TheirEndsAreDrawnAndHeldByTheAxis) {
  QuestionResult result;
  result.claims = {claim_on(EffectKind::kRatio, 0.1, kInfinite)};
  const OwnedPlot plot = plot_of(true, "b.ratio");
  const Drawing drawing = drawing_of(plot, claimed_ranges(result, plot).ranges);
  EXPECT_LT(drawing.facets[0].x.lo, 0.1);
  EXPECT_LT(drawing.facets[0].x.hi, 2) << "no bound is no end of an axis";
  const std::string svg = svg_element(plot, drawing);
  EXPECT_EQ(svg.find("class=\"claim\""), svg.rfind("class=\"claim\"")) << "in the key; no band without an end";
  EXPECT_EQ(svg.find("claim-end"), svg.rfind("claim-end")) << "one end is claimed";
  EXPECT_FALSE(contains(svg_element(plot, drawing_of(plot)), "claim-end"));
  result.claims = {claim_on(EffectKind::kRatio, 0.1, 0.2)};
  const std::string band = svg_element(plot, drawing_of(plot, claimed_ranges(result, plot).ranges));
  EXPECT_NE(band.find("class=\"claim\""), band.rfind("class=\"claim\""));
}

/// Two reports with a sample an iteration each.
void with_samples(SampleRun& sample) {
  fill(sample);
  sample.first_question().iterations.nvtx = {"it's {i}"};
  sample.first_question().window.nvtx = "timed";
  sample.report(0, 0).facts.push_back({"iteration.period_ns", "", 2e6, {2e6, 9e6, 2e6, 1e6}});
  sample.report(0, 1).facts.push_back({"iteration.period_ns", "", 4e6, {4e6, 5e6}});
  sample.result(0).metrics.push_back({"iteration.period_ns", "ns", "", "alpha", Polarity::kNeutral, "period"});
}

OwnedPlot plot_with_evidence() {
  OwnedPlot plot = plot_of(true, "a.time_ns");
  for (const char* report : {"runs/one.sqlite", "runs/two, second.sqlite", "runs/one.sqlite"})
    plot.evidence.push_back({report, "iteration.period_ns", "", 1});
  return plot;
}

TEST(Samples, EachReportIsARowAndTheFarthestIterationHasItsCommand) {
  SampleRun sample;
  with_samples(sample);
  const Samples samples = samples_behind(sample.run.question(0), plot_with_evidence());
  ASSERT_TRUE(size_is(samples.strips, 1));
  EXPECT_EQ(samples.strips[0].title, "Period");
  ASSERT_TRUE(size_is(samples.strips[0].rows, 2)) << "a report that two comparisons share is one row";
  EXPECT_EQ(samples.strips[0].rows[0].report, "one");
  EXPECT_TRUE(equals(samples.strips[0].rows[1].values, {4e6, 5e6}));
  ASSERT_TRUE(size_is(samples.instants, 1));
  EXPECT_TRUE(contains(samples.instants[0].said, "9 ms in iteration 2 of runs/one.sqlite, 4.5 times the median."));
  EXPECT_EQ(samples.instants[0].command,
            "assay timeline runs/one.sqlite --window timed --iterations 'it'\\''s {i}' --only 2 -o one-2.json");
}

TEST(Samples, ATimeFromOneIterationToTheNextIsOfTheLaterOne) {
  SampleRun sample;
  with_samples(sample);
  sample.report(0, 0).facts.push_back({"iteration.host_ns", "", 1e6, {1e6, 1e6, 1e6, 1e6, 1e6}});
  const std::vector<Instant> later = samples_behind(sample.run.question(0), plot_with_evidence()).instants;
  ASSERT_TRUE(size_is(later, 1));
  EXPECT_TRUE(contains(later[0].command, " --only 3 "));
  // Two iterations without one: which they are is not known.
  sample.report(0, 0).facts.back().samples.push_back(1e6);
  for (const Instant& other : samples_behind(sample.run.question(0), plot_with_evidence()).instants)
    EXPECT_FALSE(contains(other.command, "one.sqlite"));
}

TEST(Samples, AreDrawnAsDotsWithABoxARow) {
  SampleRun sample;
  with_samples(sample);
  const Samples samples = samples_behind(sample.run.question(0), plot_with_evidence());
  const std::string svg = strips_svg(samples.strips[0], false);
  EXPECT_TRUE(contains(svg, "class=\"box ln\""));
  std::size_t dots = 0;
  for (std::size_t at = svg.find("h0"); at != std::string::npos; at = svg.find("h0", at + 1)) ++dots;
  EXPECT_EQ(dots, 6U) << "one a sample";
  EXPECT_FALSE(contains(svg, "<style>"));
  EXPECT_TRUE(contains(strips_svg(samples.strips[0], true), "<style>"));
}

TEST(Samples, WithoutAnyThereIsNothing) {
  SampleRun sample;
  fill(sample);
  OwnedPlot plot = plot_of(true, "a.time_ns");
  plot.evidence.push_back({"runs/one.sqlite", "b.ratio", "", 0.1});
  plot.evidence.push_back({"no such report", "a.time_ns", "", 1});
  EXPECT_TRUE(is_empty(samples_behind(sample.run.question(0), plot).strips));
}

TEST(ReportMd, TablesThatDoNotAnswerAreNamedAndNotRepeated) {
  SampleRun sample;
  fill(sample);
  OwnedTable table{"beta", "long_one", "A long one", {}};
  table.columns.push_back({"i", "", CellType::kInteger, {}, std::vector<std::int64_t>(41, 57123), {}});
  sample.result(0).tables.push_back(table);
  const std::string text = report_md(sample.run);
  EXPECT_TRUE(contains(text, "| A long one | long_one | 41 |"));
  EXPECT_FALSE(contains(text, "57123"));
}

}  // namespace assay::testing::plot_context_test
