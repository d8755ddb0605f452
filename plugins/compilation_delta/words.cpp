#include "words.hpp"

#include <cstdarg>
#include <cstdio>
#include <limits>
#include <map>
#include <set>

namespace assay::compile {
namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  char text[160];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

/// Names of the labels whose value is not the same in all pairs: only they tell pairs apart.
std::set<std::string> telling_labels(const Delta& delta) {
  std::map<std::string, std::set<std::string>> values;
  for (const ModeEffect& effect : delta.effects) {
    for (const PairEffect& pair : effect.pairs) {
      for (const auto& [name, value] : pair.stratum.labels) values[name].insert(value);
    }
  }
  std::set<std::string> telling;
  for (const auto& [name, seen] : values) {
    if (seen.size() > 1) telling.insert(name);
  }
  return telling;
}

std::string labels_text(const Stratum& stratum, const std::set<std::string>& telling) {
  std::string out;
  for (const auto& [name, value] : stratum.labels) {
    if (telling.contains(name)) out += (out.empty() ? "" : " ") + name + "=" + value;
  }
  return out.empty() ? "the pair" : out;
}

std::string count_text(std::size_t part, std::size_t whole, const char* noun) {
  return std::to_string(part) + " of " + std::to_string(whole) + " " + noun;
}

/// "iteration.gpu_busy_ns x 0.90..0.94, beyond the noise floor in 13 of 13 pairs (equal programs differ by up to 0.7
/// %)".
std::string metric_sentence(const ModeEffect& effect) {
  const auto [low, high] = effect.range();
  std::string text = effect.metric + (effect.per_iteration ? " per iteration" : "") + " × " +
                     (low == high ? format("%.3f", low) : format("%.3f..%.3f", low, high));
  if (!effect.floor.known()) return text + ", inconclusive: no two runs of one program tell how much equal runs differ";
  text += effect.beyond_floor() == 0
              ? ", inconclusive: not beyond the noise floor in any of " + std::to_string(effect.measured()) + " pairs"
              : ", beyond the noise floor in " + count_text(effect.beyond_floor(), effect.measured(), "pairs");
  return text + " (equal programs differ by up to " + format("%.1f", 100 * (effect.floor.largest_ratio - 1)) + " %)";
}

/// Whether the mode helps on a metric: the short answer.
std::string verdict_word(const ModeEffect& effect) {
  if (effect.beyond_floor() < effect.measured() || effect.measured() == 0) return "inconclusive";
  const auto [low, high] = effect.range();
  return high < 1 ? "lower" : low > 1 ? "higher" : "mixed";
}

Finding answer(const std::string& mode, const std::vector<const ModeEffect*>& effects, const Design& design) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.labels = {{design.label, mode}};
  std::string title;
  for (const ModeEffect* effect : effects) {
    if (effect->measured() == 0) continue;
    title += (title.empty() ? "" : ", ") + effect->metric + " " + verdict_word(*effect);
    finding.text += metric_sentence(*effect) + ". ";
  }
  double opaque = 0;
  for (const ModeEffect* effect : effects) {
    for (const PairEffect& pair : effect->pairs) opaque = std::max(opaque, pair.opaque_ratio.value_or(opaque));
  }
  if (opaque > 0) {
    finding.text += "These runs launch CUDA graphs: " + design.opaque_metric + " is up to " + format("%.3f", opaque) +
                    ", so kernel times say nothing about them and only period and window are judged. ";
  }
  finding.title = mode + " against " + design.base + ": " + (title.empty() ? "nothing could be measured" : title);
  if (finding.text.empty()) finding.text = "No pair of runs has a metric that could be compared. ";
  finding.text.pop_back();
  return finding;
}

const char* standing(const PairEffect& pair) {
  if (pair.contrast->effect.scope == Scope::kWithinRun) return "within-run only";
  if (pair.differs) return "beyond noise floor";
  return pair.contrast->inside_noise_floor ? "inside noise floor" : "inconclusive among so many comparisons";
}

Finding evidence(const ModeEffect& effect, const PairEffect& pair, const std::set<std::string>& telling,
                 const Design& design) {
  Finding finding;
  finding.role = FindingRole::kEvidence;
  finding.labels = pair.stratum.labels;
  finding.labels.emplace_back(design.label, effect.mode);
  finding.title =
      labels_text(pair.stratum, telling) + ": " + effect.mode + " / " + design.base + " on " + effect.metric;
  finding.text = std::string("ratio ") + format("%.3f", pair.contrast->effect.value) + ", " + standing(pair) + ".";
  finding.effect = pair.contrast->effect;
  finding.effect->method = pair.contrast->method;
  finding.evidence = pair.contrast->evidence;
  return finding;
}

}  // namespace

std::vector<Finding> findings(const Delta& delta, const Design& design) {
  std::vector<Finding> out;
  for (std::size_t i = 0; i < delta.effects.size();) {
    std::vector<const ModeEffect*> of_mode;
    const std::string& mode = delta.effects[i].mode;
    for (; i < delta.effects.size() && delta.effects[i].mode == mode; ++i) of_mode.push_back(&delta.effects[i]);
    out.push_back(answer(mode, of_mode, design));
  }
  const std::set<std::string> telling = telling_labels(delta);
  for (const ModeEffect& effect : delta.effects) {
    for (const PairEffect& pair : effect.pairs) {
      if (pair.contrast) out.push_back(evidence(effect, pair, telling, design));
    }
  }
  return out;
}

Table pair_table(const Delta& delta) {
  const std::set<std::string> telling = telling_labels(delta);
  std::vector<std::string> pairs, modes, metrics, standings;
  std::vector<double> ratios, lows, highs, opaques;
  std::vector<std::int64_t> runs;
  for (const ModeEffect& effect : delta.effects) {
    for (const PairEffect& pair : effect.pairs) {
      if (!pair.contrast) continue;
      pairs.push_back(labels_text(pair.stratum, telling));
      modes.push_back(effect.mode);
      metrics.push_back(effect.metric);
      ratios.push_back(pair.contrast->effect.value);
      lows.push_back(pair.contrast->effect.lo);
      highs.push_back(pair.contrast->effect.hi);
      runs.push_back(pair.contrast->effect.n);
      opaques.push_back(pair.opaque_ratio.value_or(std::numeric_limits<double>::quiet_NaN()));
      standings.emplace_back(standing(pair));
    }
  }
  Table table("pairs", "Compiled against uncompiled, pair by pair");
  table.add("pair", "", std::move(pairs));
  table.add("mode", "", std::move(modes));
  table.add("metric", "", std::move(metrics));
  table.add("ratio", "ratio", std::move(ratios));
  table.add("low", "ratio", std::move(lows));
  table.add("high", "ratio", std::move(highs));
  table.add("runs", "1", std::move(runs));
  table.add("graph.opaque_ratio", "ratio", std::move(opaques));
  table.add("standing", "", std::move(standings));
  return table;
}

}  // namespace assay::compile
