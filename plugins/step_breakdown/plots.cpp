#include "plots.hpp"

#include <algorithm>

#include "assay/words.hpp"

namespace assay::step {

Plot split_plot(const StudyView& view, const std::vector<Run>& runs) {
  constexpr std::size_t kMostBars = 60;
  const std::size_t drawn = std::min(runs.size(), kMostBars);
  std::vector<std::string> reports, categories;
  std::vector<double> shares, times;
  Plot plot;
  for (std::size_t r = 0; r < drawn; ++r) {
    const Run& run = runs[r];
    for (std::size_t c = 0; c < kCategories; ++c) {
      reports.emplace_back(view.path(run.report));
      categories.emplace_back(kCategoryTitles[c]);
      shares.push_back(run.shares[c]);
      times.push_back(run.shares[c] * run.step_ns);
    }
    plot.evidence.insert(plot.evidence.end(), run.facts.begin(), run.facts.end());
  }
  plot.id = "split";
  plot.title = "Where a step goes";
  plot.caption =
      "Each bar is the mean step of one profile; each instant counts only for the first category, in the order of the "
      "legend, that covers it.";
  if (drawn < runs.size()) plot.caption += " The first " + counted_of(drawn, runs.size(), "profile") + ", by path.";
  plot.x = {"share of a step", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"report", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "category";
  Table table("split", plot.title);
  table.add("report", "", std::move(reports));
  table.add("category", "", std::move(categories));
  table.add("share", "ratio", std::move(shares));
  table.add("time", "ns", std::move(times));
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"share", "report", {}, {}, "category", {}}});
  return plot;
}

}  // namespace assay::step
