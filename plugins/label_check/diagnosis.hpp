// Which labels of a report must be wrong: the smallest sets of labels that, with other values, explain all that its
// trace shows (a minimum hitting set of the evidence that the stated values miss).
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

/// A number of the trace that follows from labels: one of the rules must give a number of one of the ranges (both ends
/// belong to it).
struct Constraint {
  std::vector<const Expression*> rules;
  std::vector<std::pair<std::int64_t, std::int64_t>> numbers;

  [[nodiscard]] bool holds(const LabelValues& values) const;
};

/// Labels that are wrong, and values for them that fit all constraints (at most kMostSolutions).
struct Explanation {
  std::set<std::string> labels;
  std::vector<LabelValues> values;  ///< of these labels alone
};

inline constexpr std::size_t kMostSolutions = 64;

/// The explanations with the fewest labels, at most `most`. Empty: the stated values fit. Nothing: no such set fits.
std::optional<std::vector<Explanation>> smallest_explanations(const std::vector<Constraint>& constraints,
                                                              const LabelValues& stated, std::size_t most);

}  // namespace assay::labels
