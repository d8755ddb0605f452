// How cost and efficiency change with the input resolution, model by model.
#include <cmath>

#include "assay/plot.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "growth.hpp"
#include "parts.hpp"
#include "tables.hpp"
#include "words.hpp"

namespace assay::scaling {
namespace {

/// Growing columns of a layer.
struct Columns {
  std::vector<std::string> models, costs;
  std::vector<double> at, values;
  std::vector<std::int64_t> runs;

  Table table(const std::string& id, const std::string& axis, const std::string& unit, bool with_runs) {
    Table out(id, id);
    out.add("model", "", std::move(models));
    out.add("cost", "", std::move(costs));
    out.add(axis, "", std::move(at));
    out.add("value", unit, std::move(values));
    if (with_runs) out.add("n", "runs", std::move(runs));
    return out;
  }
};

/// Centre of the fitted line: the mean of the logs on both axes.
std::pair<double, double> centre(const Growth& growth) {
  double x = 0, y = 0;
  for (const Point& point : growth.points) {
    x += std::log(point.at);
    y += std::log(point.value);
  }
  const auto n = static_cast<double>(growth.points.size());
  return {x / n, y / n};
}

void add_growth(const Growth& growth, const std::string& model, const std::string& cost, Columns& points,
                Columns& line) {
  const auto [x, y] = centre(growth);
  for (const Point& point : growth.points) {
    points.models.push_back(model);
    points.costs.push_back(cost);
    points.at.push_back(point.at);
    points.values.push_back(point.value);
    points.runs.push_back(static_cast<std::int64_t>(point.runs));
    line.models.push_back(model);
    line.costs.push_back(cost);
    line.at.push_back(point.at);
    line.values.push_back(std::exp(y + growth.exponent * (std::log(point.at) - x)));
  }
}

/// Costs along the axis with the fitted lines, both scales logarithmic, one small plot per cost in the title of the
/// answer; empty if no cost was fitted.
std::optional<Plot> growth_plot(const StudyView& view, const ScalingQuestion& asked,
                                const std::vector<SweepResult>& results) {
  const std::vector<std::string> names = sweep_names(results);
  Plot plot;
  Columns points, line;
  std::string unit;
  for (std::size_t m = 0; m < asked.headline; ++m) {
    const auto metric = view.metric(asked.costs[m].metric);
    const std::string own = metric ? std::string(view.study().metrics->unit[*metric].view()) : "";
    // One axis has one unit: costs in other units are only in the tables.
    if (m == 0) unit = own;
    if (own != unit) continue;
    for (std::size_t s = 0; s < results.size(); ++s) {
      const auto& growth = results[s].costs[m];
      if (!growth) continue;
      add_growth(*growth, names[s], asked.costs[m].name(), points, line);
      for (const Point& point : growth->points) {
        plot.evidence.insert(plot.evidence.end(), point.facts.begin(), point.facts.end());
      }
    }
  }
  if (points.at.empty()) return std::nullopt;
  plot.id = "growth";
  plot.title = "How cost grows along " + asked.axis;
  plot.caption =
      "Both axes are logarithmic, so a power law is a straight line whose slope is the exponent. Points are medians "
      "over the runs of a level, lines are fitted power laws; where points leave their line, one exponent does not "
      "describe the growth.";
  plot.x = {asked.axis, PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.y = {"cost", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.series_title = "model";
  plot.layers.push_back(
      {PlotMark::kLine, line.table("fitted", asked.axis, unit, false), {asked.axis, "value", {}, {}, "model", "cost"}});
  plot.layers.push_back({PlotMark::kPoint,
                         points.table("measured", asked.axis, unit, true),
                         {asked.axis, "value", {}, {}, "model", "cost"}});
  return plot;
}

}  // namespace

class ResolutionScaling {
 public:
  static constexpr std::string_view kSummary =
      "Fits how cost grows with a numeric label, and shows which part grows and whether efficiency is kept.";
  static constexpr OptionSpec kOptions[] = {
      {"axis", OptionType::kLabel, "px", "Numeric label that is swept; everything else is held fixed."},
      {"cost", OptionType::kMetricList, "iteration.gpu_busy_ns, iteration.period_ns",
       "Metrics whose power law along the axis is fitted, besides kernel, attention and copy time per iteration."},
      {"attention", OptionType::kText, "attention", "Class of kernel_breakdown that is attention."},
  };
  static constexpr MetricSpec kProduces[] = {
      {"scaling.exponent", "1", Polarity::kNeutral,
       "Exponent a of metric ~ label^a, least squares on logs, sums of the window taken per iteration; dims: metric, "
       "its own dims and the sweep's labels.",
       "exponent of growth with a label"},
      {"scaling.local_exponent", "1", Polarity::kNeutral,
       "The exponent between two neighbouring levels; dims: metric, its own dims, from, to and the sweep's labels.",
       "exponent of growth between two levels"},
      {"scaling.part_ratio", "ratio", Polarity::kNeutral,
       "Share of copies, attention or other kernels in the summed copy and kernel time of an iteration; dims: part, "
       "level and the sweep's labels.",
       "share of a part in the time"},
  };
  static constexpr Str kConsumes[] = {"kernel.time_sum_ns", "copy.time_sum_ns", "iteration.count", "fingerprint",
                                      "?kernel_class.time_sum_ns"};

  explicit ResolutionScaling(const Options& options) : attention_(options.text("attention")) {
    asked_.axis = options.label("axis");
    for (const char* metric : {"gpu.kernel_busy_ratio", "gpu.busy_ratio"}) asked_.efficiency.push_back({metric});
    for (const std::string& metric : options.strings("cost")) asked_.costs.push_back({metric});
    asked_.headline = asked_.costs.size();
    asked_.costs.push_back({"kernel.time_sum_ns", {}, true});
    asked_.costs.push_back({"kernel_class.time_sum_ns", "class=" + attention_, true});
    asked_.costs.push_back({"copy.time_sum_ns", "direction=h2d", true});
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<UnmatchedReport> left_out;
    const std::vector<SweepResult> results = measure(view, left_out);
    for (const UnmatchedReport& u : left_out) sink.skip(static_cast<Row>(u.report), u.reason);
    if (results.empty()) return sink.skip(kNone, "no profile has a value of the label " + asked_.axis);
    emit_facts(results, sink);
    sink.finding(answer(asked_, results));
    for (const Finding& finding : evidence(asked_, results)) sink.finding(finding);
    if (const auto plot = growth_plot(view, asked_, results)) sink.plot(*plot);
    sink.table(level_table(view, asked_, results));
    if (std::any_of(results.begin(), results.end(), [](const SweepResult& r) { return r.has_growth(); })) {
      sink.table(effects_table(view, asked_, results));
      sink.table(exponent_table(asked_, results));
    }
  }

 private:
  std::vector<SweepResult> measure(const StudyView& view, std::vector<UnmatchedReport>& left_out) const {
    const auto floors_of = [&](const std::vector<Cost>& costs) {
      std::vector<NoiseFloor> out;
      for (const Cost& cost : costs) out.push_back(noise_floor(view, cost.metric, cost.dims, asked_.axis));
      return out;
    };
    const std::vector<NoiseFloor> floors = floors_of(asked_.costs), efficiency_floors = floors_of(asked_.efficiency);
    std::vector<LabelSweep> sweeps = sweeps_along(view, asked_.axis, left_out);
    const auto swept = std::count_if(sweeps.begin(), sweeps.end(), [](const auto& s) { return s.levels.size() > 1; });
    const std::size_t tests = static_cast<std::size_t>(swept) * (floors.size() + efficiency_floors.size());
    const Judging judging{view.level(), shared_level(tests, view.level())};
    std::vector<SweepResult> results;
    for (LabelSweep& sweep : sweeps) {
      SweepResult result;
      result.judging = judging;
      for (std::size_t m = 0; m < asked_.costs.size(); ++m) {
        result.costs.push_back(growth_of(points_of(view, sweep, asked_.costs[m], left_out), floors[m], judging));
      }
      for (std::size_t m = 0; m < asked_.efficiency.size(); ++m) {
        result.efficiency.push_back(points_of(view, sweep, asked_.efficiency[m], left_out));
        result.efficiency_growth.push_back(growth_of(result.efficiency.back(), efficiency_floors[m], judging));
      }
      result.parts = parts_of(view, sweep, attention_);
      result.sweep = std::move(sweep);
      results.push_back(std::move(result));
    }
    return results;
  }

  static std::vector<Dim> dims_of(const LabelSweep& sweep, std::vector<Dim> dims) {
    for (const Dim& label : assay::dims_of(sweep.labels)) dims.push_back(label);
    return dims;
  }

  static std::vector<Dim> cost_dims(const Cost& cost, const LabelSweep& sweep, std::vector<Dim> dims) {
    dims.emplace_back("metric", cost.metric);
    if (const std::size_t equals = cost.dims.find('='); equals != std::string::npos) {
      const std::string_view all = cost.dims;
      dims.emplace_back(all.substr(0, equals), all.substr(equals + 1));
    }
    return dims_of(sweep, std::move(dims));
  }

  void emit_facts(const std::vector<SweepResult>& results, StudySink& sink) const {
    for (const SweepResult& result : results) {
      const auto text = [&](std::size_t level) -> const std::string& { return result.sweep.levels[level].text; };
      for (std::size_t m = 0; m < asked_.costs.size(); ++m) {
        const auto& growth = result.costs[m];
        if (!growth) continue;
        sink.fact("scaling.exponent", growth->exponent, cost_dims(asked_.costs[m], result.sweep, {}));
        for (std::size_t i = 0; i < growth->local.size(); ++i) {
          sink.fact("scaling.local_exponent", growth->local[i],
                    cost_dims(asked_.costs[m], result.sweep,
                              {{"from", text(growth->points[i].level)}, {"to", text(growth->points[i + 1].level)}}));
        }
      }
      for (const LevelParts& at : result.parts.levels) {
        for (const Part part : {kCopies, kAttention, kOtherKernels}) {
          if (part != kCopies && !result.parts.attention_known) continue;
          sink.fact("scaling.part_ratio", at.share(part),
                    dims_of(result.sweep, {{"part", kPartNames[part]}, {"level", text(at.level)}}));
        }
      }
    }
  }

  ScalingQuestion asked_;
  std::string attention_;
};

ASSAY_PLUGIN("resolution_scaling", "1.0.0", ResolutionScaling);

}  // namespace assay::scaling
