// Where the level of a series of results changed. Of no report, label or file: numbers in, changes out.
//
// Seeded binary segmentation (Kovacs, Buehlmann, Li and Munk 2023): in the whole series, and in overlapping stretches
// of it, each length a square root of two shorter than the one before, the place with the largest Student's t between
// what lies before and after is looked for; of the stretches in which one passes the narrowest tells a change first
// (Baranowski, Chen and Fryzlewicz 2019), so that several changes do not hide each other. A place passes by
// Bonferroni's bound on the largest t (Worsley 1979), over all places of all stretches and over all series that are
// looked at together, half of the chance kept for the whole series: the chance that any of them raises an alarm is at
// most `alpha` when none changed. Results of neighbouring days are alike: n results count as n (1 - r) / (1 + r)
// (Bayley and Hammersley 1946; Zwiers and von Storch 1995), with the lag-1 autocorrelation r of what is left when a
// line on each side of the change is taken out (a slow creep is no noise), corrected for its bias in short series
// (Marriott and Pope 1954) and taken 2.7 standard errors higher, never below 0. The test has two sides, so
// that without a change gains are told as rarely as losses.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

struct ChangeSettings {
  double alpha = 0.05;        ///< chance of any alarm over all `series` when nothing changed
  std::size_t series = 1;     ///< how many are looked at together
  std::size_t confirmed = 3;  ///< results that must lie on each side of a change
};

/// One change of the level. Places count values from 0.
struct ChangePoint {
  std::size_t at = 0;                    ///< the first value of the new level
  std::size_t earliest = 0, latest = 0;  ///< 95 % interval of `at`, by the likelihood ratio (Siegmund 1988)
  double before = 0, after = 0;          ///< means of the segments on its two sides
  double lo = 0, hi = 0;                 ///< 95 % interval of after - before (Student's t, effective n)
  double p = 1;                          ///< of no change here, corrected for all places and all series
};

/// The levels of two segments [from, to) held against each other, the second less the first.
struct LevelDifference {
  double value = 0, lo = 0, hi = 0;  ///< with its 95 % interval, as of ChangePoint
};
struct LevelSegment {
  std::size_t from = 0, to = 0;
};
LevelDifference level_difference(std::span<const double> values, const LevelSegment& before, const LevelSegment& after);

/// Changes of the level, by place; none of fewer than twice `confirmed` values. Values are finite. With equal values
/// but for one step the step is found, whatever its size.
std::vector<ChangePoint> change_points(std::span<const double> values, const ChangeSettings& settings);

}  // namespace assay
