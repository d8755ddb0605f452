#include "tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/quantity.hpp"
#include "assay/words.hpp"

namespace assay::scaling {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double value_at(const std::vector<Point>& points, std::size_t level) {
  for (const Point& p : points) {
    if (p.level == level) return p.value;
  }
  return kNothing;
}

double share_at(const Parts& parts, Part part, std::size_t level) {
  for (const LevelParts& at : parts.levels) {
    if (at.level == level && (part == kCopies || parts.attention_known)) return at.share(part);
  }
  return kNothing;
}

std::string_view direction_word(Direction direction) {
  switch (direction) {
    case Direction::kGrows:
      return "grows";
    case Direction::kShrinks:
      return "shrinks";
    case Direction::kOpen:
      break;
  }
  return "inconclusive";
}

std::string_view line_word(const Growth& growth) {
  if (growth.points.size() == 2) return "two levels";
  if (!growth.between_run()) return "not known";
  return growth.bent ? "does not fit" : "fits within the noise";
}

/// A metric over all models that have it at two levels.
struct GrowthRow {
  const Cost* cost;
  Bounds base = nothing(), treated = nothing(), ratio = nothing(), interval = nothing();
  std::size_t models = 0, grows = 0, shrinks = 0;

  static Bounds nothing() {
    return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  }
  static void include(Bounds& bounds, double value) {
    bounds.lo = std::min(bounds.lo, value);
    bounds.hi = std::max(bounds.hi, value);
  }
  void add(const Growth& growth) {
    const Point &first = growth.points.front(), &last = growth.points.back();
    const double stretch = last.at / first.at;
    ++models;
    grows += direction_of(growth) == Direction::kGrows ? 1U : 0U;
    shrinks += direction_of(growth) == Direction::kShrinks ? 1U : 0U;
    include(base, first.value);
    include(treated, last.value);
    include(ratio, last.value / first.value);
    if (!growth.between_run()) return;
    include(interval, std::pow(stretch, growth.by_noise.lo));
    include(interval, std::pow(stretch, growth.by_noise.hi));
  }
  [[nodiscard]] std::string verdict() const {
    std::vector<std::string> parts;
    if (grows > 0) parts.push_back(std::to_string(grows) + " higher");
    if (shrinks > 0) parts.push_back(std::to_string(shrinks) + " lower");
    if (grows + shrinks < models) parts.push_back(std::to_string(models - grows - shrinks) + " inconclusive");
    return parts.size() > 1 || models == 1 ? listed(parts) : "all " + listed(parts);
  }
};

/// "256 -> 2048", or "256 -> 512 to 2048" if sweeps end at different levels.
std::string ends_text(const std::vector<SweepResult>& results) {
  std::vector<const SweepLevel*> first, last;
  for (const SweepResult& result : results) {
    if (result.sweep.levels.size() < 2) continue;
    first.push_back(&result.sweep.levels.front());
    last.push_back(&result.sweep.levels.back());
  }
  const auto range = [](const std::vector<const SweepLevel*>& levels) {
    const auto [low, high] = std::minmax_element(
        levels.begin(), levels.end(), [](const SweepLevel* a, const SweepLevel* b) { return a->order < b->order; });
    return (*low)->text == (*high)->text ? (*low)->text : (*low)->text + " to " + (*high)->text;
  };
  return first.empty() ? "" : range(first) + " -> " + range(last);
}

}  // namespace

Table effects_table(const StudyView& view, const ScalingQuestion& asked, const std::vector<SweepResult>& results) {
  std::vector<GrowthRow> rows;
  const auto add = [&](const Cost& cost, auto growth_of_sweep) {
    GrowthRow line{&cost};
    for (const SweepResult& result : results) {
      if (const auto& growth = growth_of_sweep(result)) line.add(*growth);
    }
    if (line.models > 0) rows.push_back(line);
  };
  for (std::size_t m = 0; m < asked.headline; ++m)
    add(asked.costs[m], [m](const SweepResult& result) -> const auto& { return result.costs[m]; });
  for (std::size_t m = 0; m < asked.efficiency.size(); ++m)
    add(asked.efficiency[m], [m](const SweepResult& result) -> const auto& { return result.efficiency_growth[m]; });
  const auto values = [&](const GrowthRow& row, const Bounds& of) {
    const auto metric = view.metric(row.cost->metric);
    if (metric && view.study().metrics->unit[*metric].view() == "ratio" && of.hi <= 1)
      return quantity_range(100 * of.lo, 100 * of.hi, "%");
    return quantity_range(of.lo, of.hi, metric ? view.study().metrics->unit[*metric].view() : std::string_view());
  };
  const std::string ends = ends_text(results);
  Table table("effects", "What changed from the lowest to the highest " + asked.axis);
  table.column("what", "", rows, [](const GrowthRow& r) { return r.cost->name(); })
      .column(asked.axis, "", rows, [&](const GrowthRow&) { return ends; })
      .column("base", "", rows, [&](const GrowthRow& r) { return values(r, r.base); })
      .column("treated", "", rows, [&](const GrowthRow& r) { return values(r, r.treated); })
      .column("ratio", "", rows, [](const GrowthRow& r) { return "× " + low_to_high(r.ratio.lo, r.ratio.hi, 3); })
      .column("interval", "", rows,
              [](const GrowthRow& r) {
                return r.interval.lo < r.interval.hi
                           ? filled("[{}, {}]", {printed("%.3f", r.interval.lo), printed("%.3f", r.interval.hi)})
                           : std::string("none");
              })
      .column("models", "1", rows, [](const GrowthRow& r) { return static_cast<std::int64_t>(r.models); })
      .column("verdict", "", rows, [](const GrowthRow& r) { return r.verdict(); });
  return table;
}

Table level_table(const StudyView& view, const ScalingQuestion& asked, const std::vector<SweepResult>& results) {
  std::vector<Cost> metrics = asked.efficiency;
  metrics.insert(metrics.end(), asked.costs.begin(), asked.costs.end());
  const std::vector<std::string> sweeps = sweep_names(results);
  std::vector<std::string> models, levels;
  std::vector<std::vector<double>> values(metrics.size()), shares(kPartNames.size());
  for (std::size_t s = 0; s < results.size(); ++s) {
    const LabelSweep& sweep = results[s].sweep;
    std::vector<std::vector<Point>> points;
    std::vector<UnmatchedReport> said;  // where the growth was measured
    for (const Cost& metric : metrics) points.push_back(points_of(view, sweep, metric, said));
    for (std::size_t l = 0; l < sweep.levels.size(); ++l) {
      models.push_back(sweeps[s]);
      levels.push_back(sweep.levels[l].text);
      for (std::size_t m = 0; m < metrics.size(); ++m) values[m].push_back(value_at(points[m], l));
      for (const Part part : {kCopies, kAttention, kOtherKernels}) {
        shares[part].push_back(share_at(results[s].parts, part, l));
      }
    }
  }
  Table table("levels", "By model and " + asked.axis);
  table.add("model", "", std::move(models));
  table.add(asked.axis, "", std::move(levels));
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const auto row = view.metric(metrics[m].metric);
    table.add(metrics[m].name(), row ? std::string(view.study().metrics->unit[*row].view()) : "", std::move(values[m]));
  }
  for (const Part part : {kCopies, kAttention, kOtherKernels}) {
    table.add("share of " + std::string(kPartNames[part]), "ratio", std::move(shares[part]));
  }
  return table;
}

Table exponent_table(const ScalingQuestion& asked, const std::vector<SweepResult>& results) {
  struct TableRow {
    const Cost* cost;
    const std::string* model;
    const Growth* growth;
  };
  const std::vector<std::string> sweeps = sweep_names(results);
  std::vector<TableRow> rows;
  for (std::size_t m = 0; m < asked.costs.size(); ++m) {
    for (std::size_t s = 0; s < results.size(); ++s) {
      if (const auto& growth = results[s].costs[m]) rows.push_back({&asked.costs[m], &sweeps[s], &*growth});
    }
  }
  const auto local = [](const TableRow& at) {
    std::string text;
    for (const double a : at.growth->local) text += (text.empty() ? "" : ", ") + printed("%.2f", a);
    return text;
  };
  Table table("exponents", "Exponent a of metric ~ " + asked.axis + "^a, by model");
  table.column("metric", "", rows, [](const TableRow& at) { return at.cost->name(); })
      .column("model", "", rows, [](const TableRow& at) { return *at.model; })
      .column("a", "1", rows, [](const TableRow& at) { return at.growth->exponent; })
      .column("low", "1", rows, [](const TableRow& at) { return at.growth->bounds.lo; })
      .column("high", "1", rows, [](const TableRow& at) { return at.growth->bounds.hi; })
      .column("low by noise", "1", rows, [](const TableRow& at) { return at.growth->by_noise.lo; })
      .column("high by noise", "1", rows, [](const TableRow& at) { return at.growth->by_noise.hi; })
      .column("runs", "1", rows, [](const TableRow& at) { return at.growth->runs; })
      .column("between neighbours", "1", rows, local)
      .column("straight line", "", rows, [](const TableRow& at) { return line_word(*at.growth); })
      .column("outcome", "", rows, [](const TableRow& at) { return direction_word(direction_of(*at.growth)); });
  return table;
}

}  // namespace assay::scaling
