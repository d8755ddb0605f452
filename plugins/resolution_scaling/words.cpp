#include "words.hpp"

#include <cmath>

#include "assay/words.hpp"

namespace assay::scaling {
namespace {

std::string percent(double ratio) { return printed("%.0f %%", 100 * ratio); }

/// "at 256, 512 and 1024".
std::string levels_text(const SweepResult& result) {
  std::string text;
  for (const SweepLevel& level : result.sweep.levels) text += (text.empty() ? "" : ", ") + level.text;
  return text;
}

/// "from 512 up", "between 512 and 1024", "at no level".
std::string dominate_text(const Parts& parts, const LabelSweep& sweep) {
  const auto text = [&](std::size_t place) { return sweep.levels[parts.levels[place].level].text; };
  switch (parts.copies_dominate.kind) {
    case CrossoverKind::kBracket:
      return "from between " + text(*parts.copies_dominate.last_loss) + " and " +
             text(*parts.copies_dominate.first_win) + " up";
    case CrossoverKind::kBelowSmallest:
      return "at every level";
    case CrossoverKind::kAboveLargest:
      return "at no level up to " + text(parts.levels.size() - 1);
    case CrossoverKind::kNoCrossover:
      break;
  }
  return "at some levels only";
}

std::string exponent_sentence(const Names& names, const Growth& growth) {
  std::string local;
  for (const double a : growth.local) local += (local.empty() ? "" : ", ") + printed("%.2f", a);
  std::string text = "Exponents between neighbouring levels of " + names.axis + ": " + local + ".";
  if (growth.bent) {
    text += " The points leave a straight line by " + printed("%.1f", 100 * std::expm1(growth.residual_sd)) +
            " % (equal runs differ by less), so no one exponent describes them: the growth sets in later.";
  } else if (growth.points.size() == 2) {
    text += " Two levels: whether it is a power law cannot be seen.";
  }
  return text;
}

std::string parts_sentence(const Names& names, const SweepResult& result) {
  const Parts& parts = result.parts;
  if (parts.levels.empty()) return "No kernels or no iterations were seen, so the parts of the time are not known.";
  const LevelParts& last = parts.levels.back();
  std::string text = "At " + names.axis + " " + result.sweep.levels[last.level].text + " copies are " +
                     percent(last.share(kCopies)) + " of copy and kernel time";
  if (parts.attention_known) text += ", attention " + percent(last.share(kAttention));
  text += ", other kernels " + percent(last.share(kOtherKernels)) + ". Copies take longer than kernels " +
          dominate_text(parts, result.sweep) + ".";
  if (const auto part = parts.fastest()) {
    text += " Growing fastest: " + std::string(kPartNames[*part]) + ", " + printed("%.1f", parts.factor(*part)) +
            " times from " + result.sweep.levels[parts.levels.front().level].text + " to " +
            result.sweep.levels[last.level].text + ".";
  }
  return text;
}

std::string efficiency_sentence(const Names& names, const SweepResult& result) {
  std::string text;
  for (std::size_t m = 0; m < names.efficiency.size(); ++m) {
    const std::vector<Point>& points = result.efficiency[m];
    if (points.empty()) continue;
    std::string values;
    for (const Point& p : points) values += (values.empty() ? "" : ", ") + percent(p.value);
    text += names.efficiency[m] + ": " + values + ". ";
  }
  return text;
}

}  // namespace

std::vector<std::string> sweep_names(const std::vector<SweepResult>& results) {
  std::vector<LabelTexts> labels;
  for (const SweepResult& result : results) labels.push_back(result.sweep.labels);
  return telling_names(labels, "all runs");
}

Finding answer(const Names& names, const std::vector<SweepResult>& results) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  std::string titles;
  for (std::size_t m = 0; m < names.cost.size(); ++m) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    std::size_t models = 0, bent = 0;
    for (const SweepResult& result : results) {
      if (!result.costs[m]) continue;
      ++models;
      bent += result.costs[m]->bent ? 1U : 0U;
      low = std::min(low, result.costs[m]->exponent);
      high = std::max(high, result.costs[m]->exponent);
    }
    if (models == 0) continue;
    titles += (titles.empty() ? "" : "; ") + names.cost[m] + " grows as " + names.axis + "^" +
              low_to_high(low, high, 2) + " over " + std::to_string(models) + " models";
    if (bent > 0) {
      finding.text += "For " + std::to_string(bent) + " of " + std::to_string(models) + " models " + names.cost[m] +
                      " follows no single power of " + names.axis + ". ";
    }
  }
  finding.title = titles.empty() ? "No model was run at two values of " + names.axis + ", so nothing scales" : titles;
  std::size_t dominated = 0, known = 0;
  for (const SweepResult& result : results) {
    if (result.parts.levels.empty()) continue;
    ++known;
    dominated += result.parts.copies_dominate.first_win ? 1U : 0U;
  }
  finding.text += "Copies take longer than kernels at the largest " + names.axis + " in " + std::to_string(dominated) +
                  " of " + std::to_string(known) + " models.";
  return finding;
}

std::vector<Finding> evidence(const Names& names, const std::vector<SweepResult>& results, double level) {
  std::vector<Finding> out;
  const std::vector<std::string> sweeps = sweep_names(results);
  for (std::size_t m = 0; m < names.cost.size(); ++m) {
    for (std::size_t s = 0; s < results.size(); ++s) {
      const auto& growth = results[s].costs[m];
      if (!growth) continue;
      Finding finding;
      finding.labels = results[s].sweep.labels;
      finding.title = sweeps[s] + ": " + names.cost[m] + " at " + names.axis + " " + levels_text(results[s]);
      finding.text = exponent_sentence(names, *growth);
      Effect effect;
      effect.kind = EffectKind::kLevel;
      effect.scope = growth->between_run ? Scope::kBetweenRun : Scope::kWithinRun;
      effect.metric = "scaling.exponent";
      effect.value = growth->exponent;
      effect.lo = growth->bounds.lo;
      effect.hi = growth->bounds.hi;
      effect.level = level;
      effect.n = static_cast<std::int64_t>(growth->runs);
      effect.method = growth->between_run
                          ? "least squares on logs; the wider of the spread between equal runs and of the residuals"
                          : "least squares on logs; no spread between equal runs is known";
      finding.effect = effect;
      for (const Point& p : growth->points) {
        finding.evidence.insert(finding.evidence.end(), p.facts.begin(), p.facts.end());
      }
      out.push_back(std::move(finding));
    }
  }
  for (std::size_t s = 0; s < results.size(); ++s) {
    Finding finding;
    finding.labels = results[s].sweep.labels;
    finding.title = sweeps[s] + ": what grows, at " + names.axis + " " + levels_text(results[s]);
    finding.text = efficiency_sentence(names, results[s]) + parts_sentence(names, results[s]);
    for (const auto& points : results[s].efficiency) {
      for (const Point& p : points) finding.evidence.insert(finding.evidence.end(), p.facts.begin(), p.facts.end());
    }
    out.push_back(std::move(finding));
  }
  return out;
}

Table level_table(const StudyView& view, const Names& names, const std::vector<SweepResult>& results) {
  const std::vector<std::string> sweeps = sweep_names(results);
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> models, levels;
  std::vector<std::vector<double>> metrics(names.efficiency.size() + names.cost.size());
  std::vector<std::vector<double>> shares(kPartNames.size());
  const auto value_at = [](const std::vector<Point>& points, std::size_t level) {
    for (const Point& p : points) {
      if (p.level == level) return p.value;
    }
    return kNothing;
  };
  for (std::size_t s = 0; s < results.size(); ++s) {
    for (std::size_t l = 0; l < results[s].sweep.levels.size(); ++l) {
      models.push_back(sweeps[s]);
      levels.push_back(results[s].sweep.levels[l].text);
      for (std::size_t m = 0; m < names.efficiency.size(); ++m)
        metrics[m].push_back(value_at(results[s].efficiency[m], l));
      for (std::size_t m = 0; m < names.cost.size(); ++m) {
        const std::vector<Point> points = points_of(view, results[s].sweep, names.cost[m]);
        metrics[names.efficiency.size() + m].push_back(value_at(points, l));
      }
      for (const Part part : {kCopies, kAttention, kOtherKernels}) {
        double share = kNothing;
        for (const LevelParts& at : results[s].parts.levels) {
          if (at.level == l && (part == kCopies || results[s].parts.attention_known)) share = at.share(part);
        }
        shares[part].push_back(share);
      }
    }
  }
  const auto unit_of = [&](const std::string& metric) {
    const auto row = view.metric(metric);
    return row ? std::string(view.study().metrics->unit[*row].view()) : std::string();
  };
  Table table("levels", "By model and " + names.axis);
  table.add("model", "", std::move(models));
  table.add(names.axis, "", std::move(levels));
  std::vector<std::string> columns = names.efficiency;
  columns.insert(columns.end(), names.cost.begin(), names.cost.end());
  for (std::size_t m = 0; m < columns.size(); ++m) table.add(columns[m], unit_of(columns[m]), std::move(metrics[m]));
  for (const Part part : {kCopies, kAttention, kOtherKernels}) {
    table.add("share of " + std::string(kPartNames[part]), "ratio", std::move(shares[part]));
  }
  return table;
}

}  // namespace assay::scaling
