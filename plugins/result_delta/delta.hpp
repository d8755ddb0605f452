// Every metric of every matched run, before and after.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/algo/contrast.hpp"
#include "assay/study.hpp"

namespace assay::result_delta {

/// What became of one metric of one run.
enum class Change : std::uint8_t {
  kEqual = 0,      ///< the very same value
  kInside = 1,     ///< inside the spread between equal runs
  kBetter = 2,     ///< beyond it, towards the metric's good side
  kWorse = 3,      ///< beyond it, towards its bad side
  kDifferent = 4,  ///< beyond it, of a metric that has neither
  kUndecided = 5,  ///< no two equal runs tell how much they differ, or a value is not positive
  kUnlike = 6,     ///< the runs are not of one length, and nothing brings them to one
};
std::string_view change_name(Change change);

/// One metric (with dims) of one matched set of runs.
struct Comparison {
  std::size_t metric = 0;  ///< row of Study::metrics
  std::string dims;
  std::size_t stratum = 0;  ///< index into Delta::strata
  double before = 0, after = 0;
  Lengths lengths;                   ///< how the values were made comparable, or why they are not
  std::optional<Contrast> contrast;  ///< nothing: a value is not positive, or the runs are not comparable
  Change change = Change::kUndecided;
  [[nodiscard]] double ratio() const { return contrast->effect.value; }
};

struct Delta {
  std::vector<Stratum> strata;
  std::vector<Comparison> comparisons;  ///< by metric, dims, stratum
  std::vector<Unmatched> unmatched;
  std::size_t tested = 0;  ///< comparisons of metrics with a good side: they share the error level
  double level = 0;        ///< of every interval: 1 - alpha / tested
};

/// Compares runs whose `label` is `base` with those whose it is `treated`, equal in all other labels, metric by metric.
/// Metrics that grow with the length of a run are compared per iteration where the runs are of unequal length. An
/// interval comes from the spread between runs alone (contrast.hpp): facts that carry samples are compared by value.
/// `metrics`: ids of those that are compared; none: all.
Delta compare(const StudyView& view, std::string_view label, std::string_view base, std::string_view treated,
              double alpha, std::span<const Str> metrics = {});

/// Comparisons of a kind.
std::size_t count(const Delta& delta, Change change);

}  // namespace assay::result_delta
