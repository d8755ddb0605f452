// Plots on their way from an analyzer to their drawing: refused when unsound, resolved alike, written the same.
#include "assay/testing/recorder.hpp"
#include "render/html/html.hpp"
#include "render/outputs.hpp"
#include "render/plots/svg.hpp"
#include "sample_run.hpp"
#include "support/test.hpp"

namespace assay::testing::plots_test {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

Plot ratios() {
  Plot plot;
  plot.id = "pairs";
  plot.title = "Pairs <of> \"runs\"";
  plot.caption = "Below 1 is faster.";
  plot.x = {"treated / base", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.y = {"pair", PlotScale::kLinear, PlotOrder::kAscending, 0};
  Table table("ratios", "Ratios");
  table.add("pair", "", std::vector<std::string>{"slow", "fast", "</script><b>"});
  table.add("ratio", "ratio", std::vector<double>{1.5, 0.5, kNothing});
  table.add("low", "ratio", std::vector<double>{1.2, kNothing, kNothing});
  table.add("high", "ratio", std::vector<double>{2.0, kNothing, kNothing});
  table.add("mode", "", std::vector<std::string>{"a", "b", "a"});
  plot.layers.push_back({PlotMark::kPoint, table, {"ratio", "pair", "low", "high", "mode", {}}});
  plot.references.push_back({1, 1, "no difference"});
  plot.references.push_back({0.1, 40, "noise"});
  return plot;
}

OwnedPlot owned(const Plot& plot) {
  OwnedPlot out;
  const std::string problem = plot.with_view([&](const PlotView& view) { return copy_plot(view, out); });
  EXPECT_EQ(problem, "");
  return out;
}

std::string refusal(const Plot& plot) {
  OwnedPlot out;
  return plot.with_view([&](const PlotView& view) { return copy_plot(view, out); });
}

TEST(CopyPlot, RefusesWhatCannotBeDrawnWithASentence) {
  Plot plot = ratios();
  plot.layers[0].encoding.x = "absent";
  EXPECT_EQ(refusal(plot), "encodes the column 'absent', which its table does not have");
  plot = ratios();
  plot.layers[0].encoding.x = "mode";
  EXPECT_EQ(refusal(plot), "has text columns on both axes; one of them must be numbers");
  plot = ratios();
  plot.layers[0].encoding.hi = "";
  EXPECT_EQ(refusal(plot), "has one of lo and hi without the other");
  plot = ratios();
  plot.layers[0].encoding.series = "ratio";
  EXPECT_EQ(refusal(plot), "has a series or facet whose column is not text");
  plot = ratios();
  plot.references[0].from = kNothing;
  EXPECT_EQ(refusal(plot), "has a reference whose ends are not two finite numbers in order");
  plot = ratios();
  plot.references[0].on_y = true;
  EXPECT_EQ(refusal(plot), "has a reference on an axis of categories");
  plot = ratios();
  plot.id = "../pairs";
  EXPECT_EQ(refusal(plot), "has an id with more than letters, digits, _ and -");
  plot = ratios();
  plot.layers.clear();
  EXPECT_EQ(refusal(plot), "has no layer");
}

TEST(Recorder, KeepsAPlotAndRefusesASecondOfItsId) {
  Recorder recorder;
  recorder.plot(ratios());
  ASSERT_NE(recorder.plot_of("pairs"), nullptr);
  EXPECT_EQ(recorder.plot_of("pairs")->layers[0].data.column("ratio")->numbers[1], 0.5);
  EXPECT_THROW(recorder.plot(ratios()), EmitError);
}

TEST(Drawing, SortsCategoriesByTheirNumberAndLeavesOutRowsWithoutOne) {
  const Drawing drawing = drawing_of(owned(ratios()));
  ASSERT_EQ(drawing.facets.size(), 1U);
  EXPECT_TRUE(equals(drawing.facets[0].y.names, {"fast", "slow"}));
  EXPECT_EQ(drawing.marks(PlotMark::kPoint), 2U);
  EXPECT_EQ(drawing.x_title, "treated / base (ratio)");
  // The interval and the line at 1 are inside the axis, the band does not widen it.
  EXPECT_LT(drawing.facets[0].x.lo, 0.5);
  EXPECT_GT(drawing.facets[0].x.hi, 2.0);
  EXPECT_LT(drawing.facets[0].x.hi, 2.2);
}

TEST(Drawing, PanelsLoseTheFoldersAndExtensionsThatAllHave) {
  Plot plot = ratios();
  Table table("ratios", "Ratios");
  table.add("pair", "", std::vector<std::string>{"a", "b", "c"});
  table.add("ratio", "ratio", std::vector<double>{1, 2, 3});
  table.add("file", "",
            std::vector<std::string>{"runs/block_1/aa/eager.pt.trace.json", "runs/block_1/graph.pt.trace.json",
                                     "runs/block_2/graph.trace.json"});
  plot.layers.assign(1, {PlotMark::kPoint, table, {"ratio", "pair", {}, {}, {}, "file"}});
  std::vector<std::string> names;
  for (const DrawnFacet& facet : drawing_of(owned(plot)).facets) names.push_back(facet.name);
  EXPECT_EQ(names, (std::vector<std::string>{"block_1/aa/eager.pt", "block_1/graph.pt", "block_2/graph"}));
}

TEST(Drawing, PrintsTimesInTheUnitOfTheLargest) {
  Plot plot;
  plot.id = "times";
  plot.title = "Times";
  plot.x = {"px", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.y = {"time", PlotScale::kLog, PlotOrder::kGiven, 0};
  Table table("times", "Times");
  table.add("px", "", std::vector<std::int64_t>{256, 512, 1024});
  table.add("time", "ns", std::vector<double>{2e6, 8e6, 32e6});
  plot.layers.push_back({PlotMark::kLine, table, {"px", "time"}});
  const Drawing drawing = drawing_of(owned(plot));
  EXPECT_EQ(drawing.y_title, "time (ms, log scale)");
  EXPECT_EQ(drawing.facets[0].layers[0].rows[2].y, 32);
  EXPECT_TRUE(drawing.facets[0].y.log);
  EXPECT_NEAR(drawing.facets[0].x.to_unit(512), 0.5, 1e-12);
}

TEST(Drawing, AreasOfPointsAreProportionalToTheirSize) {
  Plot plot = ratios();
  plot.layers[0].data = Table("sized", "Sized");
  plot.layers[0].data.add("pair", "", std::vector<std::string>{"a", "b", "c", "d"});
  plot.layers[0].data.add("ratio", "ratio", std::vector<double>{1, 2, 3, 4});
  plot.layers[0].data.add("low", "ns", std::vector<double>{400, 100, 0, kNothing});
  plot.layers[0].encoding = {"ratio", "pair", {}, {}, {}, {}, "low"};
  const Drawing drawing = drawing_of(owned(plot));
  const std::vector<DrawnRow>& rows = drawing.facets[0].layers[0].rows;
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_DOUBLE_EQ(rows[0].radius, kLargestRadius);
  EXPECT_DOUBLE_EQ(rows[1].radius, kLargestRadius / 2) << "a quarter of the area";
  EXPECT_DOUBLE_EQ(rows[2].radius, kMinRadius) << "still to be seen";
  EXPECT_DOUBLE_EQ(rows[3].radius, kPointRadius) << "not known";
  plot.layers[0].encoding.size = "pair";
  EXPECT_EQ(refusal(plot), "has a text column as size");
}

TEST(Drawing, StacksBarsInTheOrderOfTheSeries) {
  Plot plot;
  plot.id = "bars";
  plot.title = "Bars";
  plot.x = {"share", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"report", PlotScale::kLinear, PlotOrder::kGiven, 0};
  Table table("bars", "Bars");
  table.add("report", "", std::vector<std::string>{"one", "one", "two", "two"});
  table.add("share", "ratio", std::vector<double>{0.25, 0.75, 0.5, 0.5});
  table.add("class", "", std::vector<std::string>{"a", "b", "b", "a"});
  plot.layers.push_back({PlotMark::kBar, table, {"share", "report", {}, {}, "class", {}}});
  const Drawing drawing = drawing_of(owned(plot));
  std::vector<std::pair<double, double>> spans;
  for (const DrawnRow& row : drawing.facets[0].layers[0].rows) spans.emplace_back(row.from, row.to);
  EXPECT_TRUE(equals(spans, {std::pair(0.0, 0.25), std::pair(0.0, 0.5), std::pair(0.25, 1.0), std::pair(0.5, 1.0)}));
  EXPECT_EQ(drawing.facets[0].x.ticks.back().label, "100 %");
}

TEST(Drawing, BarsWithBothEndsLieBetweenThem) {
  Plot plot;
  plot.id = "schedule";
  plot.title = "Schedule";
  plot.x = {"time", PlotScale::kLinear, PlotOrder::kGiven, kAxisZero};
  plot.y = {"stage", PlotScale::kLinear, PlotOrder::kGiven, 0};
  Table table("schedule", "Schedule");
  table.add("stage", "", std::vector<std::string>{"0", "0"});
  table.add("pass", "", std::vector<std::string>{"forward", "forward"});
  table.add("begin", "", std::vector<double>{1, 5});
  table.add("end", "", std::vector<double>{2, 9});
  plot.layers.push_back({PlotMark::kBar, table, {"end", "stage", "begin", "end", "pass", {}}});
  const Drawing drawing = drawing_of(owned(plot));
  std::vector<std::pair<double, double>> spans;
  for (const DrawnRow& row : drawing.facets[0].layers[0].rows) spans.emplace_back(row.from, row.to);
  EXPECT_TRUE(equals(spans, {std::pair(1.0, 2.0), std::pair(5.0, 9.0)}));
}

TEST(Html, NothingInDataOrTextEndsItsElement) {
  EXPECT_EQ(html("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(html("\xff"), "\xEF\xBF\xBD");
  const std::string data = json_element("x", {{"name", "</script><!--"}});
  EXPECT_FALSE(contains(data, "</script><!--"));
  EXPECT_TRUE(contains(data, "\\u003c/script>"));
}

TEST(Svg, EscapesNamesAndDrawsOneMarkARow) {
  const OwnedPlot plot = owned(ratios());
  const std::string svg = svg_file(plot, drawing_of(plot));
  EXPECT_TRUE(contains(svg, "Pairs &lt;of&gt; &quot;runs&quot;"));
  EXPECT_FALSE(contains(svg, "<b>"));
  EXPECT_TRUE(contains_all(svg, {"<circle", "class=\"band\""}));
}

TEST(ReportHtml, IsTheSameEachTimeAndHoldsItsPlots) {
  SampleRun sample;
  fill(sample);
  sample.result(0).plots.push_back(owned(ratios()));
  sample.result(0).plots.back().analyzer = "alpha";
  const FactRows facts(sample.run);
  const std::string page = report_html(sample.run, facts);
  EXPECT_EQ(page, report_html(sample.run, facts));
  EXPECT_TRUE(contains_all(page, {"id=\"plot-q0-alpha-pairs\"", "It costs 8 of 100"}));
  EXPECT_TRUE(contains(report_md(sample.run), "](plots/q0-alpha-pairs.svg)"));
  ASSERT_EQ(plot_files(sample.run).size(), 1U);
  EXPECT_EQ(plot_files(sample.run)[0].first, "plots/q0-alpha-pairs.svg");
}

/// A plot as a campaign of `runs` has it, and its table beside it.
void add_campaign(SampleRun& sample, std::size_t runs) {
  std::vector<std::string> names, sizes, modes;
  std::vector<double> values, low, high;
  for (std::size_t i = 0; i < runs; ++i) {
    names.push_back("rq1_model_architecture_impact/night_" + std::to_string(i) + "/run_00/gpu0_numa0_vit16x12x768");
    sizes.push_back(std::to_string(384 * (i % 4 + 1)));
    modes.push_back("patch " + std::to_string(i % 16));
    values.push_back(std::sqrt(static_cast<double>(i) + 2));
    low.push_back(values.back() * 0.9);
    high.push_back(values.back() * 1.1);
  }
  Plot plot = ratios();
  Table table("runs", "Runs");
  table.add("pair", "", sizes);
  table.add("ratio", "ratio", values);
  table.add("low", "ratio", low);
  table.add("high", "ratio", high);
  table.add("mode", "", modes);
  table.add("report", "", names);  // stands in the words of each point, as analyzers have it
  plot.layers[0].data = table;
  sample.result(0).plots.push_back(owned(plot));
  sample.result(0).plots.back().analyzer = "alpha";
  OwnedTable rows;
  rows.id = "runs";
  rows.title = "Runs";
  rows.columns.emplace_back();
  rows.columns[0].name = "report";
  rows.columns[0].texts = std::move(names);
  sample.result(0).tables.push_back(std::move(rows));
}

TEST(ReportHtml, StaysBelowFiveMegabytesForACampaign) {
  SampleRun sample;
  fill(sample);
  constexpr std::size_t kRuns = 10'000;
  add_campaign(sample, kRuns);
  const std::string page = report_html(sample.run, FactRows(sample.run));
  EXPECT_LT(page.size(), 5'000'000U);
  EXPECT_TRUE(contains(page, "of 10000, evenly chosen; the drawing in plots/ has all."));
}

}  // namespace assay::testing::plots_test
