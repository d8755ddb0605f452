#include "words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/algo/joint.hpp"
#include "assay/words.hpp"

namespace assay::scaling {
namespace {

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
      return filled("from between {} and {} up",
                    {text(*parts.copies_dominate.last_loss), text(*parts.copies_dominate.first_win)});
    case CrossoverKind::kBelowSmallest:
      return "at every level";
    case CrossoverKind::kAboveLargest:
      return "at no level up to " + text(parts.levels.size() - 1);
    case CrossoverKind::kNoCrossover:
      break;
  }
  return "at some levels only";
}

/// How the local exponents deviate from a single power, as far as visible.
std::string_view shape_text(const std::vector<double>& local) {
  if (std::is_sorted(local.begin(), local.end())) return "it grows faster at larger values";
  return std::is_sorted(local.rbegin(), local.rend()) ? "it grows slower at larger values"
                                                      : "its growth goes up and down";
}

std::string exponent_sentence(const ScalingQuestion& asked, const Growth& growth) {
  std::string local;
  for (const double a : growth.local) local += (local.empty() ? "" : ", ") + printed("%.2f", a);
  std::string text = filled("Exponents between neighbouring levels of {}: {}.", {asked.axis, local});
  if (growth.bent) {
    text += filled(
        " The points lie {} % off a straight line, more than repeat runs differ, so no one exponent describes them: "
        "{}.",
        {printed("%.1f", 100 * std::expm1(growth.residual_sd)), std::string(shape_text(growth.local))});
  } else if (growth.points.size() == 2) {
    text += " With two levels it cannot be seen whether it is a power law.";
  }
  if (!growth.between_run()) {
    text += " Inconclusive: there are no repeat runs, so run-to-run noise is unknown.";
  } else if (direction_of(growth) == Direction::kOpen) {
    text += " Inconclusive: the growth does not exceed the spread between repeat runs.";
  } else if (growth.bent) {
    text += filled(" It {} on the whole: by the spread between repeat runs alone the mean exponent lies in {}",
                   {direction_of(growth) == Direction::kGrows ? "grows" : "shrinks",
                    printed("%.3f to %.3f.", growth.by_noise.lo, growth.by_noise.hi)});
  }
  return text;
}

std::string parts_sentence(const ScalingQuestion& asked, const SweepResult& result) {
  const Parts& parts = result.parts;
  if (parts.levels.empty()) return "There were no kernels or no iterations, so the parts of the time are unknown.";
  const LevelParts& last = parts.levels.back();
  std::string text = filled("At {} {} copies are {} of copy and kernel time",
                            {asked.axis, result.sweep.levels[last.level].text, percent(last.share(kCopies), 0)});
  if (parts.attention_known) text += ", attention " + percent(last.share(kAttention), 0);
  text += filled(", other kernels {}. Copies take longer than kernels {}.",
                 {percent(last.share(kOtherKernels), 0), dominate_text(parts, result.sweep)});
  if (const auto part = parts.fastest()) {
    text += filled(" Growing fastest: {}, {} times from {} to {}.",
                   {std::string(kPartNames[*part]), printed("%.1f", parts.factor(*part)),
                    result.sweep.levels[parts.levels.front().level].text, result.sweep.levels[last.level].text});
  }
  return text;
}

std::string efficiency_sentence(const ScalingQuestion& asked, const SweepResult& result) {
  std::string text;
  for (std::size_t m = 0; m < asked.efficiency.size(); ++m) {
    const std::vector<Point>& points = result.efficiency[m];
    if (points.empty()) continue;
    std::string values;
    for (const Point& p : points) values += (values.empty() ? "" : ", ") + percent(p.value, 0);
    text += filled("{}: {}. ", {asked.efficiency[m].name(), values});
  }
  return text;
}

/// One metric over all models that have it at two levels.
struct Summary {
  double low = std::numeric_limits<double>::infinity(), high = -low;                       ///< exponents
  double low_factor = std::numeric_limits<double>::infinity(), high_factor = -low_factor;  ///< last over first level
  std::size_t models = 0, grows = 0, shrinks = 0, bent = 0;

  using Growths = std::vector<std::optional<Growth>>;
  Summary(const std::vector<SweepResult>& results, Growths SweepResult::* growths, std::size_t metric) {
    for (const SweepResult& result : results) {
      const auto& growth = (result.*growths)[metric];
      if (!growth) continue;
      ++models;
      grows += direction_of(*growth) == Direction::kGrows ? 1U : 0U;
      shrinks += direction_of(*growth) == Direction::kShrinks ? 1U : 0U;
      bent += growth->bent ? 1U : 0U;
      low = std::min(low, growth->exponent);
      high = std::max(high, growth->exponent);
      const double factor = growth->points.back().value / growth->points.front().value;
      low_factor = std::min(low_factor, factor);
      high_factor = std::max(high_factor, factor);
    }
  }

  [[nodiscard]] bool open() const { return grows + shrinks == 0; }
  /// " in all 6 models", " (1 grows, 5 unclear of 6 models)".
  [[nodiscard]] std::string outcomes() const {
    if (grows == models || shrinks == models) return models == 1 ? "" : " in all " + counted(models, "model");
    std::vector<std::string> parts;
    if (grows > 0) parts.push_back(std::to_string(grows) + (grows == 1 ? " grows" : " grow"));
    if (shrinks > 0) parts.push_back(std::to_string(shrinks) + (shrinks == 1 ? " shrinks" : " shrink"));
    if (grows + shrinks < models) parts.push_back(std::to_string(models - grows - shrinks) + " unclear");
    return filled(" ({} of {})", {listed(parts), counted(models, "model")});
  }
};

/// "iteration.gpu_busy_ns grows as px^0.70 to px^2.21 in all 6 models", "iteration.period_ns: growth unclear".
std::string cost_title(const ScalingQuestion& asked, std::size_t cost, const Summary& summary) {
  const std::string name = asked.costs[cost].name();
  if (summary.open()) return name + ": growth unclear";
  const std::string low = asked.axis + "^" + printed("%.2f", summary.low),
                    high = asked.axis + "^" + printed("%.2f", summary.high);
  return name + (summary.shrinks == summary.models ? " shrinks as " : " grows as ") +
         (low == high ? low : low + " to " + high) + summary.outcomes();
}

std::string cost_sentence(const ScalingQuestion& asked, std::size_t cost, const Summary& summary) {
  std::string text = filled("{}: exponent {}{}",
                            {asked.costs[cost].name(), low_to_high(summary.low, summary.high, 2), summary.outcomes()});
  if (summary.bent > 0) {
    text += filled("; no single power of {} fits {}", {asked.axis, counted_of(summary.bent, summary.models, "model")});
  }
  return text + ". ";
}

/// "gpu.busy_ratio ends at 1.6 to 4.9x its first value (2 grow and 4 unclear of 6 models)".
std::string efficiency_title(const ScalingQuestion& asked, std::size_t efficiency, const Summary& summary) {
  const std::string name = asked.efficiency[efficiency].name();
  if (summary.open()) return name + ": change unclear";
  return filled("{} ends at {}x its first value{}",
                {name, low_to_high(summary.low_factor, summary.high_factor, 1), summary.outcomes()});
}

std::string kept_sentence(const ScalingQuestion& asked, std::size_t efficiency, const Summary& summary) {
  return filled("{} at the largest {} of a model is {} times that at its smallest{}. ",
                {asked.efficiency[efficiency].name(), asked.axis,
                 low_to_high(summary.low_factor, summary.high_factor, 2), summary.outcomes()});
}

std::string fastest_sentence(const std::vector<SweepResult>& results) {
  std::array<std::size_t, kPartNames.size()> counts{};
  std::size_t known = 0;
  for (const SweepResult& result : results) {
    if (const auto part = result.parts.fastest()) {
      ++counts[*part];
      ++known;
    }
  }
  std::vector<std::string> parts;
  for (std::size_t p = 0; p < counts.size(); ++p) {
    if (counts[p] > 0) parts.push_back(std::string(kPartNames[p]) + " in " + counted_of(counts[p], known, "model"));
  }
  return parts.empty() ? "" : "Growing fastest: " + listed(parts) + ". ";
}

std::string dominated_sentence(const ScalingQuestion& asked, const std::vector<SweepResult>& results) {
  std::size_t dominated = 0, known = 0;
  for (const SweepResult& result : results) {
    if (result.parts.levels.empty()) continue;
    ++known;
    dominated += result.parts.copies_dominate.first_win ? 1U : 0U;
  }
  return filled("Copies take longer than kernels at the largest {} in {}.",
                {asked.axis, counted_of(dominated, known, "model")});
}

/// The mean exponent of the first cost over all models with one, as the number of the answer: models are its cells.
void set_numbers(Finding& finding, const std::vector<SweepResult>& results, std::size_t cost) {
  std::vector<double> exponents;
  std::size_t grows = 0, shrinks = 0;
  std::int64_t runs = 0;
  bool between_run = true;
  for (const SweepResult& result : results) {
    const auto& growth = result.costs[cost];
    if (!growth) continue;
    exponents.push_back(growth->exponent);
    grows += direction_of(*growth) == Direction::kGrows ? 1U : 0U;
    shrinks += direction_of(*growth) == Direction::kShrinks ? 1U : 0U;
    runs += static_cast<std::int64_t>(growth->runs);
    between_run = between_run && growth->between_run();
  }
  if (exponents.empty()) return;
  Effect effect;
  effect.kind = EffectKind::kLevel;
  effect.metric = "scaling.exponent";
  effect.level = results.front().judging.level;
  const CellMean centre = mean_over_cells(exponents, effect.level);
  effect.value = centre.mean;
  if (exponents.size() == 1) {
    const auto only = std::find_if(results.begin(), results.end(), [&](const auto& r) { return r.costs[cost]; });
    effect.lo = only->costs[cost]->bounds.lo;
    effect.hi = only->costs[cost]->bounds.hi;
    effect.scope = between_run ? Scope::kBetweenRun : Scope::kWithinRun;
    effect.method = "exponent of the one model";
  } else {
    effect.lo = centre.bounds.lo;
    effect.hi = centre.bounds.hi;
    effect.scope = exponents.size() >= kMinCells ? Scope::kBetweenRun : Scope::kWithinRun;
    effect.method = "mean exponent over models, Student's interval on the spread between them";
  }
  effect.n = runs;
  finding.effect = effect;
  finding.pairs = static_cast<std::int64_t>(exponents.size());
  finding.agreeing = static_cast<std::int64_t>(centre.mean < 0 ? shrinks : grows);
}

}  // namespace

bool SweepResult::has_growth() const {
  return std::any_of(costs.begin(), costs.end(), [](const auto& growth) { return growth.has_value(); });
}

std::vector<std::string> sweep_names(const std::vector<SweepResult>& results) {
  std::vector<LabelTexts> labels;
  for (const SweepResult& result : results) labels.push_back(result.sweep.labels);
  return telling_names(labels, "all runs");
}

Finding answer(const ScalingQuestion& asked, const std::vector<SweepResult>& results) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  std::vector<std::string> titles;
  for (std::size_t m = 0; m < asked.costs.size(); ++m) {
    const Summary summary(results, &SweepResult::costs, m);
    if (summary.models == 0) continue;
    if (m < asked.headline) titles.push_back(cost_title(asked, m, summary));
    finding.text += cost_sentence(asked, m, summary);
  }
  for (std::size_t m = 0; m < asked.efficiency.size(); ++m) {
    const Summary summary(results, &SweepResult::efficiency_growth, m);
    if (summary.models == 0) continue;
    if (m == 0) titles.push_back(efficiency_title(asked, m, summary));
    finding.text += kept_sentence(asked, m, summary);
  }
  finding.title = titles.empty() ? "No model was run at two values of " + asked.axis + ", so growth cannot be measured"
                                 : listed(titles);
  if (asked.headline > 0) set_numbers(finding, results, 0);
  finding.text += fastest_sentence(results) + dominated_sentence(asked, results);
  if (!titles.empty()) {
    finding.text += " Corrected for all models and metrics.";
  }
  return finding;
}

std::vector<Finding> evidence(const ScalingQuestion& asked, const std::vector<SweepResult>& results) {
  std::vector<Finding> out;
  const std::vector<std::string> sweeps = sweep_names(results);
  for (std::size_t m = 0; m < asked.costs.size(); ++m) {
    for (std::size_t s = 0; s < results.size(); ++s) {
      const auto& growth = results[s].costs[m];
      if (!growth) continue;
      Finding finding;
      finding.labels = results[s].sweep.labels;
      finding.title =
          filled("{}: {} at {} {}", {sweeps[s], asked.costs[m].name(), asked.axis, levels_text(results[s])});
      finding.text = exponent_sentence(asked, *growth);
      Effect effect;
      effect.kind = EffectKind::kLevel;
      effect.scope = growth->between_run() ? Scope::kBetweenRun : Scope::kWithinRun;
      effect.metric = "scaling.exponent";
      effect.value = growth->exponent;
      effect.lo = growth->bounds.lo;
      effect.hi = growth->bounds.hi;
      effect.level = results[s].judging.level;
      effect.n = static_cast<std::int64_t>(growth->runs);
      effect.method = growth->between_run()
                          ? "least squares on logs; the wider of the spread between repeat runs and of the residuals"
                          : "least squares on logs; the spread between repeat runs is unknown";
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
    finding.title = filled("{}: what grows, at {} {}", {sweeps[s], asked.axis, levels_text(results[s])});
    finding.text = efficiency_sentence(asked, results[s]) + parts_sentence(asked, results[s]);
    for (const auto& points : results[s].efficiency) {
      for (const Point& p : points) finding.evidence.insert(finding.evidence.end(), p.facts.begin(), p.facts.end());
    }
    out.push_back(std::move(finding));
  }
  return out;
}

}  // namespace assay::scaling
