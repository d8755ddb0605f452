#include "plots.hpp"

#include <limits>

namespace assay::tokens {

std::optional<Plot> speedup_plot(const Analysis& analysis) {
  constexpr double kLevel = 0.95, none = std::numeric_limits<double>::quiet_NaN();
  std::vector<LabelTexts> labels;
  for (const CellResult& result : analysis.cells) labels.push_back(result.cell.labels);
  const std::vector<std::string> names = telling_names(labels, "all");
  std::vector<std::string> series;
  std::vector<double> batches, speedups, lows, highs;
  std::vector<std::int64_t> measurements;
  for (std::size_t c = 0; c < analysis.cells.size(); ++c) {
    const CellResult& result = analysis.cells[c];
    if (!result.combined || !(result.cell.batch > 0)) continue;
    const auto interval = result.combined->interval(kLevel);
    series.push_back(names[c]);
    batches.push_back(result.cell.batch);
    speedups.push_back(result.combined->value);
    lows.push_back(interval ? interval->first : none);
    highs.push_back(interval ? interval->second : none);
    measurements.push_back(static_cast<std::int64_t>(result.combined->measurements));
  }
  if (batches.empty()) return std::nullopt;
  Plot plot;
  plot.id = "crossover";
  plot.title = "Speed-up by batch: where the reduction begins to win";
  plot.caption =
      "Throughput with the reduction over that without, with 95 % intervals where measurements were repeated. Above "
      "the "
      "dashed line the reduction wins; a line that crosses it has its crossover between those two batches.";
  plot.x = {"batch (images)", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.y = {"speed-up", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.series_title = "images";
  Table table("speedups", plot.title);
  table.add("images", "", std::move(series));
  table.add("batch", "", std::move(batches));
  table.add("speed-up", "ratio", std::move(speedups));
  table.add("low", "ratio", std::move(lows));
  table.add("high", "ratio", std::move(highs));
  table.add("n", "measurements", std::move(measurements));
  plot.references.push_back({1, 1, "no difference", true});
  plot.layers.push_back({PlotMark::kLine, table, {"batch", "speed-up", {}, {}, "images", {}}});
  plot.layers.push_back({PlotMark::kPoint, std::move(table), {"batch", "speed-up", "low", "high", "images", {}}});
  return plot;
}

}  // namespace assay::tokens
