// How far the mean of a few runs may be from the truth: the rule behind every interval of runs that were not recorded
// in blocks.
//
// Values are logs (of shares: logits) and each side of a comparison is summed up by the mean of its runs. The spread of
// a side:
//   own        from its own runs, for sides of at least kOwnRuns runs: Welch's interval with the degrees of freedom of
//              Satterthwaite less one, and at least those of the smaller side.
//   moderated  of fewer runs: own and pooled variance weighted by their degrees of freedom, (d0 s0^2 + d s^2) / (d0 +
//   d), with
//              d0 + d degrees (Smyth 2004), but never less than the own one. d0 is what the pooled variance is worth to
//              a single group: the less the groups of equal runs agree on their variance, the less. It is the lower 90
//              % limit of its estimate, from the variance of log s^2 over groups. The interval is at least as wide as
//              the one of the pooled spread: three runs that happen to share a clock state do not look more precise
//              than others were.
//   borrowed   a side of one run has the pooled spread alone, with d0 degrees, where at least kBorrowedGroups groups
//   tell
//              how unlike programs are; else it has none. With at least kLargestGroups groups the spread of the largest
//              is enough, if that is narrower: another program is noisier than all of them in 5 % of cases at most.
// Means and not medians: the median of runs in two clock states jumps from one to the other, and no t interval holds
// that. What this costs and keeps is simulated in tests/simulate.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace assay {

inline constexpr std::size_t kOwnRuns = 5;         ///< runs of a side from which its own spread is enough
inline constexpr std::size_t kLargestGroups = 19;  ///< groups of which another one exceeds the largest in 5 % of cases
inline constexpr std::size_t kBorrowedGroups = 6;  ///< groups of equal runs without which a single run has no spread

/// Squared deviations from the mean within one group of equal runs, and its runs - 1.
struct SpreadGroup {
  double squares = 0, degrees = 0;
};

/// What groups of equal runs tell about the variance of another group.
struct SpreadPrior {
  double variance = 0;  ///< pooled over the groups
  double degrees = 0;   ///< of freedom, of the pooled variance; 0: there is no group of two runs
  double worth = 0;     ///< degrees of freedom that it is worth to a single group; at most infinity: all groups agree
  std::size_t groups = 0;
  double largest = 0;  ///< variance of the group that has the largest
};

/// Groups of one run tell nothing and are left out.
SpreadPrior spread_prior(std::span<const SpreadGroup> groups);

/// One side of a comparison: the mean of its runs and their squared deviations from it.
struct RunMean {
  std::size_t runs = 0;
  double mean = 0, squares = 0;
};
RunMean run_mean(std::span<const double> values);

/// How far a difference of means (or one mean) may be off.
struct MeanError {
  double half = 0;     ///< half-width of the interval
  double sd = 0;       ///< the spread of a run that it rests on
  double degrees = 0;  ///< of freedom of that spread
};

/// Of the difference of two sides, or of one side alone, at confidence `level` (0..1). `prior` holds the sides' own
/// groups too. The standard error is multiplied by `widening`, the degrees of the sides' own spread are at most `most`
/// (run_order.hpp). Nothing where a side has no spread.
std::optional<MeanError> mean_error(std::span<const RunMean> sides, const SpreadPrior& prior, double level,
                                    double widening = 1, double most = std::numeric_limits<double>::infinity());

/// A claim that a difference of `sides` (1 or 2) lies in [lo, hi], judged at confidence `level`.
struct RunClaim {
  double lo = -std::numeric_limits<double>::infinity(), hi = std::numeric_limits<double>::infinity();
  double level = 0.95;
  std::size_t sides = 2;
};

/// Runs of each side that put the interval of a difference `centre` inside of the claimed range or wholly outside, if
/// the spread stays `sd`; at least 2, more than `most`: `most` + 1.
std::size_t runs_needed(double centre, double sd, const RunClaim& claim, std::size_t most);

/// Runs of each side, of that difference and spread, that decide the claim with probability `power`; more than `most`:
/// `most` + 1.
std::size_t runs_for_power(double centre, double sd, const RunClaim& claim, double power, std::size_t most);

}  // namespace assay
