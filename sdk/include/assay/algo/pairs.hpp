// One comparison of matched pairs for all analyzers: who takes part, how much repeats of one cell differ, how many
// comparisons share the error, what was found, and what was left out (statistics.md). pair_outputs.hpp writes what it
// found.
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
#include "assay/algo/joint.hpp"
#include "assay/algo/matching.hpp"
#include "assay/detail/multiplicity.hpp"
#include "assay/words.hpp"

namespace assay {

/// One thing that is compared: the facts of a metric with these dims.
struct Measure {
  std::string metric;
  std::string dims{};   ///< canonical; empty for none
  bool decides = true;  ///< whether its comparisons share the error level: not where nothing is decided by them

  /// "copy.bandwidth_bytes_per_s h2d".
  [[nodiscard]] std::string name() const;
  /// Its dims, decoded.
  [[nodiscard]] LabelTexts texts() const;
};

/// The measures that reports of the question have of some metrics, one for each set of dims; by metric as given, then
/// dims.
std::vector<Measure> measures_of(const StudyView& view, const std::vector<std::string>& metrics);

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
  [[nodiscard]] std::string_view word() const;
};

struct PairStudy {
  std::vector<LabelPair> pairs;
  std::vector<Measure> measures;
  std::optional<double> margin;
  std::vector<std::vector<Stratum>> strata;     ///< by pair
  std::vector<std::vector<std::string>> names;  ///< by pair and stratum: what tells it from the others
  std::vector<std::vector<NoiseFloor>> floors;  ///< by pair and measure; unknown where nothing is compared
  std::vector<PairEffect> effects;              ///< by measure, pair, stratum
  std::vector<UnmatchedReport> left_out;              ///< runs in no pair, each once
  std::size_t tests = 0;                        ///< comparisons that share the error
  double level = 0.95;                          ///< of the question, shared by all of them
  double each = 0.95;                           ///< at which a difference is found: 1 - (1 - level) / tests
  double joint_level = 0.95;                    ///< of the joint effects: shared by the measures and pairs of values

  [[nodiscard]] const LabelPair& pair_of(const PairEffect& e) const { return pairs[e.pair]; }
  [[nodiscard]] const Measure& measure_of(const PairEffect& e) const { return measures[e.measure]; }
  [[nodiscard]] const Stratum& stratum_of(const PairEffect& e) const { return strata[e.pair][e.stratum]; }
  [[nodiscard]] const NoiseFloor& floor_of(const PairEffect& e) const { return floors[e.pair][e.measure]; }
  [[nodiscard]] const std::string& name_of(const PairEffect& e) const { return names[e.pair][e.stratum]; }

  /// Effects with a ratio, by measure, pair, stratum.
  [[nodiscard]] std::vector<const PairEffect*> made() const;
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
  [[nodiscard]] PairTally tally() const;
  [[nodiscard]] PairTally tally(std::size_t measure) const;
  [[nodiscard]] PairTally tally(std::size_t measure, std::size_t pair) const;

  /// What all strata of one pair of values say together; without `pairs` where none has a ratio. It decides nothing
  /// where base and treated runs were recorded on different days, since then the day cannot be told from the treatment.
  [[nodiscard]] JointEffect joint(std::size_t measure, std::size_t pair) const;
  std::vector<char> days_apart;  ///< by pair: whether no base run was recorded on a day on which a treated one was
};

namespace detail {

/// A difference is found, and equality shown, at the level that all comparisons share, lest one of many be found by
/// chance.
inline PairOutcome outcome_of(const Contrast& contrast, const std::optional<double>& margin) {
  if (differs(contrast)) return PairOutcome::kDiffers;
  const Effect& effect = contrast.effect;
  const bool decides = margin && effect.scope == Scope::kBetweenRun;
  return decides && effect.lo >= 1 / (1 + *margin) && effect.hi <= 1 + *margin ? PairOutcome::kEquivalent
                                                                               : PairOutcome::kInconclusive;
}

}  // namespace detail

/// Whether no run of `base` was recorded on a day (UTC) on which one of `treated` was; false where a run does not say.
bool recorded_days_apart(const StudyView& view, const std::vector<std::size_t>& base,
                         const std::vector<std::size_t>& treated);

/// Matches the pairs, counts what can be compared before anything is, and judges every measure of every stratum by its
/// interval at the level that all of them share. Throws std::invalid_argument for a label that is not declared.
PairStudy compare_pairs(const StudyView& view, PairDesign design);

}  // namespace assay
