// Finds the labels of a report that must be wrong: the smallest sets of labels that explain the whole trace if they
// have other values (a minimum hitting set of the violated constraints).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/detail/expression.hpp"

namespace assay::labels {

using LabelValues = std::map<std::string, std::int64_t>;

/// A number of the trace that follows from labels: one of the rules must yield a number inside one of the ranges (ends
/// included).
struct Constraint {
  std::vector<const Expression*> rules;
  std::vector<std::pair<std::int64_t, std::int64_t>> numbers;

  [[nodiscard]] bool holds(const LabelValues& values) const;
};

/// Wrong labels, and values for them that satisfy all constraints (at most kMaxSolutions).
struct Explanation {
  std::set<std::string> labels;
  std::vector<LabelValues> values;  ///< of these labels only
};

inline constexpr std::size_t kMaxSolutions = 64;

/// The explanations with the fewest labels, at most `most`. Empty list: the stated values fit. No value: no set of
/// labels fits.
std::optional<std::vector<Explanation>> smallest_explanations(const std::vector<Constraint>& constraints,
                                                              const LabelValues& stated, std::size_t most);

}  // namespace assay::labels
