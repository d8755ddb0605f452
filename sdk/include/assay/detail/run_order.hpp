// Widens the interval of a comparison for the order in which its runs were made.
//
// Consecutive runs are alike: clocks, temperature and the load of the machine change slowly. If all runs of one side
// were made before those of the other, their spread understates how far the sides differ by chance. The rule: treat the
// runs as an AR(1) process in recording order, with correlation r between consecutive runs of the study, and compute
// V   the variance of mean(treated) - mean(base),
// E   the expectation of the variance estimated within the sides, times (1/n_base + 1/n_treated),
// f   the degrees of freedom of that estimate (Satterthwaite: E^2 over half its variance).
// The standard error is multiplied by sqrt(V / E) if that exceeds 1, and its degrees of freedom are at most f. Base and
// treated runs that alternate share what changes slowly, V < E, and nothing is widened.
// r is the largest value that the groups of equal runs of the study do not exclude: the restricted likelihood of r,
// with a mean and a variance per group, is at most kUnlikely below its maximum (log). It is at most
// kAssumedCorrelation, which also applies if the groups are uninformative: one group of three runs, or groups with
// scattered runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "assay/study.hpp"

namespace assay {

/// A little above the correlation of consecutive runs, 0.8, up to which the intervals are to hold.
inline constexpr double kAssumedCorrelation = 0.85;

/// Max distance of a log likelihood from its maximum: the upper 90 % limit of one parameter.
inline constexpr double kUnlikely = 0.82;

/// Text attribute with the recording time of a report, "2026-11-21 01:01:53" (UTC).
inline constexpr std::string_view kRecordedAttribute = "recorded";

/// Index of each report in recording order over the whole study, from 0; kNone if its recording time is unknown.
/// Reports of one job, and of one second, share an index.
std::vector<std::int32_t> recording_order(const StudyView& view);

/// Values of one group of equal runs in recording order, with their indices, which increase.
struct PlacedRuns {
  std::vector<std::int32_t> place;
  std::vector<double> value;
};

/// r of the rule above, from groups of runs with equal scale.
double correlation_limit(std::span<const PlacedRuns> groups);

/// Effect of the run order on the interval of a comparison.
struct RunOrder {
  bool known = false;   ///< all recording times are known; otherwise nothing is widened
  double widening = 1;  ///< factor for the standard error; at least 1
  double degrees = std::numeric_limits<double>::infinity();  ///< max degrees of freedom of this spread; 0: none
  std::string note;                                          ///< a clause on the widening; empty if nothing is widened

  [[nodiscard]] bool interleaved() const { return known && note.empty(); }
};

/// "one side after the other, which widens it 3.8 times: alternate them"; empty if `widening` is not worth saying.
std::string order_clause(double widening);

/// `places`: recording_order of the first report of each run; an empty `base` is the level of one cell. Does not widen
/// with fewer than two runs on both sides, which have no spread of their own. `r`: from correlation_limit.
RunOrder run_order(std::span<const std::int32_t> base, std::span<const std::int32_t> treated,
                   double r = kAssumedCorrelation);

}  // namespace assay
