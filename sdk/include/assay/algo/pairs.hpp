// Comparison of matched pairs, for all analyzers: participants, noise floor, number of comparisons that share the
// error, effects, and what was left out (statistics.md). pair_outputs.hpp writes the results.
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

/// A compared quantity: the facts of a metric with these dims.
struct Measure {
  std::string metric;
  std::string dims{};   ///< canonical; empty for none
  bool decides = true;  ///< whether its comparisons count for the error level; false if nothing is decided by them

  /// Metric and values of the dims: "copy.bandwidth_bytes_per_s h2d".
  [[nodiscard]] std::string name() const;
  /// Keys and values of the dims, decoded; empty for none.
  [[nodiscard]] LabelTexts texts() const;
};

/// Dims of the facts kClaimedRatio and so on. `labels`: those held fixed.
LabelTexts claimed_dims(const Measure& measure, const LabelPair& pair, const LabelTexts& labels);

/// Measures of some metrics that participants have, one per set of dims; by metric as given, then dims.
std::vector<Measure> measures_of(const StudyView& view, const std::vector<std::string>& metrics);

struct PairDesign {
  std::string id;                ///< of the analyzer; names the random streams
  std::vector<LabelPair> pairs;  ///< of one label (label_pairs), or of several
  std::vector<Measure> measures;
  std::optional<double> margin{};  ///< equal: the ratio is in 1 / (1 + margin) .. 1 + margin; empty: not tested
  /// Whether a measure applies to a stratum; null: always. If not, nothing is compared and nothing is reported here.
  std::function<bool(const Stratum&, const Measure&)> speaks{};
};

enum class PairOutcome {
  kDiffers,       ///< the interval at the shared level, which includes the spread between runs, excludes 1
  kEquivalent,    ///< the whole interval is within the margin
  kInconclusive,  ///< neither, or the spread between runs is unknown
};

/// "differs", "equivalent", "inconclusive": as in facts.
constexpr std::string_view outcome_word(PairOutcome outcome) {
  return outcome == PairOutcome::kDiffers      ? "differs"
         : outcome == PairOutcome::kEquivalent ? "equivalent"
                                               : "inconclusive";
}

/// Values of the runs of one side, in the unit of the metric or per iteration (Lengths); NaN without runs.
struct SideValues {
  double median = std::numeric_limits<double>::quiet_NaN(), least = median, greatest = median;
  std::vector<double> runs;  ///< one value per run; the ranks of a job are one run
};

/// One measure in one stratum that has it on both sides.
struct PairEffect {
  std::size_t pair = 0, stratum = 0, measure = 0;  ///< PairStudy::pairs, ::strata[pair], ::measures
  Lengths lengths;                                 ///< how runs of unequal length were normalized
  SideValues base, treated;
  std::optional<Contrast> contrast{};  ///< empty: a value is not positive, or `lengths` refuses
  bool claimed = false;                ///< a claim is judged on it: `contrast` has that effect and its interval
  std::size_t blocks = 0;              ///< of a recording, by which the claim is judged; 0: by runs
  PairOutcome outcome = PairOutcome::kInconclusive;
};

/// Outcomes of several comparisons.
struct PairTally {
  std::size_t made = 0, differs = 0, equivalent = 0;                  ///< comparisons with a ratio; of them
  double low = std::numeric_limits<double>::infinity(), high = -low;  ///< of the ratios; infinite without any
  bool per_iteration = false;                                         ///< some of them are per iteration

  /// Number of inconclusive comparisons.
  [[nodiscard]] std::size_t open() const { return made - differs - equivalent; }
  /// Common outcome: "lower" or "higher" if all differ in one direction, "mixed" if some differ, "equal" if all are
  /// equivalent, "not measured" without any, else "inconclusive".
  [[nodiscard]] std::string_view word() const;
};

/// Result of compare_pairs.
struct PairStudy {
  std::vector<LabelPair> pairs;
  std::vector<Measure> measures;
  std::optional<double> margin;
  std::vector<std::vector<Stratum>> strata;     ///< by pair
  std::vector<std::vector<std::string>> names;  ///< by pair and stratum: distinguishing name
  std::vector<std::vector<NoiseFloor>> floors;  ///< by pair and measure; unknown if nothing is compared
  std::vector<PairEffect> effects;              ///< by measure, pair, stratum
  std::vector<UnmatchedReport> left_out;        ///< runs in no pair, without duplicates
  std::size_t tests = 0;                        ///< number of comparisons that share the error; not those of claims
  double level = 0.95;                          ///< 0..1, of the question, shared by all comparisons
  double each = 0.95;                           ///< level of each test: 1 - (1 - level) / tests
  double joint_level = 0.95;                    ///< of the joint effects, shared by the measures and pairs of values

  [[nodiscard]] const LabelPair& pair_of(const PairEffect& e) const { return pairs[e.pair]; }
  [[nodiscard]] const Measure& measure_of(const PairEffect& e) const { return measures[e.measure]; }
  [[nodiscard]] const Stratum& stratum_of(const PairEffect& e) const { return strata[e.pair][e.stratum]; }
  [[nodiscard]] const NoiseFloor& floor_of(const PairEffect& e) const { return floors[e.pair][e.measure]; }
  [[nodiscard]] const std::string& name_of(const PairEffect& e) const { return names[e.pair][e.stratum]; }

  /// Effects with a ratio, by measure, pair, stratum.
  [[nodiscard]] std::vector<const PairEffect*> made() const;
  /// Effects for which `of` is true.
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
  /// Tally of all effects with a ratio, of those of one measure, or of one measure and pair.
  [[nodiscard]] PairTally tally() const;
  [[nodiscard]] PairTally tally(std::size_t measure) const;
  [[nodiscard]] PairTally tally(std::size_t measure, std::size_t pair) const;

  /// Joint effect of all strata of one pair of values; `pairs` is 0 if none has a ratio. Decides nothing if base and
  /// treated runs were recorded on different days, since the day cannot be distinguished from the treatment.
  [[nodiscard]] JointEffect joint(std::size_t measure, std::size_t pair) const;
  /// Ratio and level of the means that claims are judged on, by measure and pair.
  std::map<std::pair<std::size_t, std::size_t>, std::pair<double, double>> claimed_means;
  std::vector<char> days_apart;  ///< by pair: no base run was recorded on a day of a treated one
};

namespace detail {

/// Uses the level shared by all comparisons for both differences and equality, so that none of many is found by chance.
inline PairOutcome outcome_of(const Contrast& contrast, const std::optional<double>& margin) {
  if (differs(contrast)) return PairOutcome::kDiffers;
  const Effect& effect = contrast.effect;
  const bool decides = margin && effect.scope == Scope::kBetweenRun;
  return decides && effect.lo >= 1 / (1 + *margin) && effect.hi <= 1 + *margin ? PairOutcome::kEquivalent
                                                                               : PairOutcome::kInconclusive;
}

}  // namespace detail

/// Whether no run of `base` was recorded on a day (UTC) of a run of `treated`; false if a run has no date, or without
/// runs on a side.
bool recorded_days_apart(const StudyView& view, const std::vector<std::size_t>& base,
                         const std::vector<std::size_t>& treated);

/// Matches the pairs, counts the possible comparisons first, and judges every measure of every stratum by its interval
/// at their shared level (Bonferroni). What a claim is judged on has the claim's interval and level instead, if its
/// analyzer concluded before (kClaimedRatio), so that one effect has one interval. Throws std::invalid_argument for an
/// undeclared label.
PairStudy compare_pairs(const StudyView& view, PairDesign design);

}  // namespace assay
