// A [[claim]] parsed from its keys.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/algo/cells.hpp"
#include "assay/algo/matching.hpp"
#include "assay/study.hpp"

namespace assay::claims {

enum class Compare { kLevel, kRatio, kStep, kStudy, kBest };

/// Scope of a claim about ratios: every pair, their geometric mean, or most of them.
enum class Over { kEach, kMean, kMax };

/// Throws std::invalid_argument with a message if the keys of a claim are inconsistent. Called when the run is planned.
void check(const Options& keys);

struct Claim {
  /// `keys` must have passed `check`; `row` is the row of the claim in Study::claims.
  Claim(const Options& keys, std::size_t row, std::string_view id);

  std::size_t row;
  std::string id;
  std::string metric, dims;
  Compare compare = Compare::kLevel;
  Over over = Over::kEach;
  double low = 0, high = 0;
  double margin = 0;  ///< best: relative difference up to which values count as equally good
  std::vector<LabelCondition> where;
  std::string label, base;
  std::vector<std::string> treated;
  std::string work;  ///< ratio: metric in which the runs of a pair must be equal; empty: none
  std::vector<std::string> per, block;
  std::string spread,
      degrees;         ///< study: metrics with the standard error of the fact's log and its degrees of freedom
  bool exact = false;  ///< study: a count or computed number, whose interval is the value itself
};

/// The data of one stratum of a verdict: the runs of both sides, or for a level or step those in `treated`, or a fact.
struct ClaimCell : Stratum {
  std::optional<std::size_t> fact{};  ///< row of Study::facts, of the whole study
  std::string unlike{};               ///< how the work of the two sides differs; empty: it is equal
};

}  // namespace assay::claims
