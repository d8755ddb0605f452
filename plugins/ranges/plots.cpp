#include "plots.hpp"

#include <algorithm>
#include <string_view>

#include "assay/table_rows.hpp"
#include "assay/words.hpp"

namespace assay::ranges {
namespace {

constexpr std::size_t kMaxReports = 6, kMaxBars = 14;

/// The paths to draw, parents before children, as sorting by path gives.
std::vector<PathFacts> drawn_paths(std::vector<PathFacts> paths) {
  std::ranges::stable_sort(paths, [](const PathFacts& a, const PathFacts& b) { return a.share > b.share; });
  if (paths.size() > kMaxBars) paths.resize(kMaxBars);
  std::ranges::stable_sort(paths, {}, &PathFacts::path);
  return paths;
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// "— decode_{i}" for "request_{i}/decode_{i}"; "— — layer{i} in prefill" if there is another such name at its depth.
std::string bar_name(const PathFacts& path, const std::vector<PathFacts>& all) {
  const auto depth_of = [](std::string_view text) { return std::ranges::count(text, '/'); };
  const auto depth = depth_of(path.path);
  std::string name;
  for (std::ptrdiff_t d = 0; d < depth; ++d) name += "\u2014 ";
  name += last_name(path.path);
  const bool alone = std::ranges::none_of(all, [&](const PathFacts& other) {
    return other.path != path.path && depth_of(other.path) == depth && last_name(other.path) == last_name(path.path);
  });
  if (!alone && depth > 0)
    name += " in " + std::string(last_name(std::string_view(path.path).substr(0, path.path.rfind('/'))));
  return name;
}

}  // namespace

std::optional<Plot> tree_plot(const StudyView& view, const std::vector<ReportPaths>& reports) {
  if (reports.empty()) return std::nullopt;
  TableRows<std::string, std::string, std::string, double> rows;
  Plot plot;
  const std::size_t drawn = std::min(reports.size(), kMaxReports);
  for (std::size_t r = 0; r < drawn; ++r) {
    const std::vector<PathFacts> paths = drawn_paths(reports[r].paths);
    for (const PathFacts& path : paths) {
      const double busy = std::min(1.0, path.busy.value_or(0)) * path.share;
      for (const auto& [part, share] :
           {std::pair("GPU works for it", busy), {path.busy ? "GPU does not" : "not known", path.share - busy}}) {
        rows.add(view.path(reports[r].report), bar_name(path, paths), part, share);
      }
      plot.evidence.push_back(path.evidence);
    }
  }
  plot.id = "tree";
  plot.title = "Ranges, their share of the capture, and what of it the GPU works for them";
  plot.caption =
      "Each bar is one folded path, below the range that it is in; bars of one level add up to at most the "
      "bar above.";
  if (drawn < reports.size())
    plot.caption += " The first " + counted_of(drawn, reports.size(), "profile") + ", by path.";
  plot.x = {"share of the capture", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"range", PlotScale::kLinear, PlotOrder::kGiven, kAxisFree};
  plot.series_title = "device";
  Table table = rows.table("tree", plot.title, {{"report"}, {"range"}, {"device"}, {"share", "ratio"}});
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"share", "range", {}, {}, "device", "report"}});
  return plot;
}

}  // namespace assay::ranges
