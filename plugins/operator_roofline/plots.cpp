#include "plots.hpp"

#include <algorithm>
#include <limits>

#include "assay/algo/dims.hpp"
#include "assay/algo/peaks.hpp"
#include "assay/algo/roofline_plot.hpp"
#include "assay/words.hpp"

namespace assay::roofline {
namespace {

constexpr std::size_t kMostReports = 12;

void add_points(const StudyView& view, const RunRoofline& run, std::vector<RooflinePoint>& out) {
  const double bandwidth = view.value(run.report, "peak.bytes_per_s").value_or(0);
  for (const Point& point : run.points) {
    if (!point.flops || !point.bytes || *point.flops <= 0 || *point.bytes <= 0 || point.time <= 0) continue;
    const double rate = 1e9 * *point.flops * point.count / point.time;
    const double memory_time = bandwidth > 0 ? 1e9 * *point.bytes * point.count / bandwidth : 0;
    // The least time is the longer one, so that memory bounds where it is memory's.
    const bool by_memory = point.roof && memory_time >= 0.999 * *point.roof * point.time;
    out.push_back({std::string(view.path(run.report)), point.name, point.shapes,
                   !point.roof ? "roof not known"
                   : by_memory ? "memory"
                               : "compute",
                   *point.flops / *point.bytes, rate, point.time,
                   point.roof.value_or(std::numeric_limits<double>::quiet_NaN())});
  }
}

}  // namespace

std::optional<Plot> roofline_plot(const StudyView& view, const std::vector<RunRoofline>& runs) {
  const std::size_t shown = std::min(runs.size(), kMostReports);
  std::vector<RooflinePoint> points;
  std::vector<RoofLine> roofs;
  std::vector<std::int64_t> evidence;
  for (std::size_t r = 0; r < shown; ++r) {
    add_points(view, runs[r], points);
    evidence.insert(evidence.end(), runs[r].evidence.begin(), runs[r].evidence.end());
    const auto bandwidth = view.value(runs[r].report, "peak.bytes_per_s");
    for (const std::string_view type : {rate_name(Rate::kFp16), rate_name(Rate::kFp32)}) {
      const auto peak = view.value(runs[r].report, "peak.flops_per_s", "type=" + std::string(type));
      if (bandwidth && peak)
        roofs.push_back({std::string(view.path(runs[r].report)), std::string(type), *peak, *bandwidth});
    }
  }
  std::optional<Plot> plot = roofline_plot("operator", points, roofs);
  if (!plot) return plot;
  plot->id = "roofline";
  plot->title = "Roofline of operators";
  plot->caption =
      "One point per operator with its shapes; its area is its GPU time. The upper line is the dense peak of fp16 and "
      "bf16, the lower one that of fp32 without matrix units, and what rises to them is the bandwidth of memory. A "
      "point far below the line has much to gain; one above it read operands from caches. Copies compute nothing and "
      "are not drawn.";
  if (shown < runs.size()) plot->caption += " The first " + counted_of(shown, runs.size(), "profile") + ", by path.";
  plot->evidence = std::move(evidence);
  return plot;
}

}  // namespace assay::roofline
