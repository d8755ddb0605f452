// One comparison of matched pairs for all analyzers: who takes part, how much equal runs differ, how many comparisons
// share the error, what was found, and what was left out (statistics.md). What it found is written by pair_outputs.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/algo/contrast.hpp"
#include "assay/algo/dims.hpp"
#include "assay/algo/matching.hpp"
#include "assay/algo/multiplicity.hpp"
#include "assay/words.hpp"

namespace assay {

/// One thing that is compared: the facts of a metric with these dims.
struct Measure {
  std::string metric;
  std::string dims{};   ///< canonical; empty for none
  bool decides = true;  ///< whether its comparisons share the error level: not where nothing is decided by them

  /// "copy.bandwidth_bytes_per_s h2d".
  [[nodiscard]] std::string name() const {
    std::string text = metric;
    for (const auto& [key, value] : texts()) text += " " + value;
    return text;
  }
  /// Its dims, decoded.
  [[nodiscard]] LabelTexts texts() const {
    LabelTexts out;
    for (std::string_view rest = dims; !rest.empty();) {
      const std::string_view part = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(rest.size(), part.size() + 1));
      const std::string key(part.substr(0, part.find('=')));
      out.emplace_back(key, dim_value(dims, key).value_or(""));
    }
    return out;
  }
};

/// The measures that reports of the question have of some metrics, one for each set of dims; by metric as given, then
/// dims.
inline std::vector<Measure> measures_of(const StudyView& view, const std::vector<std::string>& metrics) {
  std::vector<Measure> out;
  for (const std::string& metric : metrics) {
    std::set<std::string_view> dims;
    for (const std::size_t r : view.participants()) {
      view.each_fact(static_cast<Row>(r), metric,
                     [&](std::size_t fact) { dims.insert(view.study().facts->dims[fact]); });
    }
    for (const std::string_view d : dims) out.push_back({metric, std::string(d)});
  }
  return out;
}

/// What is compared.
struct PairDesign {
  std::string id;                ///< of the analyzer: names the random streams
  std::vector<LabelPair> pairs;  ///< of one label (label_pairs), or of several
  std::vector<Measure> measures;
  std::optional<double> margin{};  ///< equal: the ratio lies in 1 / (1 + margin) .. 1 + margin; nothing: not asked
  /// Whether a measure says something of a stratum; without it: always. Where not, nothing is compared and nothing is
  /// said here.
  std::function<bool(const Stratum&, const Measure&)> speaks{};
};

enum class PairOutcome {
  kDiffers,       ///< the interval at the shared level, which holds the spread between runs, leaves out 1
  kEquivalent,    ///< the whole interval lies within the margin
  kInconclusive,  ///< neither, or the spread between runs is not known
};

/// "differs", "equivalent", "inconclusive": as they stand in facts.
constexpr std::string_view outcome_word(PairOutcome outcome) {
  return outcome == PairOutcome::kDiffers      ? "differs"
         : outcome == PairOutcome::kEquivalent ? "equivalent"
                                               : "inconclusive";
}

/// The runs of one side; NaN without any.
struct SideValues {
  double median = std::numeric_limits<double>::quiet_NaN(), least = median, greatest = median;
  std::vector<double> runs;  ///< one value a run; the ranks of a job are one run
};

/// One measure in one stratum that has it on both sides.
struct PairEffect {
  std::size_t pair = 0, stratum = 0, measure = 0;  ///< PairStudy::pairs, ::strata[pair], ::measures
  Lengths lengths;                                 ///< how runs of unequal length were made comparable
  SideValues base, treated;
  std::optional<Contrast> contrast{};  ///< nothing: a value is not positive, or `lengths` refuses
  PairOutcome outcome = PairOutcome::kInconclusive;
};

/// What became of some comparisons.
struct PairTally {
  std::size_t made = 0, differs = 0, equivalent = 0;
  double low = std::numeric_limits<double>::infinity(), high = -low;  ///< of the ratios
  bool per_iteration = false;                                         ///< in some of them

  [[nodiscard]] std::size_t open() const { return made - differs - equivalent; }
  /// One word for all: "lower", "higher", "mixed", "equal", "inconclusive", "not measured".
  [[nodiscard]] std::string_view word() const {
    if (made == 0) return "not measured";
    if (differs == 0) return equivalent == made ? "equal" : "inconclusive";
    if (differs < made) return "mixed";
    return high < 1 ? "lower" : low > 1 ? "higher" : "mixed";
  }
};

struct PairStudy {
  std::vector<LabelPair> pairs;
  std::vector<Measure> measures;
  std::optional<double> margin;
  std::vector<std::vector<Stratum>> strata;     ///< by pair
  std::vector<std::vector<std::string>> names;  ///< by pair and stratum: what tells it from the others
  std::vector<std::vector<NoiseFloor>> floors;  ///< by pair and measure; unknown where nothing is compared
  std::vector<PairEffect> effects;              ///< by measure, pair, stratum
  std::vector<Unmatched> left_out;              ///< runs in no pair, each once
  std::size_t tests = 0;                        ///< comparisons that share the error
  double level = 0.95;                          ///< of the question, shared by all of them
  double each = 0.95;                           ///< at which a difference is found: 1 - (1 - level) / tests

  [[nodiscard]] const LabelPair& pair_of(const PairEffect& e) const { return pairs[e.pair]; }
  [[nodiscard]] const Measure& measure_of(const PairEffect& e) const { return measures[e.measure]; }
  [[nodiscard]] const Stratum& stratum_of(const PairEffect& e) const { return strata[e.pair][e.stratum]; }
  [[nodiscard]] const NoiseFloor& floor_of(const PairEffect& e) const { return floors[e.pair][e.measure]; }
  [[nodiscard]] const std::string& name_of(const PairEffect& e) const { return names[e.pair][e.stratum]; }

  /// Effects with a ratio, by measure, pair, stratum.
  [[nodiscard]] std::vector<const PairEffect*> made() const {
    std::vector<const PairEffect*> out;
    for (const PairEffect& effect : effects) {
      if (effect.contrast) out.push_back(&effect);
    }
    return out;
  }
  /// Of the effects that `of` holds for.
  template <class Of>
  [[nodiscard]] PairTally tally_of(Of&& of) const {
    PairTally out;
    for (const PairEffect* e : made()) {
      if (!of(*e)) continue;
      ++out.made;
      out.differs += e->outcome == PairOutcome::kDiffers ? 1U : 0U;
      out.equivalent += e->outcome == PairOutcome::kEquivalent ? 1U : 0U;
      out.low = std::min(out.low, e->contrast->effect.value);
      out.high = std::max(out.high, e->contrast->effect.value);
      out.per_iteration = out.per_iteration || e->lengths.per_iteration;
    }
    return out;
  }
  [[nodiscard]] PairTally tally() const {
    return tally_of([](const PairEffect&) { return true; });
  }
  [[nodiscard]] PairTally tally(std::size_t measure) const {
    return tally_of([&](const PairEffect& e) { return e.measure == measure; });
  }
  [[nodiscard]] PairTally tally(std::size_t measure, std::size_t pair) const {
    return tally_of([&](const PairEffect& e) { return e.measure == measure && e.pair == pair; });
  }
};

namespace detail {

inline SideValues values_of(const Side& side) {
  SideValues out;
  if (side.empty()) return out;
  for (const RunValue& run : side) out.runs.push_back(run.value);
  const auto [least, greatest] = std::minmax_element(out.runs.begin(), out.runs.end());
  out.least = *least;
  out.greatest = *greatest;
  out.median = median_value(side);
  return out;
}

/// A difference is found at the level that all comparisons share, lest one of many be found by chance. Equality is
/// shown at the level of the question: it is claimed of a comparison only when that one shows it, so many comparisons
/// make no false claim likelier. The interval shown is the one that decided; of an open comparison that which shows it
/// open.
template <class At>
std::pair<Contrast, PairOutcome> decide(const At& at, double each, double level, const std::optional<double>& margin) {
  if (!margin) {
    Contrast strict = at(each);
    const PairOutcome outcome = differs(strict) ? PairOutcome::kDiffers : PairOutcome::kInconclusive;
    return {std::move(strict), outcome};
  }
  Contrast single = at(level);
  const Effect& effect = single.effect;
  const bool decides = effect.scope == Scope::kBetweenRun && !std::isnan(effect.lo);
  const bool equivalent = decides && effect.lo >= 1 / (1 + *margin) && effect.hi <= 1 + *margin;
  const PairOutcome otherwise = equivalent ? PairOutcome::kEquivalent : PairOutcome::kInconclusive;
  const bool leaves_out_one = effect.lo > 1 || effect.hi < 1;
  // An interval at the stricter level is the wider one, and the bootstrap of it the longer one: where this one holds 1
  // it does too, and is not made.
  if (!leaves_out_one) return {std::move(single), otherwise};
  Contrast strict = at(each);
  if (differs(strict)) return {std::move(strict), PairOutcome::kDiffers};
  return {equivalent ? std::move(single) : std::move(strict), otherwise};
}

/// Names of all strata of pairs of one label, told apart among each other.
inline std::vector<std::vector<std::string>> names_of(const std::vector<LabelPair>& pairs,
                                                      const std::vector<std::vector<Stratum>>& strata) {
  std::vector<std::vector<std::string>> out(pairs.size());
  std::map<std::string, std::vector<LabelTexts>> by_label;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (const Stratum& stratum : strata[p]) by_label[pairs[p].label].push_back(stratum.labels);
  }
  std::map<std::string, std::size_t> next;
  std::map<std::string, std::vector<std::string>> names;
  for (const auto& [label, labels] : by_label) names[label] = telling_names(labels, "the pair");
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (std::size_t s = 0; s < strata[p].size(); ++s) out[p].push_back(names[pairs[p].label][next[pairs[p].label]++]);
  }
  return out;
}

}  // namespace detail

/// Matches the pairs, counts what can be compared before anything is, and judges every measure of every stratum by its
/// interval at the level that all of them share. Throws std::invalid_argument for a label that is not declared.
inline PairStudy compare_pairs(const StudyView& view, PairDesign design) {
  PairStudy out;
  PairMatching matching = match_pairs(view, design.pairs);
  out.pairs = std::move(design.pairs);
  out.measures = std::move(design.measures);
  out.margin = design.margin;
  out.strata = std::move(matching.strata);
  out.left_out = std::move(matching.unmatched);
  out.names = detail::names_of(out.pairs, out.strata);
  out.floors.assign(out.pairs.size(), std::vector<NoiseFloor>(out.measures.size()));
  out.level = view.level();

  std::vector<detail::Sides> sides;
  for (std::size_t m = 0; m < out.measures.size(); ++m) {
    const Measure& measure = out.measures[m];
    for (std::size_t p = 0; p < out.pairs.size(); ++p) {
      for (std::size_t s = 0; s < out.strata[p].size(); ++s) {
        const Stratum& stratum = out.strata[p][s];
        if (design.speaks && !design.speaks(stratum, measure)) continue;
        detail::Sides both(view, stratum, measure.metric, measure.dims);
        if (!both.measured()) continue;
        out.tests += measure.decides && both.has_ratio() ? 1U : 0U;
        out.effects.push_back({p, s, m, both.lengths, detail::values_of(both.base), detail::values_of(both.treated)});
        sides.push_back(std::move(both));
      }
    }
  }
  out.each = shared_level(out.tests, out.level);

  const std::vector<std::vector<RunReports>> equal = equal_runs(view);
  std::map<std::pair<std::string, std::size_t>, NoiseFloor> floors;  // by label under test and measure
  for (std::size_t i = 0; i < out.effects.size(); ++i) {
    PairEffect& effect = out.effects[i];
    if (!sides[i].has_ratio()) continue;
    const Measure& measure = out.measures[effect.measure];
    const LabelPair& pair = out.pairs[effect.pair];
    const auto [floor, fresh] = floors.try_emplace({pair.label, effect.measure});
    if (fresh) floor->second = noise_floor(view, equal, measure.metric, measure.dims, pair.label);
    out.floors[effect.pair][effect.measure] = floor->second;
    const auto at = [&](double level) {
      return sides[i].ratio(view, measure.metric, measure.dims, floor->second, level, design.id + "/" + pair.name);
    };
    auto [contrast, outcome] = detail::decide(at, out.each, out.level, out.margin);
    effect.contrast = std::move(contrast);
    effect.outcome = outcome;
  }
  return out;
}

}  // namespace assay
