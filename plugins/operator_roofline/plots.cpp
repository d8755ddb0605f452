#include "plots.hpp"

#include <algorithm>
#include <map>

#include "assay/algo/dims.hpp"
#include "assay/algo/peaks.hpp"
#include "assay/words.hpp"

namespace assay::roofline {
namespace {

constexpr std::size_t kMostReports = 12;

struct Drawn {
  std::string report, name, shapes, bound;
  double intensity, rate, time, roof;
};

struct Corner {
  std::string report;
  double intensity, rate;
};

std::vector<Drawn> drawn_points(const StudyView& view, const RunRoofline& run) {
  std::vector<Drawn> out;
  const double bandwidth = view.value(run.report, "peak.bytes_per_s").value_or(0);
  for (const Point& point : run.points) {
    if (point.flops <= 0 || point.bytes <= 0 || point.time <= 0) continue;
    const double intensity = point.flops / point.bytes, rate = 1e9 * point.flops * point.count / point.time;
    const double memory_time = bandwidth > 0 ? 1e9 * point.bytes * point.count / bandwidth : 0;
    const double least = point.roof * point.time;
    // The least time is the longer one, so that memory bounds where it is memory's.
    const bool by_memory = memory_time > 0 && memory_time >= 0.999 * least;
    out.push_back({std::string(view.path(run.report)), point.name, point.shapes,
                   point.roof <= 0 ? "roof not known"
                   : by_memory     ? "memory"
                                   : "compute",
                   intensity, rate, point.time, point.roof});
  }
  return out;
}

/// The roof of one type over the intensities that are drawn: along the bandwidth to the peak, then flat.
void add_roof(const StudyView& view, const RunRoofline& run, std::string_view type, double from, double to,
              std::vector<Corner>& corners) {
  const auto bandwidth = view.value(run.report, "peak.bytes_per_s");
  const auto peak = view.value(run.report, "peak.flops_per_s", "type=" + std::string(type));
  if (!bandwidth || !peak) return;
  const std::string report(view.path(run.report));
  const double ridge = *peak / *bandwidth;
  if (from < ridge) corners.push_back({report, from, from * *bandwidth});
  if (from < ridge && ridge < to) corners.push_back({report, ridge, *peak});
  corners.push_back({report, to, to < ridge ? to * *bandwidth : *peak});
  if (from >= ridge) corners.push_back({report, from, *peak});
}

}  // namespace

std::optional<Plot> roofline_plot(const StudyView& view, const std::vector<RunRoofline>& runs) {
  const std::size_t shown = std::min(runs.size(), kMostReports);
  std::vector<Drawn> points;
  Plot plot;
  for (std::size_t r = 0; r < shown; ++r) {
    for (Drawn& point : drawn_points(view, runs[r])) points.push_back(std::move(point));
    plot.evidence.insert(plot.evidence.end(), runs[r].evidence.begin(), runs[r].evidence.end());
  }
  if (points.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(
      points.begin(), points.end(), [](const Drawn& a, const Drawn& b) { return a.intensity < b.intensity; });
  plot.id = "roofline";
  plot.title = "Roofline of operators";
  plot.caption =
      "One point per operator with its shapes; its area is its GPU time. The upper line is the dense peak of fp16 and "
      "bf16, the lower one that of fp32 without matrix units, and what rises to them is the bandwidth of memory. A "
      "point far below the line has much to gain; one above it read operands from caches. Copies compute nothing and "
      "are not drawn.";
  if (shown < runs.size()) plot.caption += " The first " + counted_of(shown, runs.size(), "profile") + ", by path.";
  plot.x = {"arithmetic intensity", PlotScale::kLog};
  plot.y = {"rate", PlotScale::kLog};
  plot.series_title = "bound by";
  Table table("operators", plot.title);
  table.column("operator", "", points, &Drawn::name)
      .column("shapes", "", points, &Drawn::shapes)
      .column("intensity", "FLOP/byte", points, &Drawn::intensity)
      .column("rate", "FLOP/s", points, &Drawn::rate)
      .column("GPU time", "ns", points, &Drawn::time)
      .column("of its roof", "ratio", points, &Drawn::roof)
      .column("bound", "", points, &Drawn::bound)
      .column("report", "", points, &Drawn::report);
  plot.layers.push_back(
      {PlotMark::kPoint, std::move(table), {"intensity", "rate", {}, {}, "bound", "report", "GPU time"}});
  for (const std::string_view type : {rate_name(Rate::kFp16), rate_name(Rate::kFp32)}) {
    std::vector<Corner> corners;
    for (std::size_t r = 0; r < shown; ++r)
      add_roof(view, runs[r], type, least->intensity / 2, most->intensity * 2, corners);
    if (corners.empty()) continue;
    Table roof("roof_" + std::string(type), "Roof of " + std::string(type));
    roof.column("intensity", "FLOP/byte", corners, &Corner::intensity)
        .column("rate", "FLOP/s", corners, &Corner::rate)
        .column("report", "", corners, &Corner::report);
    plot.layers.push_back({PlotMark::kLine, std::move(roof), {"intensity", "rate", {}, {}, {}, "report"}});
  }
  return plot;
}

}  // namespace assay::roofline
