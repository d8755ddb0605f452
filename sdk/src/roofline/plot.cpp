#include <algorithm>

#include "assay/algo/roofline_plot.hpp"

namespace assay::roofline {
namespace {

struct Corner {
  std::string report;
  double intensity, rate;
};

/// The corners of a roof within the drawn range of intensities.
void add_corners(const RoofLine& roof, double from, double to, std::vector<Corner>& corners) {
  const double ridge = roof.flops_per_s / roof.bytes_per_s;
  const auto rate = [&](double intensity) { return std::min(intensity * roof.bytes_per_s, roof.flops_per_s); };
  corners.push_back({roof.report, from, rate(from)});
  if (from < ridge && ridge < to) corners.push_back({roof.report, ridge, roof.flops_per_s});
  corners.push_back({roof.report, to, rate(to)});
}

}  // namespace

std::optional<Plot> roofline_plot(const std::string& what, const std::vector<RooflinePoint>& given,
                                  const std::vector<RoofLine>& roofs) {
  if (given.empty()) return std::nullopt;
  // Colours follow the order of the series, so they are the same in every roofline.
  std::vector<RooflinePoint> points = given;
  std::stable_partition(points.begin(), points.end(), [](const RooflinePoint& p) { return p.bound == "memory"; });
  const auto [least, most] =
      std::minmax_element(points.begin(), points.end(),
                          [](const RooflinePoint& a, const RooflinePoint& b) { return a.intensity < b.intensity; });
  Plot plot;
  plot.x = {"arithmetic intensity", PlotScale::kLog};
  plot.y = {"rate", PlotScale::kLog};
  plot.series_title = "bound by";
  Table table(what + "s", "Roofline of " + what + "s");
  table.column(what, "", points, &RooflinePoint::name);
  const bool shapes = std::any_of(points.begin(), points.end(), [](const auto& p) { return !p.shapes.empty(); });
  if (shapes) table.column("shapes", "", points, &RooflinePoint::shapes);
  table.column("intensity", "FLOP/byte", points, &RooflinePoint::intensity)
      .column("rate", "FLOP/s", points, &RooflinePoint::rate)
      .column("GPU time", "ns", points, &RooflinePoint::time)
      .column("of its roof", "ratio", points, &RooflinePoint::share)
      .column("bound", "", points, &RooflinePoint::bound)
      .column("report", "", points, &RooflinePoint::report);
  plot.layers.push_back(
      {PlotMark::kPoint, std::move(table), {"intensity", "rate", {}, {}, "bound", "report", "GPU time"}});
  std::vector<std::string> types;
  for (const RoofLine& roof : roofs)
    if (std::find(types.begin(), types.end(), roof.type) == types.end()) types.push_back(roof.type);
  for (const std::string& type : types) {
    std::vector<Corner> corners;
    for (const RoofLine& roof : roofs)
      if (roof.type == type) add_corners(roof, least->intensity / 2, most->intensity * 2, corners);
    Table line("roof_" + type, "Roof of " + type);
    line.column("intensity", "FLOP/byte", corners, &Corner::intensity)
        .column("rate", "FLOP/s", corners, &Corner::rate)
        .column("report", "", corners, &Corner::report);
    plot.layers.push_back({PlotMark::kLine, std::move(line), {"intensity", "rate", {}, {}, {}, "report"}});
  }
  return plot;
}

}  // namespace assay::roofline
