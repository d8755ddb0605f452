#include "assay/ratio_plot.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "assay/words.hpp"

namespace assay {

RatioPlot::RatioPlot(std::string id, std::string title, std::string ratio, std::string row_title,
                     std::string series_title) {
  plot_.id = std::move(id);
  plot_.title = std::move(title);
  plot_.x = {std::move(ratio), PlotScale::kLog, PlotOrder::kGiven, kAxisFree};
  plot_.y = {std::move(row_title), PlotScale::kLinear, PlotOrder::kAscending, kAxisFree};
  plot_.series_title = std::move(series_title);
  plot_.references.push_back({1, 1, "no difference"});
}

void RatioPlot::add(std::string metric, std::string row, std::string series, const Effect& effect,
                    const std::vector<std::int64_t>& evidence) {
  if (!(effect.value > 0)) return;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const bool known = interval_tells(effect.lo, effect.hi);
  metrics_.push_back(std::move(metric));
  rows_.push_back(std::move(row));
  series_.push_back(std::move(series));
  ratios_.push_back(effect.value);
  lows_.push_back(known ? effect.lo : none);
  highs_.push_back(known ? effect.hi : none);
  runs_.push_back(effect.n);
  plot_.evidence.insert(plot_.evidence.end(), evidence.begin(), evidence.end());
}

void RatioPlot::shade(const std::string& metric, const NoiseFloor& floor) {
  if (!floor.known() || !shaded_.insert(metric).second) return;
  plot_.references.push_back(
      {1 / floor.largest_ratio, floor.largest_ratio, "largest difference between repeat runs", false, metric});
}

Plot RatioPlot::build(const std::string& caption) {
  plot_.caption = caption +
                  " Dots are ratios and lines their intervals; the dashed line means no difference, and the shade is "
                  "how much repeat runs differ. An interval that crosses the dashed line, or a dot inside the shade, "
                  "shows no effect; a dot without a line decides nothing: it has no repeat runs, or "
                  "so few that the ends of its interval are more than a factor of 10 apart.";
  Table table("ratios", plot_.title);
  table.add("metric", "", std::move(metrics_));
  table.add("row", "", std::move(rows_));
  table.add("series", "", std::move(series_));
  table.add("ratio", "ratio", std::move(ratios_));
  table.add("low", "ratio", std::move(lows_));
  table.add("high", "ratio", std::move(highs_));
  table.add("n", "runs", std::move(runs_));
  plot_.layers.push_back({PlotMark::kPoint, std::move(table), {"ratio", "row", "low", "high", "series", "metric"}});
  return std::move(plot_);
}

}  // namespace assay
