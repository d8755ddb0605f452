#include "words.hpp"

#include <algorithm>

#include "assay/algo/dims.hpp"
#include "assay/words.hpp"

namespace assay::ranges {
namespace {

constexpr std::size_t kMaxFindings = 5;

/// The largest path without a child that takes nearly as much: "request_{i}/decode_{i}" rather than "main".
const PathFacts& telling_path(const std::vector<PathFacts>& paths) {
  constexpr double kNearly = 0.8;
  const PathFacts* best = &*std::ranges::max_element(paths, {}, &PathFacts::share);
  while (true) {
    const PathFacts* inner = nullptr;
    for (const PathFacts& path : paths) {
      const bool below = path.path.starts_with(best->path + "/") && path.share >= kNearly * best->share;
      if (below && (inner == nullptr || path.path.size() < inner->path.size())) inner = &path;
    }
    if (inner == nullptr) return *best;
    best = inner;
  }
}

}  // namespace

std::vector<ReportPaths> paths_of(const StudyView& view) {
  std::vector<ReportPaths> reports;
  for (const std::size_t r : view.participants()) {
    ReportPaths one{r, {}};
    const auto row = static_cast<Row>(r);
    view.each_fact(row, "range.host_ns", [&](std::size_t fact) {
      const std::string_view dims = view.study().facts->dims[fact].view();
      const auto path = dim_value(dims, "path");
      if (!path) return;
      one.paths.push_back({*path, view.value(row, "range.capture_ratio", dims).value_or(0),
                           view.value(row, "range.busy_ratio", dims), view.study().facts->value[fact],
                           view.value(row, "range.count", dims).value_or(0), static_cast<std::int64_t>(fact)});
    });
    if (!one.paths.empty()) reports.push_back(std::move(one));
  }
  return reports;
}

std::vector<Finding> findings(const StudyView& view, const std::vector<ReportPaths>& reports) {
  std::vector<Finding> out;
  for (const ReportPaths& report : reports) {
    if (out.size() == kMaxFindings) break;
    const PathFacts& path = telling_path(report.paths);
    Finding f;
    f.title = filled("{}'{}' takes {} of the capture: {} x {} (median){}",
                     {reports.size() > 1 ? std::string(view.path(report.report)) + ": " : std::string(), path.path,
                      percent(path.share, 0), printed("%.0f", path.count), time_text(path.median),
                      path.busy ? ", the GPU works for it " + percent(*path.busy, 0) + " of that" : std::string()});
    f.text = "Work is counted where it was launched; the table of ranges has every path.";
    f.evidence = {path.evidence};
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace assay::ranges
