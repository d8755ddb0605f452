#include "plots.hpp"

#include <cmath>

#include "assay/words.hpp"

namespace assay::scaling {
namespace {

/// Columns of a layer as they grow.
struct Columns {
  std::vector<std::string> models, costs;
  std::vector<double> at, values;
  std::vector<std::int64_t> runs;

  Table table(const std::string& id, const std::string& axis, const std::string& unit, bool with_runs) {
    Table out(id, id);
    out.add("model", "", std::move(models));
    out.add("cost", "", std::move(costs));
    out.add(axis, "", std::move(at));
    out.add("value", unit, std::move(values));
    if (with_runs) out.add("n", "runs", std::move(runs));
    return out;
  }
};

/// Centre of the fitted line: the mean of the logs on both axes.
std::pair<double, double> centre(const Growth& growth) {
  double x = 0, y = 0;
  for (const Point& point : growth.points) x += std::log(point.at), y += std::log(point.value);
  const auto n = static_cast<double>(growth.points.size());
  return {x / n, y / n};
}

void add_growth(const Growth& growth, const std::string& model, const std::string& cost, Columns& points,
                Columns& line) {
  const auto [x, y] = centre(growth);
  for (const Point& point : growth.points) {
    points.models.push_back(model);
    points.costs.push_back(cost);
    points.at.push_back(point.at);
    points.values.push_back(point.value);
    points.runs.push_back(static_cast<std::int64_t>(point.runs));
    line.models.push_back(model);
    line.costs.push_back(cost);
    line.at.push_back(point.at);
    line.values.push_back(std::exp(y + growth.exponent * (std::log(point.at) - x)));
  }
}

}  // namespace

std::optional<Plot> growth_plot(const StudyView& view, const Asked& asked, const std::vector<SweepResult>& results) {
  const std::vector<std::string> names = sweep_names(results);
  Plot plot;
  Columns points, line;
  std::string unit;
  for (std::size_t m = 0; m < asked.headline; ++m) {
    const auto metric = view.metric(asked.costs[m].metric);
    const std::string own = metric ? std::string(view.study().metrics->unit[*metric].view()) : "";
    // One axis has one unit: costs in another one stand in the tables only.
    if (m == 0) unit = own;
    if (own != unit) continue;
    for (std::size_t s = 0; s < results.size(); ++s) {
      const auto& growth = results[s].costs[m];
      if (!growth) continue;
      add_growth(*growth, names[s], asked.costs[m].name(), points, line);
      for (const Point& point : growth->points) {
        plot.evidence.insert(plot.evidence.end(), point.facts.begin(), point.facts.end());
      }
    }
  }
  if (points.at.empty()) return std::nullopt;
  plot.id = "growth";
  plot.title = "How cost grows along " + asked.axis;
  plot.caption =
      "Both axes are logarithmic, so a power law is a straight line whose slope is the exponent. Points are medians "
      "over the runs of a level, lines are fitted power laws; where points leave their line, one exponent does not "
      "describe the growth.";
  plot.x = {asked.axis, PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.y = {"cost", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.series_title = "model";
  plot.layers.push_back(
      {PlotMark::kLine, line.table("fitted", asked.axis, unit, false), {asked.axis, "value", {}, {}, "model", "cost"}});
  plot.layers.push_back({PlotMark::kPoint,
                         points.table("measured", asked.axis, unit, true),
                         {asked.axis, "value", {}, {}, "model", "cost"}});
  return plot;
}

}  // namespace assay::scaling
