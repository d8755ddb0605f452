#include "tables.hpp"

#include <limits>

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

}  // namespace

Table level_table(const StudyView& view, const Asked& asked, const std::vector<SweepResult>& results) {
  std::vector<Cost> metrics = asked.efficiency;
  metrics.insert(metrics.end(), asked.costs.begin(), asked.costs.end());
  const std::vector<std::string> sweeps = sweep_names(results);
  std::vector<std::string> models, levels;
  std::vector<std::vector<double>> values(metrics.size()), shares(kPartNames.size());
  for (std::size_t s = 0; s < results.size(); ++s) {
    const LabelSweep& sweep = results[s].sweep;
    std::vector<std::vector<Point>> points;
    for (const Cost& metric : metrics) points.push_back(points_of(view, sweep, metric));
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

Table exponent_table(const Asked& asked, const std::vector<SweepResult>& results) {
  struct At {
    const Cost* cost;
    const std::string* model;
    const Growth* growth;
  };
  const std::vector<std::string> sweeps = sweep_names(results);
  std::vector<At> rows;
  for (std::size_t m = 0; m < asked.costs.size(); ++m) {
    for (std::size_t s = 0; s < results.size(); ++s) {
      if (const auto& growth = results[s].costs[m]) rows.push_back({&asked.costs[m], &sweeps[s], &*growth});
    }
  }
  const auto local = [](const At& at) {
    std::string text;
    for (const double a : at.growth->local) text += (text.empty() ? "" : ", ") + printed("%.2f", a);
    return text;
  };
  Table table("exponents", "Exponent a of metric ~ " + asked.axis + "^a, by model");
  table.column("metric", "", rows, [](const At& at) { return at.cost->name(); })
      .column("model", "", rows, [](const At& at) { return *at.model; })
      .column("a", "1", rows, [](const At& at) { return at.growth->exponent; })
      .column("low", "1", rows, [](const At& at) { return at.growth->bounds.lo; })
      .column("high", "1", rows, [](const At& at) { return at.growth->bounds.hi; })
      .column("low by noise", "1", rows, [](const At& at) { return at.growth->by_noise.lo; })
      .column("high by noise", "1", rows, [](const At& at) { return at.growth->by_noise.hi; })
      .column("runs", "1", rows, [](const At& at) { return at.growth->runs; })
      .column("between neighbours", "1", rows, local)
      .column("straight line", "", rows, [](const At& at) { return line_word(*at.growth); })
      .column("outcome", "", rows, [](const At& at) { return direction_word(direction_of(*at.growth)); });
  return table;
}

}  // namespace assay::scaling
