// The shape of one sweep: cliff, gradual or none; and what separates the runs above the widest gap from the rest.
#pragma once

#include <optional>
#include <vector>

#include "assay/algo/block_fit.hpp"
#include "assay/algo/bounds.hpp"
#include "sweep.hpp"

namespace assay::cliff {

/// Thresholds of the classification, from the options; all are printed with the result.
struct Thresholds {
  double min_share = 0.8;  ///< of the rise that one step must carry to be a cliff
  double max_share = 1.2;  ///< of the rise that it may carry: beyond it the levels fall again after the step
  double k = 3;            ///< times the residual spread that the step (cliff) or the rise (gradual) must exceed
  double flat = 0.1;       ///< in the metric: levels after a cliff differ by less, to be a plateau
};

/// Degrees of freedom from which a step is told from the spread of the runs.
inline constexpr std::int64_t kLeastDegrees = 3;

enum class Kind { kCliff, kGradual, kNone, kUnfit };

/// "cliff", "gradual", "no usable step", "too few runs".
std::string_view kind_name(Kind kind);

struct Shape {
  Kind kind = Kind::kUnfit;
  BlockFit fit;          ///< on the logit (ratios inside 0..1) or the log scale
  std::size_t step = 0;  ///< index into fit of the step that carries most of the rise
  double share = 0;      ///< of the rise
  bool logits = false;   ///< the scale of the fit; else logs
  double level = 0;      ///< of the bounds: the question's, shared by all steps of all strata
  Bounds step_bounds;    ///< of the step, on the scale of the fit
  Bounds rise_bounds;
  Bounds share_bounds;  ///< by Fieller's theorem; unknown where the rise is not beyond its own error
  std::optional<std::size_t> runner_up;
  double runner_up_share = 0;
  bool plateau = false;                  ///< of a cliff
  double after_low = 0, after_high = 0;  ///< the metric over all runs of the levels after the step
  double before_low = 0, before_high = 0;
};

/// The shapes of all sweeps. A cliff takes a step and a rise whose t intervals, with the fit's degrees of freedom,
/// leave out 0 at a level that all steps of all sweeps share: without any effect at most 1 - `level` of studies have
/// one.
std::vector<Shape> shapes_of(const std::vector<Sweep>& sweeps, const Thresholds& thresholds, double level);

/// A threshold on a score as a predictor of which runs lie above the widest gap.
struct Separation {
  double threshold = 0;    ///< above when the score is at least this; infinite: no run is called so
  std::size_t errors = 0;  ///< runs on the wrong side
};

/// The threshold with the fewest errors; ties: the greatest margin is not sought, the lowest threshold wins. `scores`
/// and `above` have one element a run.
Separation separate(const std::vector<double>& scores, const std::vector<char>& above);
/// The same for a threshold that is given.
Separation separated_at(double threshold, const std::vector<double>& scores, const std::vector<char>& above);

/// Divides values at their widest gap: the least value of the upper group. Nothing when all are equal or there are
/// fewer than 3.
std::optional<double> widest_gap(std::vector<double> values);

}  // namespace assay::cliff
