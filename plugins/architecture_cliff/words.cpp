#include "words.hpp"

#include <algorithm>
#include <cmath>

#include "assay/algo/joint.hpp"
#include "assay/algo/stats.hpp"
#include "assay/table_rows.hpp"
#include "assay/words.hpp"

namespace assay::cliff {
namespace {

std::string range_text(double low, double high) {
  return low == high ? printed("%.3g", low) : printed("%.3g to %.3g", low, high);
}

/// "patch 8", or "all runs" without strata.
std::string stratum_text(const Sweep& sweep) {
  std::string text;
  for (const auto& [name, value] : sweep.labels) text += filled("{}{} {}", {text.empty() ? "" : ", ", name, value});
  return text.empty() ? "all runs" : text;
}

/// "40-49 %", "3.1-3.3".
std::string short_range(const Names& names, double low, double high) {
  const bool share = names.unit == "ratio";
  const std::string from = share ? printed("%.0f", 100 * low) : printed("%.3g", low),
                    to = share ? printed("%.0f", 100 * high) : printed("%.3g", high);
  return (from == to ? from : from + "-" + to) + (share ? " %" : "");
}

/// "busy 8-16 % at dim 384 and 14-22 % at dim 1024", over sweeps of the same levels; empty if the levels differ.
std::string ends_of(const Names& names, const std::vector<const Sweep*>& sweeps) {
  const std::vector<std::string>& levels = sweeps.front()->levels;
  if (levels.size() < 2 || std::ranges::any_of(sweeps, [&](const Sweep* other) { return other->levels != levels; }))
    return {};
  const auto at = [&](std::size_t level) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Sweep* sweep : sweeps) {
      const auto [least, most] = sweep->range(level);
      low = std::min(low, least);
      high = std::max(high, most);
    }
    return filled("{} at {} {}", {short_range(names, low, high), names.axis, levels[level]});
  };
  return filled("{} {} and {}", {names.metric, at(0), at(levels.size() - 1)});
}

/// "patch 8 and 16"; with several labels "patch 8, px 224 and patch 16, px 224".
std::string strata_named(const std::vector<const Sweep*>& sweeps) {
  std::vector<std::string> texts;
  for (const Sweep* sweep : sweeps) {
    const bool again = !texts.empty() && sweep->labels.size() == 1;
    texts.push_back(again ? std::string(sweep->labels.front().second) : stratum_text(*sweep));
  }
  return listed(texts);
}

std::string level_ranges(const Sweep& sweep) {
  std::string text;
  for (std::size_t l = 0; l < sweep.levels.size(); ++l) {
    const auto [low, high] = sweep.range(l);
    text += (text.empty() ? "" : ", ") + range_text(low, high);
  }
  return text;
}

/// The two levels on either side of the step.
std::pair<std::string, std::string> step_levels(const Sweep& sweep, const Shape& shape, std::size_t step) {
  return {sweep.levels[shape.fit.levels[step]], sweep.levels[shape.fit.levels[step + 1]]};
}

std::string shape_sentence(const Names& names, const Sweep& sweep, const Shape& shape) {
  const std::string where = stratum_text(sweep) + ": ";
  switch (shape.kind) {
    case Kind::kCliff: {
      const auto [from, to] = step_levels(sweep, shape, shape.step);
      return filled("{}a cliff between {} {} and {} ({} {}, then {}{}",
                    {where, names.axis, from, to, names.metric, range_text(shape.before_low, shape.before_high),
                     range_text(shape.after_low, shape.after_high), shape.plateau ? ", a plateau)" : ")"});
    }
    case Kind::kGradual:
      return filled("{}a gradual rise without plateau ({})", {where, level_ranges(sweep)});
    case Kind::kNone: {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const Observation& run : sweep.runs) low = std::min(low, run.value), high = std::max(high, run.value);
      return filled("{}no usable step ({})", {where, range_text(low, high)});
    }
    case Kind::kUnfit:
      break;
  }
  return where + "too few settings to fit";
}

/// Strata and levels of the runs that are not launch-bound, if they form whole ends of their strata: "patch 8 from dim
/// 768 up".
std::string free_runs(const Names& names, const std::vector<Sweep>& sweeps, const Rival& rival) {
  std::string text;
  for (std::size_t s = 0; s < sweeps.size(); ++s) {
    std::size_t first = sweeps[s].levels.size();
    bool whole = true;
    for (const ScoredRun& run : rival.runs) {
      if (run.sweep == s && run.score >= 1) first = std::min(first, run.observation.level);
    }
    if (first == sweeps[s].levels.size()) continue;
    for (const ScoredRun& run : rival.runs) {
      if (run.sweep == s && run.observation.level >= first && run.score < 1) whole = false;
    }
    text += filled("{}{} from {} {} up",
                   {text.empty() ? "" : ", ", whole ? stratum_text(sweeps[s]) : "some of " + stratum_text(sweeps[s]),
                    names.axis, sweeps[s].levels[first]});
  }
  return text;
}

/// Whether every cliff separates all launch-bound runs from the others: then leaving that state is the jump.
bool cliffs_leave_launch_bound(const std::vector<Shape>& shapes, const Rival& rival) {
  std::size_t cliffs = 0;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    if (shapes[s].kind != Kind::kCliff) continue;
    ++cliffs;
    const std::size_t last_before = shapes[s].fit.levels[shapes[s].step];
    for (const ScoredRun& run : rival.runs) {
      if (run.sweep == s && (run.score < 1) != (run.observation.level <= last_before)) return false;
    }
  }
  return cliffs > 0;
}

/// The accuracy of a threshold, which may coincide with no run's score.
std::string prediction(const std::string& score, const Separation& by, const std::string& threshold) {
  const std::string errors = std::to_string(by.errors) + (by.errors == 1 ? " error" : " errors");
  if (std::isinf(by.threshold))
    return filled("No threshold on {} does better than predicting none: {}", {score, errors});
  return filled("Predicted by {} at least {}: {}", {score, threshold, errors});
}

std::string capitalised(std::string sentence) {
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

/// "being launch-bound tells busy runs from idle ones better than dim (0 against 6 of 30 runs wrong)".
std::string launch_wins(const Names& names, const Rival& rival) {
  return filled("being launch-bound tells busy runs from idle ones better than {} ({} against {} of {} wrong)",
                {names.axis, std::to_string(rival.by_launch_bound.errors), std::to_string(rival.by_axis.errors),
                 counted(rival.runs.size(), "run")});
}

std::string launch_sentence(const Names& names, const std::vector<Sweep>& sweeps, const std::vector<Shape>& shapes,
                            const Rival& rival) {
  const std::string score = names.numerator + " / " + names.denominator;
  const std::string free = free_runs(names, sweeps, rival);
  if (free.empty())
    return filled("All {} runs are launch-bound ({} below 1).", {std::to_string(rival.runs.size()), score});
  std::string text = filled("All but {} are launch-bound ({} below 1: {} of {} runs)",
                            {free, score, std::to_string(rival.launch_bound()), std::to_string(rival.runs.size())});
  if (cliffs_leave_launch_bound(shapes, rival)) text += ", and the jump is where they leave that state";
  return text + ".";
}

/// The share of the rise in the largest step of one fitted stratum.
Effect share_of_step(const Names& names, const Sweep& sweep, const Shape& shape) {
  Effect effect;
  effect.kind = EffectKind::kShare;
  effect.metric = names.metric;
  effect.value = shape.share;
  effect.n = static_cast<std::int64_t>(sweep.runs.size());
  effect.lo = shape.share_bounds.lo;
  effect.hi = shape.share_bounds.hi;
  effect.level = shape.level;
  effect.scope = Scope::kBetweenRun;
  effect.method = shape.logits ? "share of the rise in logits, blocks fitted, Fieller's interval"
                               : "share of the rise in logs, blocks fitted, Fieller's interval";
  return effect;
}

/// The numbers of the answer: the share of the rise in the largest step, averaged over all fitted strata, and the
/// number of strata in which that step is a cliff.
void set_numbers(Finding& finding, const Names& names, const std::vector<Sweep>& sweeps,
                 const std::vector<Shape>& shapes) {
  std::vector<double> shares;
  for (std::size_t s = 0; s < sweeps.size(); ++s) {
    if (shapes[s].kind == Kind::kUnfit) continue;
    const Effect one = share_of_step(names, sweeps[s], shapes[s]);
    const std::int64_t runs = finding.effect ? finding.effect->n : 0;
    finding.effect = one;
    finding.effect->n += runs;
    finding.agreeing += shapes[s].kind == Kind::kCliff ? 1 : 0;
    shares.push_back(one.value);
  }
  finding.pairs = static_cast<std::int64_t>(shares.size());
  if (shares.size() < 2) return;
  const CellMean centre = mean_over_cells(shares, names.level);
  finding.effect->value = centre.mean;
  finding.effect->lo = centre.bounds.lo;
  finding.effect->hi = centre.bounds.hi;
  finding.effect->level = names.level;
  finding.effect->scope = shares.size() >= kMinCells ? Scope::kBetweenRun : Scope::kWithinRun;
  finding.effect->method = "mean share of the rise over settings, Student's interval on the spread between them";
}

}  // namespace

Finding answer(const Names& names, const std::vector<Sweep>& sweeps, const std::vector<Shape>& shapes,
               const std::optional<Rival>& rival) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  std::string sentences, jumps;
  std::vector<const Sweep*> flat, unfit;
  for (std::size_t s = 0; s < sweeps.size(); ++s) {
    if (shapes[s].kind == Kind::kCliff) {
      const auto [from, to] = step_levels(sweeps[s], shapes[s], shapes[s].step);
      jumps += filled("{}{} ({} up to {}) to {} ({} up){}",
                      {jumps.empty() ? names.metric + " jumps from " : "; ",
                       short_range(names, shapes[s].before_low, shapes[s].before_high), names.axis, from,
                       short_range(names, shapes[s].after_low, shapes[s].after_high), to,
                       sweeps[s].labels.empty() ? "" : " at " + stratum_text(sweeps[s])});
    } else {
      (shapes[s].kind == Kind::kUnfit ? unfit : flat).push_back(&sweeps[s]);
    }
    sentences += (sentences.empty() ? "" : " ") + capitalised(shape_sentence(names, sweeps[s], shapes[s])) + ".";
  }
  finding.title = jumps;
  const auto others = [&](const std::string& what, const std::vector<const Sweep*>& which) {
    if (which.empty()) return;
    const std::string at = which.front()->labels.empty() ? "" : " at " + strata_named(which);
    finding.title += (finding.title.empty() ? capitalised(what) : "; " + what) + at;
  };
  others(jumps.empty() ? filled("no jump of {} along {}", {names.metric, names.axis}) : "no jump", flat);
  if (const std::string ends = unfit.empty() ? "" : ends_of(names, unfit); !ends.empty())
    finding.title += (finding.title.empty() ? "" : "; ") + ends;
  others("too few settings to tell a jump along " + names.axis + " from a slope", unfit);
  if (rival && rival->by_launch_bound.errors < rival->by_axis.errors) {
    finding.title += "; " + launch_wins(names, *rival);
  }
  const Thresholds& t = names.thresholds;
  finding.text =
      sentences + printed(
                      " (Cliff: one step carries %.0f to %.0f %% of the rise, exceeds %g times the residual spread, "
                      "and is not chance at %g %%; plateau: the runs after it differ by less than %g.)",
                      100 * t.min_share, 100 * t.max_share, t.k, 100 * names.level, t.flat);
  if (rival) finding.text += " " + launch_sentence(names, sweeps, shapes, *rival);
  set_numbers(finding, names, sweeps, shapes);
  return finding;
}

namespace {

std::string degrees_text(std::int64_t degrees) {
  return std::to_string(degrees) + (degrees == 1 ? " degree of freedom" : " degrees of freedom");
}

/// Why there is no fit, or why it is not judged.
std::string too_few(const Sweep& sweep, const Shape& shape) {
  const std::string runs = "The " + counted(sweep.runs.size(), "run");
  if (!shape.fit.levels.empty() && shape.fit.degrees >= kMinDegrees) return runs + " do not rise or fall at all.";
  const std::string needs = "a step can be distinguished from chance from " + std::to_string(kMinDegrees) +
                            " degrees of freedom on (3 levels in 3 blocks leave 4)";
  if (shape.fit.levels.empty())
    return filled("{} do not allow a fit: at least two levels measured in the same two blocks are needed; {}.",
                  {runs, needs});
  return filled("{} leave {} besides the levels and blocks; {}.", {runs, degrees_text(shape.fit.degrees), needs});
}

/// "-1.2 [-1.5, -0.9]".
std::string with_bounds(double value, const Bounds& bounds) {
  return printed("%.3g [%.3g, %.3g]", value, bounds.lo, bounds.hi);
}

}  // namespace

Finding stratum_finding(const Names& names, const Sweep& sweep, const Shape& shape) {
  Finding finding;
  finding.labels = sweep.labels;
  finding.title = stratum_text(sweep) + ": " + std::string(kind_name(shape.kind));
  for (const Observation& run : sweep.runs) finding.evidence.push_back(run.fact);
  if (shape.kind == Kind::kUnfit) {
    finding.text = too_few(sweep, shape) + (sweep.apart.empty() ? "" : " Judged separately: " + sweep.apart + ".");
    return finding;
  }
  const auto [from, to] = step_levels(sweep, shape, shape.step);
  const BlockFit& fit = shape.fit;
  const Thresholds& t = names.thresholds;
  finding.text = filled(
      "The step {} {} to {} carries {} % of the rise{}{}{}{}, the whole rise {}{}{}{}, shared by all steps of all "
      "settings; {}.",
      {names.axis, from, to, printed("%.0f", 100 * shape.share),
       shape.share_bounds.finite() ? printed(" [%.0f, %.0f]", 100 * shape.share_bounds.lo, 100 * shape.share_bounds.hi)
                                   : "",
       printed(" (a cliff: %.0f to %.0f %%). It is ", 100 * t.min_share, 100 * t.max_share),
       with_bounds(fit.step(shape.step), shape.step_bounds), shape.logits ? " in logits" : " in logs",
       with_bounds(fit.rise(), shape.rise_bounds), printed(", the residual spread %.3g", fit.residual_sd),
       printed(" (a cliff or a gradual rise exceeds %g times this spread, and its interval leaves out 0).", t.k),
       printed(" Intervals at %.3g %%", 100 * shape.level), degrees_text(fit.degrees)});
  if (shape.runner_up) {
    const auto [runner_from, runner_to] = step_levels(sweep, shape, *shape.runner_up);
    finding.text += filled(" Runner-up: {} to {} with {} %.",
                           {runner_from, runner_to, printed("%.0f", 100 * shape.runner_up_share)});
  }
  if (shape.kind == Kind::kCliff) {
    finding.text += filled(" After it the runs {}{} (a plateau needs less than {} over at least two levels).",
                           {shape.plateau ? "lie within " : "differ by ",
                            printed("%.3f", shape.after_high - shape.after_low), printed("%g", names.thresholds.flat)});
  }
  if (fit.levels.size() < sweep.levels.size()) {
    finding.text += " Levels measured in one block only add no evidence to the fit.";
  }
  finding.effect = share_of_step(names, sweep, shape);
  return finding;
}

Finding rival_finding(const Names& names, const std::vector<Sweep>& sweeps, const std::vector<Shape>& shapes,
                      const Rival& rival) {
  Finding finding;
  const std::string score = names.numerator + " / " + names.denominator;
  const std::size_t axis = rival.by_axis.errors, launch = rival.by_launch_bound.errors;
  finding.title = launch < axis ? capitalised(launch_wins(names, rival))
                  : rival.by_score.errors < axis
                      ? filled(
                            "{} divides the runs at their widest gap better than {}, at another threshold than where "
                            "runs stop being launch-bound",
                            {score, names.axis})
                      : names.axis + " divides the runs at their widest gap at least as well as being launch-bound";
  finding.text = filled(
      "{} of {} runs lie above the widest gap of {} (at least {}). {}. {}, the best threshold for these runs. "
      "Predicted by not being launch-bound ({} at least 1): {}{}{}",
      {std::to_string(rival.above), std::to_string(rival.runs.size()), names.metric, printed("%.3f", rival.boundary),
       prediction(names.axis, rival.by_axis, printed("%g", rival.by_axis.threshold)),
       prediction(score, rival.by_score, printed("%.2f", rival.by_score.threshold)), score, std::to_string(launch),
       launch == 1 ? " error. " : " errors. ", launch_sentence(names, sweeps, shapes, rival)});
  for (const ScoredRun& run : rival.runs) finding.evidence.push_back(run.observation.fact);
  return finding;
}

Table level_table(const StudyView& view, const Names& names, const std::vector<Sweep>& sweeps) {
  // Shares are read in percent.
  const auto metric = view.metric(names.metric);
  const std::string unit = metric ? std::string(view.study().metrics->unit[*metric].view()) : "";
  const double factor = unit == "ratio" ? 100 : 1;
  TableRows<std::string, std::string, std::int64_t, double, double, double> rows;
  for (const Sweep& sweep : sweeps) {
    for (std::size_t l = 0; l < sweep.levels.size(); ++l) {
      std::vector<double> values;
      for (const Observation& run : sweep.runs) {
        if (run.level == l) values.push_back(run.value);
      }
      const auto [low, high] = sweep.range(l);
      rows.add(stratum_text(sweep), sweep.levels[l], static_cast<std::int64_t>(values.size()), factor * low,
               factor * median(values), factor * high);
    }
  }
  const std::string shown = unit == "ratio" ? "%" : unit;
  return rows.table(
      "levels", names.metric + " along " + names.axis,
      {{"stratum"}, {names.axis}, {"runs", "1"}, {"least", shown}, {"median", shown}, {"greatest", shown}});
}

}  // namespace assay::cliff
