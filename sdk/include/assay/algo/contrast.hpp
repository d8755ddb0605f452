// Effects of a label on a metric, with intervals that may decide, and the verdict that an interval allows.
//
// The rule, for runs with values b_1..b_nb (base) and t_1..t_nt (treated):
//   effect       geometric mean of t over that of b. Not medians: of runs in two clock states the median jumps.
//   between runs t interval of the difference of the means of logs, by the spread rule of spread.hpp: own spreads,
//   moderated ones
//                of few runs, those of other groups of equal runs for a single run. Scope between-run.
//   within runs  where a side has fewer than three runs and every run's fact at least two samples, all positive: of at
//   least 20
//                samples a side a BCa block bootstrap of the effect, runs resampled each on its own; of fewer the exact
//                Hodges-Lehmann interval of the log samples, each run's centred on its side's median, stretched to
//                contain the effect. How a run's value follows from its samples (median or mean) is read off the fact.
//   interval     distances of both from the effect as the root of the sum of squares. Where only the one within runs is
//   known:
//                that, with scope within-run, which never decides.
//   lengths      a metric that grows with the length of a run (MetricSpec::extensive) is divided by the number of
//                iterations where that is not the same in all runs, and not compared where it is known of some runs
//                only.
//   shares       a metric that is a share everywhere (NoiseFloor::logits) has its mean and spread in logits. The
//   interval of a
//                level is that of its logit; the one of a ratio is MOVER (Zou and Donner 2008) of the two shares'
//                intervals. A run at 0 or 1 does not change the scale (NoiseFloor::nearest).
// An effect whose between-run interval holds 1 lies inside the noise floor, so that `judge` can give a verdict only on
// a claim of equivalence.
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

/// An effect with what it rests on. `effect.method` and `effect.metric` are views: set the former from `method` when
/// handing the effect out; the latter borrows the study.
struct Contrast {
  /// What the between-run interval rests on, for those who plan further runs. Nothing known: `degrees` is 0.
  struct Basis {
    bool logits = false;   ///< the scale of `centre` and `sd`: logits (levels of shares), or logs
    double centre = 0;     ///< the effect on that scale
    double sd = 0;         ///< spread of a run, or of the difference of a recorded block
    double degrees = 0;    ///< of freedom of `sd`
    std::size_t runs = 0;  ///< of the smaller side, or blocks
  };
  Effect effect;
  Basis basis{};
  std::string method;                  ///< how the interval was made, for people
  std::vector<std::int64_t> evidence;  ///< rows of Study::facts: base runs, then treated ones
  bool inside_noise_floor = false;     ///< not beyond the spread between equal runs; false when that is not known
};

/// The value of one run and the samples it summarises. Of a job: the median of its ranks, and of their samples one by
/// one (iteration by iteration) where all have equally many; else none.
struct RunValue {
  std::size_t report = 0;          ///< the first
  std::vector<std::size_t> facts;  ///< one a rank
  double value = 0;
  std::vector<double> samples;

  /// Whether the value is the samples' mean and not their median.
  [[nodiscard]] bool is_mean() const;
};
using RunSide = std::vector<RunValue>;

/// One value a run: the ranks of a job are one. Samples of a value that is divided by the iterations are left out: they
/// are of single iterations or kernels already.
RunSide side_of(const StudyView& view, const Runs& reports, std::string_view metric, std::string_view dims,
                const Lengths& lengths);

double median_value(const RunSide& side);

bool all_positive(const RunSide& side);

Contrast contrast_of(const StudyView& view, EffectKind kind, std::string_view metric, const RunSide& base,
                     const RunSide& treated, double level);

/// Both sides of one stratum in one metric, brought to one length.
struct RunSides {
  Lengths lengths;
  RunSide base, treated;

  RunSides(const StudyView& view, const Stratum& stratum, std::string_view metric, std::string_view dims)
      : lengths(lengths_of(view, stratum.base, stratum.treated, metric, dims)),
        base(side_of(view, stratum.base, metric, dims, lengths)),
        treated(side_of(view, stratum.treated, metric, dims, lengths)) {}
  /// Whether both sides were measured.
  [[nodiscard]] bool measured() const { return !base.empty() && !treated.empty(); }
  /// Whether there is a ratio.
  [[nodiscard]] bool has_ratio() const;

  /// The ratio; only where `has_ratio`.
  [[nodiscard]] Contrast ratio(const StudyView& view, std::string_view metric, std::string_view dims,
                               const NoiseFloor& floor, double level, std::string_view seed) const;
};

/// Effect of the treatment in one stratum as a ratio, by the rule above, at confidence `level` (0..1). `seed` names the
/// random stream (the claim's id): equal seeds and data give equal bits. Runs without the fact are left out of `n` and
/// `evidence`. Nothing when a side has no run with the fact, a value is not positive, or the runs are not comparable in
/// their lengths (lengths_of says why).
std::optional<Contrast> ratio_contrast(const StudyView& view, const Stratum& stratum, std::string_view metric,
                                       std::string_view dims, const NoiseFloor& floor, double level,
                                       std::string_view seed);

/// The metric itself in the runs of one cell: their median, with an interval by the same rule. Values that are not
/// positive have a level and no interval. Nothing when no run has the fact, or when it grows with the length of runs
/// that are not known to be equally long.
std::optional<Contrast> level_contrast(const StudyView& view, const Runs& reports, std::string_view metric,
                                       std::string_view dims, const NoiseFloor& floor, double level,
                                       std::string_view seed);

/// The one rule by which analyzers call a ratio a difference: by an interval that holds the spread between runs, leaves
/// out 1 and is not inside the noise floor. Ask it of a contrast at the level that all comparisons share.
bool differs(const Contrast& contrast);

/// What an interval allows to say of the claim that the effect lies in [lo, hi] (infinities for one-sided claims):
/// supported when it lies inside, refuted when wholly outside; inconclusive when it straddles an end, when only the
/// spread within runs is known, or when there is no interval.
Verdict judge(const Effect& effect, double lo, double hi);

}  // namespace assay
