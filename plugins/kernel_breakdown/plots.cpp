#include "plots.hpp"

#include <algorithm>
#include <map>

#include "assay/words.hpp"

namespace assay::breakdown {
namespace {

constexpr std::size_t kMostBars = 60;
constexpr std::size_t kMostClasses = 7;
constexpr std::string_view kRest = "other classes";

/// Classes beside the matrix products, largest on average first; those beyond kMostClasses are drawn together.
std::vector<std::string> drawn_classes(const std::vector<RunKernels>& runs) {
  std::map<std::string, double> sums;
  for (const RunKernels& run : runs) {
    for (const auto& [name, share] : run.others) sums[name] += share;
  }
  std::vector<std::string> names;
  for (const auto& [name, sum] : sums) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return sums[a] > sums[b]; });
  if (names.size() > kMostClasses - 1) names.resize(kMostClasses - 2);
  return names;
}

}  // namespace

Plot class_plot(const StudyView& view, const std::vector<RunKernels>& runs, const std::string& matmul) {
  const std::vector<std::string> classes = drawn_classes(runs);
  std::vector<std::string> reports, names;
  std::vector<double> shares;
  Plot plot;
  const auto add = [&](const RunKernels& run, std::string name, double share) {
    reports.emplace_back(view.path(run.report));
    names.push_back(std::move(name));
    shares.push_back(share);
  };
  const std::size_t drawn = std::min(runs.size(), kMostBars);
  for (std::size_t r = 0; r < drawn; ++r) {
    const RunKernels& run = runs[r];
    add(run, matmul, run.product_share);
    if (run.product_fact != kNone) plot.evidence.push_back(run.product_fact);
    double rest = 0;
    for (const std::string& name : classes) {
      const auto at =
          std::find_if(run.others.begin(), run.others.end(), [&](const auto& o) { return o.first == name; });
      add(run, name, at == run.others.end() ? 0 : at->second);
    }
    for (const auto& [name, share] : run.others) {
      if (std::find(classes.begin(), classes.end(), name) == classes.end()) rest += share;
    }
    if (rest > 0) add(run, std::string(kRest), rest);
  }
  plot.id = "classes";
  plot.title = "Kernel time by class";
  plot.caption = "Each bar is the summed kernel time of one profile, split by what the kernels do.";
  if (drawn < runs.size()) plot.caption += " The first " + counted_of(drawn, runs.size(), "profile") + ", by path.";
  plot.x = {"share of kernel time", PlotScale::kLinear, PlotOrder::kGiven, kAxisShares};
  plot.y = {"report", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "class";
  Table table("shares", plot.title);
  table.add("report", "", std::move(reports));
  table.add("class", "", std::move(names));
  table.add("share", "ratio", std::move(shares));
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"share", "report", {}, {}, "class", {}}});
  return plot;
}

}  // namespace assay::breakdown
