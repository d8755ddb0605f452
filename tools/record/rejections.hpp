// Detects comparisons that lost more runs to rejection on one side, which selects by treatment.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/question.hpp"
#include "record/journal.hpp"

namespace assay::record {

/// Attempts on one side of a claim that ended by themselves.
struct SideAttempts {
  std::string values;  ///< "compile=none"
  std::size_t made = 0, rejected = 0;
  std::map<std::string, std::size_t> reasons;  ///< "throttled": how often
};

/// Both sides of a label that claims of the question compare.
struct Rejections {
  SideAttempts base, treated;
  /// Whether chance alone gives such unequal shares less often than once in twenty (Fisher's exact test).
  [[nodiscard]] bool lopsided() const;
  /// "of compile=none 1 of 10 attempts (throttled 1), of compile=default 6 of 14 (throttled 6)".
  [[nodiscard]] std::string text() const;
};

/// For the two sides that a claim compares; zeros if it compares none.
Rejections rejections_of(const Events& events, const Question& question, const ClaimConfig& claim);

/// For each comparison in claims, without duplicates and without comparisons that lost no run.
std::vector<Rejections> rejections_of(const Events& events, const Question& question);

/// "Rejected: of compile=none 1 of 10 attempts (throttled 1), of compile=default 6 of 14 (throttled 6). ...", marking
/// lopsided ones. Empty: no rejections.
std::string rejections_text(const Events& events, const Question& question);

/// Per cell with lost attempts: counts by reason, as an object.
Json rejections_by_cell(const Events& events);

}  // namespace assay::record
