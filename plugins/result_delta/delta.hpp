// Every metric of every matched run, before and after.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/algo/pairs.hpp"

namespace assay::result_delta {

/// What became of one metric of one run.
enum class Change : std::uint8_t {
  kEqual = 0,      ///< the very same value
  kInside = 1,     ///< inside the spread between repeat runs
  kBetter = 2,     ///< beyond it, towards the metric's good side
  kWorse = 3,      ///< beyond it, towards its bad side
  kDifferent = 4,  ///< beyond it, of a metric that has neither
  kUndecided = 5,  ///< no two repeat runs tell how much they differ, or a value is not positive
  kUnlike = 6,     ///< the runs are not of one length, and nothing brings them to one
};
std::string_view change_name(Change change);

struct Delta {
  PairStudy pairs;
  std::vector<Polarity> polarity;  ///< by measure
  std::vector<Change> changes;     ///< by effect
};

/// Compares runs whose `label` is `base` with those whose it is `treated`, equal in all other labels, measure by
/// measure. `metrics`: ids of those that are compared; none: all. Metrics without a good side share no error. Runs with
/// equal values of the label `measurement` were measured together (days.hpp).
Delta compare(const StudyView& view, const LabelPair& pair, std::vector<std::string> metrics,
              std::string_view measurement);

/// Comparisons of a kind.
std::size_t count(const Delta& delta, Change change);

}  // namespace assay::result_delta
