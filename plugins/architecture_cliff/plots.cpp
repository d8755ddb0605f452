#include "plots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/algo/distributions.hpp"

namespace assay::cliff {
namespace {

/// The scale of the fit: logits where all runs of the stratum are ratios inside 0..1, else logs.
struct FitScale {
  bool logit;
  [[nodiscard]] double to(double value) const { return logit ? std::log(value / (1 - value)) : std::log(value); }
  [[nodiscard]] double from(double fitted) const { return logit ? 1 / (1 + std::exp(-fitted)) : std::exp(fitted); }
};

std::string facet_name(const Sweep& sweep) {
  std::string text;
  for (const auto& [name, value] : sweep.labels) text += (text.empty() ? "" : ", ") + name + " " + value;
  return text.empty() ? "all runs" : text;
}

struct FittedColumns {
  std::vector<std::string> strata, levels;
  std::vector<double> values, lows, highs;

  /// The level's effect in the mean block, with the band of the mean of its runs by the residual spread.
  void add(const Sweep& sweep, const Shape& shape) {
    const auto inside = [](const Observation& run) { return run.value > 0 && run.value < 1; };
    const FitScale scale{std::all_of(sweep.runs.begin(), sweep.runs.end(), inside)};
    double offset = 0;
    std::size_t used = 0;
    std::vector<std::size_t> runs(shape.fit.levels.size());
    for (const Observation& run : sweep.runs) {
      const auto at = std::find(shape.fit.levels.begin(), shape.fit.levels.end(), run.level);
      if (at == shape.fit.levels.end()) continue;
      const auto l = static_cast<std::size_t>(at - shape.fit.levels.begin());
      offset += scale.to(run.value) - shape.fit.effect[l];
      ++runs[l];
      ++used;
    }
    const bool spread = shape.fit.degrees > 0;
    const double t = spread ? student_t_quantile(0.975, static_cast<double>(shape.fit.degrees)) : 0;
    for (std::size_t l = 0; l < shape.fit.levels.size(); ++l) {
      const double fitted = shape.fit.effect[l] + offset / static_cast<double>(used);
      const double half = spread ? t * shape.fit.residual_sd / std::sqrt(static_cast<double>(runs[l]))
                                 : std::numeric_limits<double>::quiet_NaN();
      strata.push_back(facet_name(sweep));
      levels.push_back(sweep.levels[shape.fit.levels[l]]);
      values.push_back(scale.from(fitted));
      lows.push_back(scale.from(fitted - half));
      highs.push_back(scale.from(fitted + half));
    }
  }
};

/// Below a score of 1 the device waits for the host.
std::string state_of(const Rival& rival, std::size_t report) {
  const auto at =
      std::find_if(rival.runs.begin(), rival.runs.end(), [&](const Scored& run) { return run.report == report; });
  return at == rival.runs.end() ? "not known" : at->score < 1 ? "launch-bound" : "not launch-bound";
}

/// Coloured by the rival explanation where there is one, else by block.
PlotLayer run_layer(const StudyView& view, const Names& names, const std::vector<std::string>& block,
                    const std::vector<Sweep>& sweeps, const std::optional<Rival>& rival, const std::string& unit) {
  std::vector<std::string> strata, levels, series, states, reports;
  std::vector<double> values;
  for (const Sweep& sweep : sweeps) {
    std::vector<Observation> runs = sweep.runs;
    std::stable_sort(runs.begin(), runs.end(),
                     [](const Observation& a, const Observation& b) { return a.block < b.block; });
    for (const Observation& run : runs) {
      std::string name;
      for (const std::string& label : block) {
        name += (name.empty() ? "" : ", ") + label + " " + std::string(view.label_text(run.report, label));
      }
      strata.push_back(facet_name(sweep));
      levels.push_back(sweep.levels[run.level]);
      series.push_back(name.empty() ? "runs" : name);
      if (rival) states.push_back(state_of(*rival, run.report));
      reports.emplace_back(view.path(run.report));
      values.push_back(run.value);
    }
  }
  Table table("runs", "Runs");
  table.add("stratum", "", std::move(strata));
  table.add(names.axis, "", std::move(levels));
  table.add("block", "", std::move(series));
  if (rival) table.add("state", "", std::move(states));
  table.add(names.metric, unit, std::move(values));
  table.add("report", "", std::move(reports));
  return {PlotMark::kPoint, std::move(table), {names.axis, names.metric, {}, {}, rival ? "state" : "block", "stratum"}};
}

}  // namespace

Plot sweep_plot(const StudyView& view, const Names& names, const std::vector<std::string>& block,
                const std::vector<Sweep>& sweeps, const std::vector<Shape>& shapes, const std::optional<Rival>& rival) {
  const auto metric = view.metric(names.metric);
  const std::string unit = metric ? std::string(view.study().metrics->unit[*metric].view()) : "";
  Plot plot;
  plot.id = "sweep";
  plot.title = names.metric + " along " + names.axis;
  plot.caption =
      "Points are runs; steps are the fitted levels of the mean block, the shade is the 95 % band of a level's mean "
      "from the spread around the fit. In a cliff, one step carries most of the rise; a gradual rise is spread over "
      "several.";
  if (rival) {
    plot.caption +=
        " Colours show the rival explanation: the kernels of a launch-bound run are shorter than the host's time per "
        "launch.";
  }
  plot.x = {names.axis, PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.y = {names.metric, PlotScale::kLinear, PlotOrder::kGiven,
            kAxisZero | (unit == "ratio" ? static_cast<std::uint32_t>(kAxisShares) : 0U)};
  FittedColumns fitted;
  for (std::size_t s = 0; s < sweeps.size(); ++s) {
    if (shapes[s].kind != Kind::kUnfit) fitted.add(sweeps[s], shapes[s]);
    for (const Observation& run : sweeps[s].runs) plot.evidence.push_back(run.fact);
  }
  plot.layers.push_back(run_layer(view, names, block, sweeps, rival, unit));
  if (fitted.values.empty()) return plot;
  Table table("fit", "Fitted levels");
  table.add("stratum", "", std::move(fitted.strata));
  table.add(names.axis, "", std::move(fitted.levels));
  table.add(names.metric, unit, std::move(fitted.values));
  table.add("low", unit, std::move(fitted.lows));
  table.add("high", unit, std::move(fitted.highs));
  plot.layers.push_back({PlotMark::kStep, std::move(table), {names.axis, names.metric, "low", "high", {}, "stratum"}});
  return plot;
}

}  // namespace assay::cliff
