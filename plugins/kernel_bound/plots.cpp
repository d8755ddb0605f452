#include "plots.hpp"

#include <algorithm>
#include <limits>

#include "assay/algo/dims.hpp"
#include "assay/algo/peaks.hpp"
#include "assay/algo/roofline_plot.hpp"
#include "assay/words.hpp"

namespace assay::bound {
namespace {

constexpr std::size_t kMostReports = 12;
constexpr double kNs = 1e9;

void add_points(const StudyView& view, const RunBounds& run, std::vector<roofline::RooflinePoint>& out) {
  const FactTable& facts = *view.study().facts;
  const auto bandwidth = view.value(run.report, "ncu.roof_bytes_per_s");
  view.each_fact(static_cast<Row>(run.report), "ncu.flops", [&](std::size_t fact) {
    const std::string_view dims = facts.dims[fact];
    const double flops = facts.value[fact];
    const auto bytes = view.value(run.report, "ncu.dram_bytes", dims);
    const auto time = view.value(run.report, "ncu.duration_ns", dims);
    const auto share = view.value(run.report, "ncu.roof_ratio", dims);
    if (!bytes || !time || flops <= 0 || *bytes <= 0 || *time <= 0) return;
    // The least time is the longer one, so that memory bounds where it is memory's.
    const bool by_memory = share && bandwidth && kNs * *bytes / *bandwidth >= 0.999 * *share * *time;
    out.push_back({std::string(view.path(run.report)), dim_value(dims, "kernel").value_or(""), "",
                   !share      ? "roof not known"
                   : by_memory ? "memory"
                               : "compute",
                   flops / *bytes, kNs * flops / *time, *time,
                   share.value_or(std::numeric_limits<double>::quiet_NaN())});
  });
}

}  // namespace

std::optional<Plot> kernel_roofline(const StudyView& view, const std::vector<RunBounds>& runs) {
  using roofline::Rate;
  const std::size_t shown = std::min(runs.size(), kMostReports);
  std::vector<roofline::RooflinePoint> points;
  std::vector<roofline::RoofLine> roofs;
  std::vector<std::int64_t> evidence;
  for (std::size_t r = 0; r < shown; ++r) {
    const std::size_t report = runs[r].report;
    add_points(view, runs[r], points);
    evidence.insert(evidence.end(), runs[r].evidence.begin(), runs[r].evidence.end());
    const auto bandwidth = view.value(report, "ncu.roof_bytes_per_s");
    for (const std::string_view type : {roofline::rate_name(Rate::kFp16), roofline::rate_name(Rate::kFp32)}) {
      const auto peak = view.value(report, "ncu.roof_flops_per_s", "type=" + std::string(type));
      if (bandwidth && peak) roofs.push_back({std::string(view.path(report)), std::string(type), *peak, *bandwidth});
    }
  }
  std::optional<Plot> plot = roofline::roofline_plot("kernel", points, roofs);
  if (!plot) return plot;
  plot->id = "kernel_roofline";
  plot->title = "Roofline of kernels by their counters";
  plot->caption =
      "One point per kernel, as Nsight Compute counted it: FLOPs over DRAM bytes, and FLOPs over the duration; its "
      "area "
      "is the duration of a launch. The upper line is the dense peak of fp16 and bf16 at the clock at which it was "
      "counted, the lower one that of fp32 without matrix units, and what rises to them is the bandwidth of DRAM. A "
      "point far below both lines waits. Kernels that compute nothing are not drawn.";
  if (shown < runs.size()) plot->caption += " The first " + counted_of(shown, runs.size(), "profile") + ", by path.";
  plot->evidence = std::move(evidence);
  return plot;
}

}  // namespace assay::bound
