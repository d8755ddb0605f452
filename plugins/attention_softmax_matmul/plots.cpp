#include "plots.hpp"

namespace assay::attention {

std::optional<Plot> share_plot(const StudyView& view, const std::vector<RunAttention>& runs) {
  Plot plot;
  std::vector<std::string> reports, measures, parts;
  std::vector<double> shares;
  for (const RunAttention& run : runs) {
    if (!run.separated() || !run.shape.shape.known()) continue;
    double time = 0, operations = 0;
    for (std::size_t p = 0; p < kSeparateParts; ++p) {
      time += run.parts[p].gpu;
      operations += flops(run.shape.shape, static_cast<Part>(p));
      if (run.parts[p].evidence) plot.evidence.push_back(*run.parts[p].evidence);
    }
    for (std::size_t p = 0; p < kSeparateParts && time > 0; ++p) {
      for (const bool of_time : {true, false}) {
        reports.emplace_back(view.path(run.report));
        measures.emplace_back(of_time ? "GPU time" : "operations");
        parts.emplace_back(kPartNames[p]);
        shares.push_back(of_time ? run.parts[p].gpu / time : flops(run.shape.shape, static_cast<Part>(p)) / operations);
      }
    }
  }
  if (shares.empty()) return std::nullopt;
  plot.id = "shares";
  plot.title = "Parts of attention: GPU time against operations";
  plot.caption =
      "A part whose share of the time is larger than its share of the operations is not limited by arithmetic: it "
      "waits for memory or for launches. Operations are computed from the shape of the layer.";
  plot.x = {"share of the three parts", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"share of", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "part";
  Table table("shares", plot.title);
  table.add("report", "", std::move(reports));
  table.add("of", "", std::move(measures));
  table.add("part", "", std::move(parts));
  table.add("share", "ratio", std::move(shares));
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"share", "of", {}, {}, "part", "report"}});
  return plot;
}

}  // namespace assay::attention
