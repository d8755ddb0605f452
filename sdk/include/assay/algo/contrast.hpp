// Effects of a label on a metric with intervals, and the verdict that an interval permits.
//
// The rule, for runs with values b_1..b_nb (base) and t_1..t_nt (treated):
// effect        geometric mean of t over that of b. Not medians: with runs in two clock states the median jumps.
// between runs  t interval of the difference of mean logs, by the spread rule of spread.hpp: own spreads, moderated
//               ones for few runs, those of other groups of equal runs for a single run. Scope between-run.
// within runs   if a side has fewer than three runs and every run's fact has at least two samples, all positive: with
//               at least 20 samples per side a BCa block bootstrap of the effect, each run resampled separately; with
//               fewer the exact Hodges-Lehmann interval of the log samples, each run's centred on its side's median,
//               extended to contain the effect. The fact determines how a run's value follows from samples (median or
//               mean).
// interval      distances of both from the effect, combined as root of the sum of squares. If only the one within runs
//               is known: that, with scope within-run, which never decides.
// lengths       a metric that grows with the length of a run (MetricSpec::extensive) is divided by the number of
//               iterations if that differs between runs, and not compared if it is known for some runs only.
// shares        a metric that is a share in every report (NoiseFloor::logits) has its mean and spread in logits. The
//               interval of a level is that of its logit; that of a ratio is MOVER (Zou and Donner 2008) of the two
//               shares' intervals. A run at 0 or 1 does not change the scale (NoiseFloor::nearest).
// An effect whose between-run interval contains 1 is inside the noise floor, so that `judge` can decide only claims of
// equivalence.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/matching.hpp"
#include "assay/algo/participation.hpp"
#include "assay/algo/stats.hpp"
#include "assay/detail/lengths.hpp"
#include "assay/detail/noise.hpp"
#include "assay/output.hpp"
#include "assay/study.hpp"

namespace assay {

/// An effect with its evidence. `effect.method` and `effect.metric` are views: set the former from `method` before
/// emitting the effect; the latter borrows the study.
struct Contrast {
  /// Basis of the between-run interval, for planning further runs. `degrees` 0: unknown.
  struct Basis {
    bool logits = false;   ///< scale of `centre` and `sd`: logits (levels of shares), else logs
    double centre = 0;     ///< the effect on that scale
    double sd = 0;         ///< spread of a run, or of the difference within a block of a recording
    double degrees = 0;    ///< of freedom of `sd`
    std::size_t runs = 0;  ///< of the smaller side, or blocks
    double widening = 1;   ///< of the interval, because one side was recorded after the other
  };
  Effect effect;  ///< `lo` and `hi` are NaN if there is no interval
  Basis basis{};
  std::string method;                  ///< how the interval was computed, for people
  std::vector<std::int64_t> evidence;  ///< rows of Study::facts: base runs, then treated ones
  bool inside_noise_floor = false;     ///< not beyond the spread between repeat runs; false if that is unknown
};

/// Value of one run and the samples behind it (joined_parts).
struct RunValue {
  std::size_t report = 0;          ///< the first
  std::vector<std::size_t> facts;  ///< rows of Study::facts, one per report that has the fact
  double value = 0;                ///< in the unit of the metric, or per iteration (Lengths)
  std::vector<double> samples;     ///< may be empty

  /// Whether the value is the mean of the samples (to 1e-9) and not their median.
  [[nodiscard]] bool is_mean() const;
};
using RunSide = std::vector<RunValue>;

/// One value per run that has the fact, by first report; the ranks of a job are one run. Without samples if the value
/// is divided by the number of iterations: those are of single iterations or kernels already.
RunSide side_of(const StudyView& view, const Runs& reports, std::string_view metric, std::string_view dims,
                const Lengths& lengths);

/// Median of the values of the runs; NaN when empty.
double median_value(const RunSide& side);

/// Whether every run has a value above 0; true when empty.
bool all_positive(const RunSide& side);

/// A contrast with all but value and interval: kind, metric, level, number of runs, evidence. `base` is empty for a
/// level. Precondition: the metric is declared.
Contrast contrast_of(const StudyView& view, EffectKind kind, std::string_view metric, const RunSide& base,
                     const RunSide& treated, double level);

/// Both sides of one stratum in one metric, normalized to one length.
struct RunSides {
  Lengths lengths;
  RunSide base, treated;

  /// Reads both sides; a side without the fact is empty. `dims`: canonical.
  RunSides(const StudyView& view, const Stratum& stratum, std::string_view metric, std::string_view dims)
      : lengths(lengths_of(view, stratum.base, stratum.treated, metric, dims)),
        base(side_of(view, stratum.base, metric, dims, lengths)),
        treated(side_of(view, stratum.treated, metric, dims, lengths)) {}
  /// Whether both sides were measured.
  [[nodiscard]] bool measured() const { return !base.empty() && !treated.empty(); }
  /// Whether there is a ratio: lengths are comparable, both sides measured, all values positive.
  [[nodiscard]] bool has_ratio() const;

  /// The ratio, like ratio_contrast. Precondition: `has_ratio`.
  [[nodiscard]] Contrast ratio(const StudyView& view, std::string_view metric, std::string_view dims,
                               const NoiseFloor& floor, double level, std::string_view seed) const;
};

/// Ratio of treated to base in one stratum by the rule above, at confidence `level` (0..1). `seed` names the random
/// stream (the claim's id): equal seeds and data give equal bits. Runs without the fact do not count in `n` and
/// `evidence`. Empty if a side has no run with the fact, a value is not positive, or the lengths of the runs are not
/// comparable (see lengths_of).
std::optional<Contrast> ratio_contrast(const StudyView& view, const Stratum& stratum, std::string_view metric,
                                       std::string_view dims, const NoiseFloor& floor, double level,
                                       std::string_view seed);

/// Mean of the metric over the runs of one cell, in its unit, with an interval by the rule above: the geometric mean,
/// for shares the mean in logits. If a value is not positive: the median, without interval. Empty if no run has the
/// fact, or if it grows with the length of runs that are not known to be equally long.
std::optional<Contrast> level_contrast(const StudyView& view, const Runs& reports, std::string_view metric,
                                       std::string_view dims, const NoiseFloor& floor, double level,
                                       std::string_view seed);

/// Whether analyzers may call a ratio a difference: its interval includes the spread between runs, excludes 1, and is
/// not inside the noise floor. False without an interval. Use a contrast at the level shared by all comparisons.
bool differs(const Contrast& contrast);

/// Verdict on the claim that the effect lies in [lo, hi] (infinite for one-sided claims): supported if the interval is
/// inside, refuted if it is outside; inconclusive if it straddles a bound, covers only the within-run spread, or does
/// not exist.
Verdict judge(const Effect& effect, double lo, double hi);

}  // namespace assay
