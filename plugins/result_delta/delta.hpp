// Every metric of every matched run, before and after.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/algo/pairs.hpp"

namespace assay::result_delta {

/// The change of one metric of one run.
enum class Change : std::uint8_t {
  kEqual = 0,      ///< identical values
  kInside = 1,     ///< within the spread between repeat runs
  kBetter = 2,     ///< beyond it, in the metric's good direction
  kWorse = 3,      ///< beyond it, in its bad direction
  kDifferent = 4,  ///< beyond it, for a metric without a good direction
  kUndecided = 5,  ///< the spread between repeat runs is unknown, or a value is not positive
  kUnlike = 6,     ///< the runs differ in length and cannot be normalised
};
std::string_view change_name(Change change);

struct Delta {
  PairStudy pairs;
  std::vector<Polarity> polarity;  ///< by measure
  std::vector<Change> changes;     ///< by effect
};

/// Compares runs with `label` = `base` and runs with `treated` that agree in all other labels, measure by measure.
/// `metrics`: ids to compare; none: all. Metrics without a good direction do not share the error. Runs with equal
/// values of the label `measurement` were measured together (days.hpp).
Delta compare(const StudyView& view, const LabelPair& pair, std::vector<std::string> metrics,
              std::string_view measurement);

/// Number of comparisons of a kind.
std::size_t count(const Delta& delta, Change change);

}  // namespace assay::result_delta
