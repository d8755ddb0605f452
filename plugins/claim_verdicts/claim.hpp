// A [[claim]] as its keys say.
#pragma once

#include <string>
#include <vector>

#include "assay/study.hpp"

namespace assay::claims {

enum class Compare { kLevel, kRatio, kStep, kStudy };

/// A condition on one label: its value is one of these.
struct Condition {
  std::string label;
  std::vector<std::string> values;
};

/// Throws std::invalid_argument with a sentence when the keys of a claim do not fit together. Run when the run is
/// planned.
void check(const Options& keys);

struct Claim {
  /// `keys` have passed `check`; `row` is the claim's row in Study::claims.
  Claim(const Options& keys, std::size_t row, std::string_view id);

  std::size_t row;
  std::string id;
  std::string metric, dims;
  Compare compare = Compare::kLevel;
  double low = 0, high = 0;
  std::vector<Condition> where;
  std::string label, base;
  std::vector<std::string> treated;
  std::vector<std::string> per, block;
  std::string spread,
      degrees;         ///< study: metrics of the standard error of the fact's log and of its degrees of freedom
  bool exact = false;  ///< study: a count or computed number, whose interval is the value itself
};

/// Whether a report meets every condition.
bool meets(const StudyView& view, std::size_t report, const std::vector<Condition>& where);

}  // namespace assay::claims
