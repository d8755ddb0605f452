#include "words.hpp"

#include <algorithm>
#include <cmath>

#include "algo/short_name.hpp"
#include "assay/words.hpp"
#include "forwards.hpp"

namespace assay::tokens {
namespace {

/// "px=224"; "all runs" without labels.
std::string name_of(const LabelTexts& labels) { return labels.empty() ? "all runs" : labels_text(labels); }

std::string cell_name(const LabelTexts& labels, const std::string& batch) {
  const std::string rest = labels_text(labels);
  if (batch.empty()) return labels.empty() ? "the pair" : rest;
  return "batch " + batch + (rest.empty() ? "" : ", " + rest);
}

/// "17.5 % slower", "2.10x faster".
std::string speed_text(double speedup) {
  return speedup < 1 ? percent(1 - speedup) + " slower" : printed("%.2fx faster", speedup);
}

/// "wins from batch 4 on (loses up to 2)".
std::string crossing_text(const Crossing& crossing) {
  const auto batch = [&](std::size_t level) { return crossing.levels[level].text; };
  const Crossover& c = crossing.crossover;
  switch (c.kind) {
    case CrossoverKind::kBracket:
      return filled("begins to win between batch {} and {}", {batch(*c.last_loss), batch(*c.first_win)});
    case CrossoverKind::kBelowSmallest:
      return "wins at every tested batch, from " + batch(0) + " on";
    case CrossoverKind::kAboveLargest:
      return "wins at no tested batch, up to " + crossing.levels.back().text;
    case CrossoverKind::kNoCrossover:
      break;
  }
  return "wins at some batches and not at the largest, " + crossing.levels.back().text;
}

std::string interval_text(const Crossing& crossing, double level) {
  const Crossover& c = crossing.crossover;
  if (crossing.levels.size() < 2) return {};
  if (!c.has_interval)
    return " With one row per model and batch there is only this bracket of tested batches, no interval.";
  const auto batch = [&](const std::optional<std::size_t>& at, const char* none) {
    return at ? "batch " + crossing.levels[*at].text : std::string(none);
  };
  return filled(" By the {} intervals of repeated rows the crossover lies between {} and {}.",
                {percent(level, 0), batch(c.sure_loss, "below the smallest batch"),
                 batch(c.sure_win, "above the largest batch")});
}

std::string sweep_sentences(const SweepResult& result, double level) {
  const std::vector<LevelSpeedup>& levels = result.crossing.levels;
  std::string text = "At " + name_of(result.sweep.labels) + " ";
  if (result.flop_reduction) text += "FLOPs fall " + percent(*result.flop_reduction) + "; ";
  if (levels.empty()) return text + "no batch has a usable row of both models.";
  text += filled("it is {} at batch {}", {speed_text(levels.front().speedup), levels.front().text});
  if (levels.size() > 1) text += filled(" and {} at batch {}", {speed_text(levels.back().speedup), levels.back().text});
  if (levels.size() > 1) text += printed(" (%zu tested batches)", levels.size());
  return filled("{}, and {}.{}", {text, crossing_text(result.crossing), interval_text(result.crossing, level)});
}

std::vector<std::string> confirmed(const PairResult& result) {
  std::vector<std::string> out;
  for (const Cause& cause : result.causes) {
    if (cause.status == Status::kConfirmed) out.push_back(cause.title);
  }
  return out;
}

std::string causes_in_short(const PairResult& result) {
  const std::vector<std::string> names = confirmed(result);
  return names.empty() ? "none of the four causes is confirmed" : listed(names) + " confirmed";
}

/// "; remedies: a; b", or nothing.
std::string remedies(const PairResult& result) {
  std::string out;
  for (const Cause& cause : result.causes) {
    if (cause.status == Status::kConfirmed) out += (out.empty() ? "; remedy: " : "; ") + cause.remedy;
  }
  return out;
}

Finding answer(const Analysis& analysis) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  std::vector<std::string> parts;
  for (const SweepResult& result : analysis.sweeps) {
    if (!result.crossing.levels.empty()) {
      parts.push_back(filled("at {} it {}", {name_of(result.sweep.labels), crossing_text(result.crossing)}));
    }
    finding.text += sweep_sentences(result, analysis.level) + " ";
  }
  for (const PairResult& result : analysis.pairs) {
    const auto speedup = result.pair.speedup();
    const std::string name = cell_name(result.pair.labels, result.pair.batch_text);
    if (analysis.sweeps.empty() && speedup) {
      parts.push_back(filled("the profiled run at {} is {}", {name, speed_text(*speedup)}));
    }
    finding.text += filled("At {}: {}{}. ", {name, causes_in_short(result), remedies(result)});
  }
  if (!finding.text.empty()) finding.text.pop_back();
  for (const std::string& part : parts) finding.title += (finding.title.empty() ? "" : "; ") + part;
  finding.title = "Token reduction: " + (parts.empty() ? "nothing could be measured" : finding.title);
  return finding;
}

/// The sweep's result for the cell of the pair, compared with the profile.
std::string speed_sentences(const Analysis& analysis, const PairResult& result) {
  std::string text;
  const auto profiled = result.pair.speedup();
  if (result.sweep && result.level) {
    const SweepResult& sweep = analysis.sweeps[*result.sweep];
    text += "The sweep: " + speed_text(sweep.crossing.levels[*result.level].speedup);
    const bool loses = sweep.crossing.levels[*result.level].speedup < 1;
    if (sweep.flop_reduction)
      text += (loses ? " although" : " while") + (" FLOPs fall " + percent(*sweep.flop_reduction));
    text += ". ";
  }
  if (profiled) {
    text +=
        filled("The profile: {} ({} a forward becomes {}, median of the iterations). ",
               {speed_text(*profiled), time_text(*result.pair.base.period), time_text(*result.pair.treated.period)});
  }
  if (result.pair.base.busy && result.pair.treated.busy) {
    text += filled("The GPU is busy for {} per forward without the reduction and {} with it. ",
                   {time_text(*result.pair.base.busy), time_text(*result.pair.treated.busy)});
  }
  return text;
}

std::string added_sentences(const Pair& pair) {
  if (pair.treated.by_name.empty() || pair.base.by_name.empty()) return {};
  ForwardCost all;
  for (const auto& [kernel_class, added] : pair.added) all += added;
  if (pair.added_names.empty()) return "No kernel runs only with the reduction. ";
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kNamed, pair.added_names.size()); ++i) {
    names.push_back(short_name(pair.added_names[i].first) + " " + time_text(pair.added_names[i].second.time));
  }
  const auto dynamic = pair.added.find(std::string(kDynamic));
  std::string text = filled("{} per forward, in {} launches, go to kernels that only the reduced run has",
                            {time_text(all.time), printed("%g", all.count)});
  if (dynamic != pair.added.end()) {
    text += filled(", of which {} in {} launches to top-k, sort, gather and index kernels",
                   {time_text(dynamic->second.time), printed("%g", dynamic->second.count)});
  }
  text += "; most time: " + listed(names) + ". ";
  if (pair.added.contains(std::string(kOther))) text += "A library may pick other kernels for the smaller shapes. ";
  if (pair.rest) text += "Not all kernels of the base are listed, so it may run some of these too. ";
  return text;
}

std::string cause_sentences(const PairResult& result) {
  std::string text;
  for (const Cause& cause : result.causes) {
    text += filled("Cause '{}' {}: {}.", {cause.title, std::string(status_name(cause.status)), cause.evidence});
    if (cause.status == Status::kConfirmed) text += " Remedy: " + cause.remedy + ".";
    text += ' ';
  }
  return text;
}

std::optional<Effect> effect_of(const Analysis& analysis, const PairResult& result) {
  const auto combined = result.cell ? analysis.cells[*result.cell].combined : std::nullopt;
  if (!combined) return std::nullopt;
  Effect effect;
  effect.metric = "token.combined_speedup";
  effect.value = combined->value;
  effect.n = static_cast<std::int64_t>(combined->measurements);
  effect.level = analysis.level;
  if (const auto interval = combined->interval(analysis.level)) {
    effect.lo = interval->first;
    effect.hi = interval->second;
    effect.scope = Scope::kBetweenRun;
  }
  return effect;
}

Finding joined(const Analysis& analysis, const PairResult& result, const Design& design, const std::string& method) {
  Finding finding;
  const Pair& pair = result.pair;
  finding.role = FindingRole::kEvidence;
  finding.labels = pair.labels;
  if (!pair.batch_text.empty()) finding.labels.emplace_back(design.batch_label, pair.batch_text);
  const auto speedup = result.level
                           ? std::optional(analysis.sweeps[*result.sweep].crossing.levels[*result.level].speedup)
                           : pair.speedup();
  finding.title = filled("{}: {}{}", {cell_name(pair.labels, pair.batch_text),
                                      speedup ? speed_text(*speedup) + ", " : std::string(), causes_in_short(result)});
  finding.text = speed_sentences(analysis, result) + added_sentences(pair) + cause_sentences(result);
  finding.text.pop_back();
  finding.effect = effect_of(analysis, result);
  finding.method = method;
  finding.evidence = pair.evidence;
  return finding;
}

std::optional<Finding> mislabelled(const Analysis& analysis) {
  std::size_t rows = 0, wrong = 0;
  for (const SweepResult& result : analysis.sweeps) {
    rows += result.sweep.rows;
    wrong += result.sweep.mislabelled;
  }
  if (wrong == 0) return std::nullopt;
  Finding finding;
  finding.role = FindingRole::kNote;
  finding.title = counted_of(wrong, rows, "sweep row") + " did not run the batch they state";
  finding.text =
      "Throughput times latency is the number of images in a batch. These rows contradict that, so speed-ups and "
      "crossovers leave them out; each is listed under what was left out.";
  return finding;
}

std::optional<Finding> spread_note(const Analysis& analysis) {
  if (analysis.cells.empty()) return std::nullopt;
  Finding finding;
  finding.role = FindingRole::kNote;
  const PooledSpread& spread = analysis.spread;
  if (!spread.known()) {
    finding.title = "The uncertainty of a measured throughput is unknown";
    finding.text = "No cell was measured twice and no sweep has enough batches for a fit, so no speed-up is judged.";
    return finding;
  }
  finding.title = printed("One measured throughput has a spread of %.2g %%", 100 * std::expm1(spread.sd()));
  finding.text =
      printed("It is pooled from %g degrees of freedom of the sweeps around their fitted curves", spread.fit_degrees) +
      printed(" and %g of cells measured more than once. ", spread.repeated_degrees);
  if (spread.repeated_degrees > 0) {
    finding.text += printed(
        "Two measurements of one cell differ by up to %.1f %%; a profiled run counts as one, "
        "although tracing slows launches. ",
        100 * (spread.largest_ratio - 1));
  }
  finding.text += "It is one value for all cells; launch-bound ones may spread more.";
  return finding;
}

}  // namespace

std::string interval_method(const PooledSpread& spread) {
  if (!spread.known()) return "no interval: the spread is unknown";
  return printed(
      "t interval on a spread of %.2g %% between measurements (%g degrees of freedom: %g of deviations from "
      "the fitted sweep, %g of repeated cells)",
      100 * std::expm1(spread.sd()), spread.degrees, spread.fit_degrees, spread.repeated_degrees);
}

std::vector<Finding> findings(const Analysis& analysis, const Design& design, const std::string& method) {
  std::vector<Finding> out;
  if (analysis.sweeps.empty() && analysis.pairs.empty()) return out;
  out.push_back(answer(analysis));
  for (const PairResult& result : analysis.pairs) out.push_back(joined(analysis, result, design, method));
  if (auto note = mislabelled(analysis)) out.push_back(*std::move(note));
  if (auto note = spread_note(analysis)) out.push_back(*std::move(note));
  return out;
}

}  // namespace assay::tokens
