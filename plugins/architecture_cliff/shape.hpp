// The shape of one sweep (cliff, gradual or none), and the threshold that separates the runs above the widest gap from
// the rest.
#pragma once

#include <optional>
#include <vector>

#include "assay/algo/block_fit.hpp"
#include "assay/algo/bounds.hpp"
#include "sweep.hpp"

namespace assay::cliff {

/// Thresholds of the classification, printed with the result.
struct Thresholds {
  double min_share = 0.8;  ///< part of the rise that one step must have to be a cliff
  double max_share = 1.2;  ///< upper limit of that part: beyond it the levels fall again after the step
  double k = 3;            ///< the step (cliff) or rise (gradual) must exceed this many residual spreads
  double flat = 0.1;       ///< in the metric: levels after a cliff that differ by less form a plateau
};

/// Degrees of freedom needed to distinguish a step from the spread of the runs.
inline constexpr std::int64_t kMinDegrees = 3;

enum class Kind { kCliff, kGradual, kNone, kUnfit };

/// "cliff", "gradual", "no usable step", "too few settings".
std::string_view kind_name(Kind kind);

struct Shape {
  Kind kind = Kind::kUnfit;
  BlockFit fit;          ///< on the logit (ratios inside 0..1) or log scale
  std::size_t step = 0;  ///< index into fit: the step with the largest part of the rise
  double share = 0;      ///< of the rise
  bool logits = false;   ///< scale of the fit; false: logs
  double level = 0;      ///< confidence of the bounds: that of the question, shared by all steps of all strata
  Bounds step_bounds;    ///< of the step, on the scale of the fit
  Bounds rise_bounds;
  Bounds share_bounds;  ///< by Fieller's theorem; unknown if the rise does not exceed its own error
  std::optional<std::size_t> runner_up;
  double runner_up_share = 0;
  bool plateau = false;                  ///< of a cliff
  double after_low = 0, after_high = 0;  ///< the metric over all runs of the levels after the step
  double before_low = 0, before_high = 0;
};

/// The shapes of all sweeps. A cliff requires t intervals of step and rise that exclude 0, with the fit's degrees of
/// freedom and at a level shared by all steps of all sweeps. Without any effect, at most 1 - `level` of studies report
/// one.
std::vector<Shape> shapes_of(const std::vector<Sweep>& sweeps, const Thresholds& thresholds, double level);

/// A threshold on a score as a predictor of which runs are above the widest gap.
struct Separation {
  double threshold = 0;    ///< scores of at least this are classified as above; infinite: none
  std::size_t errors = 0;  ///< misclassified runs
};

/// The threshold with the fewest errors; among equals the lowest, ignoring margins. `scores` and `above` have one
/// element per run.
Separation separate(const std::vector<double>& scores, const std::vector<char>& above);
/// The errors of a given threshold.
Separation separated_at(double threshold, const std::vector<double>& scores, const std::vector<char>& above);

/// Divides values at their widest gap: the smallest value of the upper group. Empty if all are equal or there are fewer
/// than 3.
std::optional<double> widest_gap(std::vector<double> values);

}  // namespace assay::cliff
