// Finds the value of an ordered label at which a metric jumps, and tests whether the label or the launch-bound state
// explains it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/algo/distributions.hpp"
#include "assay/plot.hpp"
#include "assay/sdk.hpp"
#include "assay/table_rows.hpp"
#include "assay/words.hpp"
#include "rival.hpp"
#include "shape.hpp"
#include "sweep.hpp"
#include "words.hpp"

namespace assay::cliff {
namespace {

/// Scale of the fit: logits if all runs of the stratum are ratios inside 0..1, otherwise logs.
struct FitScale {
  bool logit;
  [[nodiscard]] double to(double value) const { return logit ? std::log(value / (1 - value)) : std::log(value); }
  [[nodiscard]] double from(double fitted) const { return logit ? 1 / (1 + std::exp(-fitted)) : std::exp(fitted); }
};

std::string facet_name(const Sweep& sweep) {
  std::string text;
  for (const auto& [name, value] : sweep.labels) text += filled("{}{} {}", {text.empty() ? "" : ", ", name, value});
  return text.empty() ? "all runs" : text;
}

struct FittedColumns {
  std::vector<std::string> strata, levels;
  std::vector<double> values, lows, highs;

  /// The effect of each level in the mean block, with the confidence band of its mean from the residual spread.
  void add(const Sweep& sweep, const Shape& shape) {
    const auto inside = [](const Observation& run) { return run.value > 0 && run.value < 1; };
    const FitScale scale{std::ranges::all_of(sweep.runs, inside)};
    double offset = 0;
    std::size_t used = 0;
    std::vector<std::size_t> runs(shape.fit.levels.size());
    for (const Observation& run : sweep.runs) {
      const auto at = std::ranges::find(shape.fit.levels, run.level);
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

/// With a score below 1 the device waits for the host.
std::string state_of(const Rival& rival, std::size_t report) {
  const auto at = std::ranges::find_if(rival.runs, [&](const ScoredRun& run) { return run.report == report; });
  return at == rival.runs.end() ? "not known" : at->score < 1 ? "launch-bound" : "not launch-bound";
}

/// Coloured by the rival explanation if there is one, otherwise by block.
PlotLayer run_layer(const StudyView& view, const Names& names, const std::vector<std::string>& block,
                    const std::vector<Sweep>& sweeps, const std::optional<Rival>& rival, const std::string& unit) {
  TableRows<std::string, std::string, std::string> rows;
  std::vector<std::string> states, reports;
  std::vector<double> values;
  for (const Sweep& sweep : sweeps) {
    std::vector<Observation> runs = sweep.runs;
    std::ranges::stable_sort(runs, [](const Observation& a, const Observation& b) { return a.block < b.block; });
    for (const Observation& run : runs) {
      std::string name;
      for (const std::string& label : block) {
        name += filled("{}{} {}", {name.empty() ? "" : ", ", label, std::string(view.label_text(run.report, label))});
      }
      rows.add(facet_name(sweep), sweep.levels[run.level], name.empty() ? "runs" : name);
      if (rival) states.push_back(state_of(*rival, run.report));
      reports.emplace_back(view.path(run.report));
      values.push_back(run.value);
    }
  }
  Table table = rows.table("runs", "Runs", {{"stratum"}, {names.axis}, {"block"}});
  if (rival) table.add("state", "", std::move(states));
  table.add(names.metric, unit, std::move(values));
  table.add("report", "", std::move(reports));
  return {PlotMark::kPoint, std::move(table), {names.axis, names.metric, {}, {}, rival ? "state" : "block", "stratum"}};
}

/// The metric of every run along the axis, one small plot per stratum, with the fitted steps and their 95 % bands.
/// Coloured by launch-bound or not if known.
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

}  // namespace

class ArchitectureCliff {
 public:
  static constexpr std::string_view kSummary = "Finds the label value at which a metric jumps, stratum by stratum.";
  static constexpr OptionSpec kOptions[] = {
      {"metric", OptionType::kMetric, "gpu.kernel_busy_ratio",
       "Metric that is swept; a ratio inside 0..1 or positive."},
      {"axis", OptionType::kLabel, "dim", "Ordered label that is swept."},
      {"strata", OptionType::kLabelList, "patch", "Labels whose values are judged apart."},
      {"block", OptionType::kLabelList, "depth", "Labels that shift the metric and are fitted as blocks."},
      option::number("min_share", "0.8", "Share of the rise that one step must carry to be a cliff.").within(0, 1),
      option::number("k", "3", "Times the residual spread that a step or rise must exceed.").within(0, 1000),
  };
  static constexpr MetricSpec kProduces[] = {
      {"cliff.found", "1", Polarity::kNeutral, "1 if the stratum has a cliff, else 0; dims: the stratum's labels.",
       "whether there is a cliff"},
      {"cliff.step_share", "ratio", Polarity::kNeutral, "Share of the fitted rise that the largest step carries.",
       "share of the rise in the largest step"},
      {"cliff.rise", "1", Polarity::kNeutral,
       "Fitted rise from the lowest to the highest level, on the logit (or log) scale.",
       "rise from the lowest to the highest level"},
      {"cliff.residual_sd", "1", Polarity::kNeutral, "Spread of the runs around the fit, on the same scale.",
       "spread of the runs around the fit"},
      {"cliff.split_errors", "1", Polarity::kLowerIsBetter,
       "Misclassified runs when one threshold predicts which runs are above the metric's widest gap; dims: by=axis and "
       "by=score, at the threshold with the fewest errors, or by=launch_bound, at the score 1.",
       "misclassified runs"},
  };

  /// The rival explanation: device time of one kernel over the time in which the host launches one.
  static constexpr const char *kRivalNumerator = "kernel.time_mean_ns",
                              *kRivalDenominator = "launch.interval_median_ns";

  explicit ArchitectureCliff(const Options& o)
      : names_{std::string(o.metric("metric")),
               std::string(o.label("axis")),
               kRivalNumerator,
               kRivalDenominator,
               {.min_share = o.number("min_share"), .k = o.number("k")}},
        strata_(o.strings("strata")),
        block_(o.strings("block")) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<UnmatchedReport> left_out;
    const std::vector<Sweep> all = sweeps(view, names_.metric, names_.axis, strata_, block_, left_out);
    for (const UnmatchedReport& u : left_out) sink.skip(static_cast<Row>(u.report), u.reason);
    if (all.empty()) return sink.skip(kNone, "no run has " + names_.metric + " and the labels of the sweep");

    Names names = names_;
    names.level = view.level();
    if (const auto metric = view.metric(names.metric)) names.unit = view.study().metrics->unit[*metric].view();
    const std::vector<Shape> shapes = shapes_of(all, names.thresholds, names.level);
    for (std::size_t s = 0; s < all.size(); ++s) emit(all[s], shapes[s], sink);
    const std::string apart = labels_beyond(all, strata_);
    if (!apart.empty())
      sink.skip(kNone,
                filled("the launch-bound state is not compared with {}: runs differ in {}", {names.axis, apart}));
    const auto rival =
        apart.empty() ? rival_of(view, all, names.axis, names.numerator, names.denominator) : std::nullopt;
    sink.finding(answer(names, all, shapes, rival));
    for (std::size_t s = 0; s < all.size(); ++s) sink.finding(stratum_finding(names, all[s], shapes[s]));
    if (rival) {
      sink.fact("cliff.split_errors", static_cast<double>(rival->by_axis.errors), {{"by", "axis"}});
      sink.fact("cliff.split_errors", static_cast<double>(rival->by_score.errors), {{"by", "score"}});
      sink.fact("cliff.split_errors", static_cast<double>(rival->by_launch_bound.errors), {{"by", "launch_bound"}});
      sink.finding(rival_finding(names, all, shapes, *rival));
    }
    sink.plot(sweep_plot(view, names, block_, all, shapes, rival));
    sink.table(level_table(view, names, all));
  }

 private:
  static void emit(const Sweep& sweep, const Shape& shape, StudySink& sink) {
    if (shape.kind == Kind::kUnfit) return;
    const std::vector<Dim> dims = dims_of(sweep.labels);
    sink.fact("cliff.found", shape.kind == Kind::kCliff ? 1 : 0, dims);
    sink.fact("cliff.step_share", shape.share, dims);
    sink.fact("cliff.rise", shape.fit.rise(), dims);
    sink.fact("cliff.residual_sd", shape.fit.residual_sd, dims);
  }

  Names names_;
  std::vector<std::string> strata_, block_;
};

ASSAY_PLUGIN("architecture_cliff", "1.0.0", ArchitectureCliff);

}  // namespace assay::cliff
