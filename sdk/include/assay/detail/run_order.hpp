// When the runs of a comparison were made, and how much wider its interval must be for that.
//
// Runs that follow each other are alike: clocks, temperature and whatever else runs on the machine change slowly. Where
// all runs of one side were made before those of the other, their spread understates how far the two sides differ by
// chance. The rule: take the runs for an AR(1) process in the order in which they were recorded, of correlation r from
// one run of the study to the next, and compute from it
//   V   the variance of mean(treated) - mean(base),
//   E   the expectation of the variance estimated within the sides, times (1/n_base + 1/n_treated),
//   f   the degrees of freedom of that estimate (Satterthwaite: E^2 over half its variance).
// The standard error is multiplied by sqrt(V / E) where that is more than 1, and its degrees are f at most. Base and
// treated runs that alternate share what changes slowly, V < E, and nothing is widened.
// r is the largest of which the groups of equal runs of the study do not say that it is too large: the restricted
// likelihood of r, each group with a mean and a variance of its own, is at most kUnlikely below its maximum (log). It
// is at most kAssumedCorrelation, which is also what holds where the groups tell nothing: one group of three runs, or
// groups whose runs were scattered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "assay/study.hpp"

namespace assay {

/// A little above the correlation of successive runs, 0.8, up to which the intervals are to hold.
inline constexpr double kAssumedCorrelation = 0.85;

/// How far the log of the likelihood may be below its maximum: the upper 90 % limit of one parameter.
inline constexpr double kUnlikely = 0.82;

/// Text attribute that says when a report was recorded, "2026-11-21 01:01:53" (UTC).
inline constexpr std::string_view kRecordedAttribute = "recorded";

/// Place of each report among all of the study in the order of their recording, from 0; kNone where the report does
/// not say when it was recorded. Reports of one job, and of one second, have one place.
std::vector<std::int32_t> recording_order(const StudyView& view);

/// Values of one group of equal runs in the order of their recording, and their places, which rise.
struct PlacedRuns {
  std::vector<std::int32_t> place;
  std::vector<double> value;
};

/// r of the rule above, of groups of runs of equal scale.
double correlation_limit(std::span<const PlacedRuns> groups);

/// What the order of the runs does to the interval of a comparison.
struct RunOrder {
  bool known = false;   ///< every run says when it was recorded; where one does not, nothing is widened
  double widening = 1;  ///< of the standard error from the spread of these runs; at least 1
  double degrees = std::numeric_limits<double>::infinity();  ///< that this spread is worth at most; 0 without any
  std::string note;                                          ///< a clause that says so; empty where nothing is widened

  [[nodiscard]] bool interleaved() const { return known && note.empty(); }
};

/// `places` are those of recording_order of the first report of each run; an empty `base` is the level of one cell.
/// Fewer than two runs on either side have no spread of their own: nothing is widened. `r`: correlation_limit.
RunOrder run_order(std::span<const std::int32_t> base, std::span<const std::int32_t> treated,
                   double r = kAssumedCorrelation);

}  // namespace assay
