#include "plots.hpp"

namespace assay::tokens {

std::optional<Plot> speedup_plot(const Analysis& analysis) {
  struct At {
    const CellResult* cell;
    const std::string* images;
    std::optional<std::pair<double, double>> interval;
  };
  std::vector<LabelTexts> labels;
  for (const CellResult& result : analysis.cells) labels.push_back(result.cell.labels);
  const std::vector<std::string> names = telling_names(labels, "all");
  std::vector<At> rows;
  for (std::size_t c = 0; c < analysis.cells.size(); ++c) {
    const CellResult& result = analysis.cells[c];
    if (result.combined && result.cell.batch > 0)
      rows.push_back({&result, &names[c], result.combined->interval(analysis.level)});
  }
  if (rows.empty()) return std::nullopt;
  Plot plot;
  plot.id = "crossover";
  plot.title = "Speed-up by batch: where the reduction begins to win";
  plot.caption = "Throughput with the reduction over that without, with " + percent(analysis.level, 0) +
                 " intervals where measurements were repeated. Above the dashed line the reduction wins; a line that "
                 "crosses it has its crossover between those two batches.";
  plot.x = {"batch (images)", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.y = {"speed-up", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.series_title = "images";
  Table table("speedups", plot.title);
  table.column("images", "", rows, [](const At& at) { return *at.images; })
      .column("batch", "", rows, [](const At& at) { return at.cell->cell.batch; })
      .column("speed-up", "ratio", rows, [](const At& at) { return at.cell->combined->value; })
      .column("low", "ratio", rows,
              [](const At& at) { return at.interval ? std::optional(at.interval->first) : std::nullopt; })
      .column("high", "ratio", rows,
              [](const At& at) { return at.interval ? std::optional(at.interval->second) : std::nullopt; })
      .column("n", "measurements", rows, [](const At& at) { return at.cell->combined->measurements; });
  plot.references.push_back({1, 1, "no difference", true});
  plot.layers.push_back({PlotMark::kLine, table, {"batch", "speed-up", {}, {}, "images", {}}});
  plot.layers.push_back({PlotMark::kPoint, std::move(table), {"batch", "speed-up", "low", "high", "images", {}}});
  return plot;
}

}  // namespace assay::tokens
