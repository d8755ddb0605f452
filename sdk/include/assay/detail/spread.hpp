// Error of the mean of a few runs: the rule behind every interval for runs that were not recorded in blocks.
//
// Values are logs (for shares: logits) and each side of a comparison is summarized by the mean of its runs. The spread
// of a side:
// own        from its own runs, for at least kOwnRuns runs: Welch's interval with the degrees of freedom of
//            Satterthwaite minus one, and at least those of the smaller side.
// moderated  for fewer runs: own and pooled variance weighted by their degrees of freedom, (d0 s0^2 + d s^2) / (d0 +
//            d), with d0 + d degrees (Smyth 2004), but never less than the own one. d0 is the information of the pooled
//            variance on a single group: the less the groups of equal runs agree on their variance, the less. It is the
//            lower 90 % limit of its estimate, from the variance of log s^2 over groups. The interval is at least as
//            wide as that of the pooled spread: three runs that happen to share a clock state must not look more
//            precise than others were.
// borrowed   a side of one run has only the pooled spread, with d0 degrees, if at least kBorrowedGroups groups show how
//            much programs vary; else it has none. With at least kLargestGroups groups the spread of the largest
//            suffices, if that is narrower: another program exceeds all of them in at most 5 % of cases.
// Means and not medians: the median of runs in two clock states jumps between them, which no t interval covers.
// Simulated in tests/simulate.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace assay {

inline constexpr std::size_t kOwnRuns = 5;         ///< min runs of a side for its own spread
inline constexpr std::size_t kLargestGroups = 19;  ///< number of groups such that another one exceeds the largest in 5
                                                   ///< % of cases
inline constexpr std::size_t kBorrowedGroups = 6;  ///< min groups of equal runs for the spread of a single run

/// Squared deviations from the mean within one group of equal runs, and the number of its runs minus 1.
struct SpreadGroup {
  double squares = 0, degrees = 0;
};

/// Information of groups of equal runs on the variance of another group.
struct SpreadPrior {
  double variance = 0;  ///< pooled over the groups
  double degrees = 0;   ///< of freedom of the pooled variance; 0: no group of two runs
  double worth = 0;     ///< degrees of freedom that it is worth for a single group; infinity: all groups agree
  std::size_t groups = 0;
  double largest = 0;  ///< largest variance of a group
};

/// Ignores groups of one run.
SpreadPrior spread_prior(std::span<const SpreadGroup> groups);

/// One side of a comparison: mean of its runs and their squared deviations from it.
struct RunMean {
  std::size_t runs = 0;
  double mean = 0, squares = 0;
};
RunMean run_mean(std::span<const double> values);

/// Error of a difference of means (or of one mean).
struct MeanError {
  double half = 0;     ///< half-width of the interval
  double sd = 0;       ///< spread of a run used for it
  double degrees = 0;  ///< of freedom of that spread
};

/// For the difference of two sides, or one side, at confidence `level` (0..1). `prior` includes the sides' own groups.
/// The standard error is multiplied by `widening`; the degrees of freedom of the sides' own spread are at most `most`
/// (run_order.hpp). Empty if a side has no spread.
std::optional<MeanError> mean_error(std::span<const RunMean> sides, const SpreadPrior& prior, double level,
                                    double widening = 1, double most = std::numeric_limits<double>::infinity());

/// A claim that a difference of `sides` (1 or 2) is in [lo, hi], judged at confidence `level`.
struct RunClaim {
  double lo = -std::numeric_limits<double>::infinity(), hi = std::numeric_limits<double>::infinity();
  double level = 0.95;
  std::size_t sides = 2;
};

/// Runs per side that put the interval of a difference `centre` inside or entirely outside of the claimed range, if the
/// spread stays `sd`; at least 2, `most` + 1 if more than `most`.
std::size_t runs_needed(double centre, double sd, const RunClaim& claim, std::size_t most);

/// Runs per side with that difference and spread that decide the claim with probability `power`; `most` + 1 if more
/// than `most`.
std::size_t runs_for_power(double centre, double sd, const RunClaim& claim, double power, std::size_t most);

}  // namespace assay
