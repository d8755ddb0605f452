// Effects of a label on a metric, with intervals that may decide, and the verdict that an interval allows.
//
// The rule, on the log scale, for runs with values b_1..b_nb (base) and t_1..t_nt (treated):
//   effect       median(t) / median(b).
//   within runs  where every run's fact has at least two samples, all positive: of at least 20 samples a side a BCa
//   block
//                bootstrap of the effect, runs resampled each on its own; of fewer the exact Hodges-Lehmann interval of
//                the log samples, each run's centred on its side's median, stretched to contain the effect. How a run's
//                value follows from its samples (median or mean) is read off the fact.
//   between runs spread s with f degrees: the noise floor's, pooled with the spread of each side that has replicates,
//   unless
//                that side's runs already stand in one group of the floor. It is known when the floor is, or when both
//                sides have replicates. Half-width h = t_f * s * sqrt(v(nb) + v(nt)), v(n) = variance of the median of
//                n normals.
//   interval     where s is known: each end of the within-run interval moved away from the effect to sqrt(d^2 + h^2), d
//   its
//                distance; without a within-run interval d = 0, since s holds the runs' own sampling error too. Scope
//                between-run. Where s is not known: the within-run interval, scope within-run, which never decides.
//   lengths      a metric that grows with the length of a run (MetricSpec::extensive) is divided by the number of
//                iterations where that is not the same in all runs, and not compared where it is known of some runs
//                only.
//   shares       a metric that is a share everywhere (NoiseFloor::logits) is compared by logits instead of logs:
//                spread, half-width and ends are those of logits, so that no share in an interval lies outside of 0..1.
//                The effect and its ends are ratios all the same: base times the end is a share. Where one is 0 or 1 it
//                has no logit; the interval is of logs then and ends at 1.
// An effect with |log effect| <= h lies inside the noise floor. Its interval then contains 1, so that `judge` can give
// a verdict only on a claim of equivalence.
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

#include "assay/algo/lengths.hpp"
#include "assay/algo/matching.hpp"
#include "assay/algo/noise.hpp"
#include "assay/algo/participation.hpp"
#include "assay/algo/stats.hpp"
#include "assay/output.hpp"
#include "assay/study.hpp"

namespace assay {

/// An effect with what it rests on. `effect.method` and `effect.metric` are views: set the former from `method` when
/// handing the effect out; the latter borrows the study.
struct Contrast {
  Effect effect;
  std::string method;                  ///< how the interval was made, for people
  std::vector<std::int64_t> evidence;  ///< rows of Study::facts: base runs, then treated ones
  bool inside_noise_floor = false;     ///< not beyond the spread between equal runs; false when that is not known
};

namespace detail {

/// Samples a side from which the bootstrap may be trusted (statistics.md).
inline constexpr std::size_t kBootstrapSamples = 20;

/// The value of one run and the samples it summarises. Of a job: the median of its ranks, and of their samples one by
/// one (iteration by iteration) where all have equally many; else none.
struct RunValue {
  std::size_t report = 0;          ///< the first
  std::vector<std::size_t> facts;  ///< one a rank
  double value = 0;
  std::vector<double> samples;

  /// Whether the value is the samples' mean and not their median.
  [[nodiscard]] bool is_mean() const {
    const auto off = [&](double summary) { return std::abs(summary - value) > 1e-9 * std::abs(value); };
    return !off(mean(samples)) && off(median(samples));
  }
};
using Side = std::vector<RunValue>;

inline std::vector<double> joint_samples(const StudyView& view, const std::vector<std::size_t>& facts) {
  const auto first = view.samples(facts.front());
  std::vector<double> joint(first.begin(), first.end());
  if (facts.size() == 1) return joint;
  for (const std::size_t fact : facts) {
    if (view.samples(fact).size() != joint.size()) return {};
  }
  for (std::size_t i = 0; i < joint.size(); ++i) {
    std::vector<double> ranks;
    for (const std::size_t fact : facts) ranks.push_back(view.samples(fact)[i]);
    joint[i] = median_in_place(ranks);
  }
  return joint;
}

/// One value a run: the ranks of a job are one. Samples of a value that is divided by the iterations are left out: they
/// are of single iterations or kernels already.
inline Side side_of(const StudyView& view, std::span<const std::size_t> reports, std::string_view metric,
                    std::string_view dims, const Lengths& lengths) {
  Side side;
  for (const RunReports& run : as_runs(view, reports)) {
    RunValue out;
    out.report = run.front();
    std::vector<double> values;
    for (const std::size_t r : run) {
      const auto fact = view.fact(static_cast<Row>(r), metric, dims);
      const auto value = value_for(view, r, metric, dims, lengths);
      if (!fact || !value) continue;
      out.facts.push_back(*fact);
      values.push_back(*value);
    }
    if (values.empty()) continue;
    out.value = median_in_place(values);
    if (!lengths.per_iteration) out.samples = joint_samples(view, out.facts);
    side.push_back(std::move(out));
  }
  return side;
}

inline double median_value(const Side& side) {
  std::vector<double> values;
  for (const RunValue& run : side) values.push_back(run.value);
  return median_in_place(values);
}

inline bool all_positive(const Side& side) {
  return std::all_of(side.begin(), side.end(), [](const RunValue& run) { return run.value > 0; });
}

inline bool has_samples(const Side& side) {
  return std::all_of(side.begin(), side.end(), [](const RunValue& run) {
    return run.samples.size() >= 2 && *std::min_element(run.samples.begin(), run.samples.end()) > 0;
  });
}

inline std::size_t sample_count(const Side& side) {
  std::size_t count = 0;
  for (const RunValue& run : side) count += run.samples.size();
  return count;
}

/// Logs of the samples of a side, each run's moved so that its value is the side's median: what is left is within runs.
inline std::vector<double> centred_logs(const Side& side) {
  const double centre = std::log(median_value(side));
  std::vector<double> logs;
  for (const RunValue& run : side) {
    for (const double sample : run.samples) logs.push_back(std::log(sample) - std::log(run.value) + centre);
  }
  return logs;
}

/// An interval on the log scale, and how it was made.
struct LogInterval {
  Bounds bounds;
  std::string method;
};

/// Bootstrap of the log of median(treated) / median(base), or of median(treated) when `base` is empty.
inline Bounds bootstrap_log_effect(const Side& base, const Side& treated, double level, std::uint64_t seed) {
  const auto samples_of = [](const Side& side) {
    std::vector<RunSamples> runs;
    for (const RunValue& run : side)
      runs.push_back({run.samples, run.is_mean() ? RunSummary::kMean : RunSummary::kMedian});
    return runs;
  };
  BootstrapPlan plan;
  plan.level = level;
  plan.seed = seed;
  return bootstrap_log_ratio(samples_of(base), samples_of(treated), plan);
}

/// The within-run interval of the log effect; unknown bounds when the samples do not allow one.
inline LogInterval within_runs(const Side& base, const Side& treated, double log_effect, double level,
                               std::uint64_t seed) {
  if (!has_samples(base) || !has_samples(treated)) return {};
  LogInterval out;
  const bool enough =
      (base.empty() || sample_count(base) >= kBootstrapSamples) && sample_count(treated) >= kBootstrapSamples;
  if (enough) {
    out = {bootstrap_log_effect(base, treated, level, seed), "BCa block bootstrap over iterations"};
  } else if (!base.empty()) {
    out = {hodges_lehmann_interval(centred_logs(base), centred_logs(treated), level), "Hodges-Lehmann over iterations"};
  }
  if (!out.bounds.finite()) return {};
  out.bounds.lo = std::min(out.bounds.lo, log_effect);
  out.bounds.hi = std::max(out.bounds.hi, log_effect);
  return out;
}

/// Spread between runs: standard deviation of logs (of shares: logits) and its degrees of freedom.
struct RunSpread {
  double squares = 0, degrees = 0;
  bool logits = false;

  explicit RunSpread(const NoiseFloor& floor) : degrees(floor.degrees), logits(floor.logits) {
    const double of_floor = logits ? floor.sd_logit : floor.sd_log;
    squares = of_floor * of_floor * degrees;
  }
  /// Pools a side's replicates in, unless they are one group of the floor and so counted already.
  void pool(const Side& side, const NoiseFloor& floor) {
    const auto group = [&](const RunValue& run) {
      return run.report < floor.group_of_report.size() ? floor.group_of_report[run.report] : kNone;
    };
    const bool counted =
        group(side.front()) != kNone &&
        std::all_of(side.begin(), side.end(), [&](const RunValue& run) { return group(run) == group(side.front()); });
    if (counted || side.size() < 2) return;
    std::vector<double> logs;
    for (const RunValue& run : side) logs.push_back(logits ? logit(run.value) : std::log(run.value));
    squares += squared_deviations(logs);
    degrees += static_cast<double>(side.size() - 1);
  }
  [[nodiscard]] double sd() const { return std::sqrt(squares / degrees); }
};

/// Ends of an interval of a share, as ratios to `base` (1 for a level): the within-run ends, and `half` on the scale of
/// logits, around `treated`.
inline Bounds share_ends(double base, double treated, const Bounds& within_logs, double half) {
  constexpr double kNearest = 1e-12;  // to 0 and 1: a logit there has no end
  const double centre = logit(treated);
  const auto distance = [&](double log_ratio) {
    return logit(std::clamp(base * std::exp(log_ratio), kNearest, 1 - kNearest)) - centre;
  };
  const double below = within_logs.known() ? distance(within_logs.lo) : 0;
  const double above = within_logs.known() ? distance(within_logs.hi) : 0;
  const auto share = [](double value) { return 1 / (1 + std::exp(-value)); };
  return {share(centre - root_of_squares(below, half)) / base, share(centre + root_of_squares(above, half)) / base};
}

/// Fills interval, scope and method of a contrast whose value is set; `base` is empty for a level.
inline void set_interval(Contrast& contrast, const Side& base, const Side& treated, const NoiseFloor& floor,
                         double level, std::uint64_t seed) {
  Effect& effect = contrast.effect;
  const double centre = std::log(effect.value);
  const LogInterval within = within_runs(base, treated, centre, level, seed);
  const bool replicates = treated.size() > 1 && (base.empty() || base.size() > 1);
  double half = 0;
  if (floor.known() || replicates) {
    RunSpread spread(floor);
    if (!base.empty()) spread.pool(base, floor);
    spread.pool(treated, floor);
    const double variance = (base.empty() ? 0 : median_variance(base.size())) + median_variance(treated.size());
    half = student_t_quantile((1 + level) / 2, spread.degrees) * spread.sd() * std::sqrt(variance);
    const double apart = base.empty()   ? 0
                         : floor.logits ? logit(median_value(treated)) - logit(median_value(base))
                                        : centre;
    contrast.inside_noise_floor = !base.empty() && std::abs(apart) <= half;
    effect.scope = Scope::kBetweenRun;
    char text[96];
    if (floor.logits) {
      std::snprintf(text, sizeof text, "t interval on a spread between runs of %.2g in logits (%g degrees of freedom)",
                    spread.sd(), spread.degrees);
    } else {
      std::snprintf(text, sizeof text, "t interval on a spread between runs of %.2g %% (%g degrees of freedom)",
                    100 * std::expm1(spread.sd()), spread.degrees);
    }
    contrast.method = text;
  } else if (!within.bounds.known()) {
    contrast.method = "no interval: one run a side and too few samples in it";
    return;
  }
  if (within.bounds.known()) contrast.method += (contrast.method.empty() ? "" : ", widened by ") + within.method;
  if (floor.logits) {
    const double of_base = base.empty() ? 1 : median_value(base);
    const Bounds ends = share_ends(of_base, median_value(treated), within.bounds, half);
    effect.lo = ends.lo;
    effect.hi = ends.hi;
    return;
  }
  const double below = within.bounds.known() ? centre - within.bounds.lo : 0;
  const double above = within.bounds.known() ? within.bounds.hi - centre : 0;
  effect.lo = std::exp(centre - root_of_squares(below, half));
  effect.hi = std::exp(centre + root_of_squares(above, half));
  if (floor.share) effect.hi = std::min(effect.hi, 1 / (base.empty() ? 1 : median_value(base)));
}

inline Contrast contrast_of(const StudyView& view, EffectKind kind, std::string_view metric, const Side& base,
                            const Side& treated, double level) {
  Contrast contrast;
  contrast.effect.kind = kind;
  contrast.effect.metric = view.study().metrics->id[*view.metric(metric)];
  contrast.effect.level = level;
  contrast.effect.n = static_cast<std::int64_t>(base.size() + treated.size());
  for (const Side* side : {&base, &treated}) {
    for (const RunValue& run : *side)
      contrast.evidence.insert(contrast.evidence.end(), run.facts.begin(), run.facts.end());
  }
  return contrast;
}

inline std::uint64_t contrast_seed(std::string_view seed, std::string_view metric, std::string_view dims) {
  return seed_of(std::string(seed) + '\n' + std::string(metric) + '\n' + std::string(dims));
}

/// Both sides of one stratum in one metric, brought to one length.
struct Sides {
  Lengths lengths;
  Side base, treated;

  Sides(const StudyView& view, const Stratum& stratum, std::string_view metric, std::string_view dims)
      : lengths(lengths_of(view, stratum.base, stratum.treated, metric, dims)),
        base(side_of(view, stratum.base, metric, dims, lengths)),
        treated(side_of(view, stratum.treated, metric, dims, lengths)) {}
  /// Whether both sides were measured.
  [[nodiscard]] bool measured() const { return !base.empty() && !treated.empty(); }
  /// Whether there is a ratio.
  [[nodiscard]] bool has_ratio() const {
    return lengths.comparable() && measured() && all_positive(base) && all_positive(treated);
  }

  /// The ratio; only where `has_ratio`.
  [[nodiscard]] Contrast ratio(const StudyView& view, std::string_view metric, std::string_view dims,
                               const NoiseFloor& floor, double level, std::string_view seed) const {
    Contrast contrast = contrast_of(view, EffectKind::kRatio, metric, base, treated, level);
    contrast.effect.value = median_value(treated) / median_value(base);
    set_interval(contrast, base, treated, floor, level, contrast_seed(seed, metric, dims));
    if (lengths.per_iteration) contrast.method += ", of values per iteration";
    return contrast;
  }
};

}  // namespace detail

/// Effect of the treatment in one stratum as a ratio, by the rule above, at confidence `level` (0..1). `seed` names the
/// random stream (the claim's id): equal seeds and data give equal bits. Runs without the fact are left out of `n` and
/// `evidence`. Nothing when a side has no run with the fact, a value is not positive, or the runs are not comparable in
/// their lengths (lengths_of says why).
inline std::optional<Contrast> ratio_contrast(const StudyView& view, const Stratum& stratum, std::string_view metric,
                                              std::string_view dims, const NoiseFloor& floor, double level,
                                              std::string_view seed) {
  const detail::Sides sides(view, stratum, metric, dims);
  if (!sides.has_ratio()) return std::nullopt;
  return sides.ratio(view, metric, dims, floor, level, seed);
}

/// The metric itself in the runs of one cell: their median, with an interval by the same rule. Values that are not
/// positive have a level and no interval. Nothing when no run has the fact, or when it grows with the length of runs
/// that are not known to be equally long.
inline std::optional<Contrast> level_contrast(const StudyView& view, std::span<const std::size_t> reports,
                                              std::string_view metric, std::string_view dims, const NoiseFloor& floor,
                                              double level, std::string_view seed) {
  const Lengths lengths = lengths_of(view, {}, reports, metric, dims);
  if (!lengths.comparable() || lengths.per_iteration) return std::nullopt;
  const detail::Side runs = detail::side_of(view, reports, metric, dims, lengths);
  if (runs.empty()) return std::nullopt;
  Contrast contrast = detail::contrast_of(view, EffectKind::kLevel, metric, {}, runs, level);
  contrast.effect.value = detail::median_value(runs);
  if (detail::all_positive(runs)) {
    detail::set_interval(contrast, {}, runs, floor, level, detail::contrast_seed(seed, metric, dims));
  } else {
    contrast.method = "no interval: a value is not positive";
  }
  return contrast;
}

/// The one rule by which analyzers call a ratio a difference: by an interval that holds the spread between runs, leaves
/// out 1 and is not inside the noise floor. Ask it of a contrast at the level that all comparisons share.
inline bool differs(const Contrast& contrast) {
  const Effect& effect = contrast.effect;
  return effect.scope == Scope::kBetweenRun && !contrast.inside_noise_floor && (effect.lo > 1 || effect.hi < 1);
}

/// What an interval allows to say of the claim that the effect lies in [lo, hi] (infinities for one-sided claims):
/// supported when it lies inside, refuted when wholly outside; inconclusive when it straddles an end, when only the
/// spread within runs is known, or when there is no interval.
inline Verdict judge(const Effect& effect, double lo, double hi) {
  if (effect.scope != Scope::kBetweenRun || std::isnan(effect.lo) || std::isnan(effect.hi))
    return Verdict::kInconclusive;
  if (effect.lo >= lo && effect.hi <= hi) return Verdict::kSupported;
  return effect.hi < lo || effect.lo > hi ? Verdict::kRefuted : Verdict::kInconclusive;
}

}  // namespace assay
