// Which side of a comparison lost runs to rejection: what is rejected more on one side selects by treatment.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/question.hpp"
#include "record/journal.hpp"

namespace assay::record {

/// Attempts of the runs on one side of a claim that ended by themselves.
struct SideAttempts {
  std::string values;  ///< "compile=none"
  std::size_t made = 0, rejected = 0;
  std::map<std::string, std::size_t> reasons;  ///< "throttled": how often
};

/// Both sides of a label that claims of the question compare.
struct Rejections {
  SideAttempts base, treated;
  /// Whether chance alone gives shares as unequal as these less often than once in twenty (Fisher's exact test).
  [[nodiscard]] bool lopsided() const;
  /// "of compile=none 1 of 10 attempts (throttled 1), of compile=default 6 of 14 (throttled 6)".
  [[nodiscard]] std::string text() const;
};

/// Of the two sides that a claim compares; of a claim that compares none, zeros.
Rejections rejections_of(const Events& events, const Question& question, const ClaimConfig& claim);

/// For each comparison that claims make, each once; without those of which nothing was rejected.
std::vector<Rejections> rejections_of(const Events& events, const Question& question);

/// "Rejected: of compile=none 1 of 10 attempts (throttled 1), of compile=default 6 of 14 (throttled 6). ..."; a
/// lopsided one is said to be. Empty: nothing was rejected.
std::string rejections_text(const Events& events, const Question& question);

/// Of each cell that lost attempts: how many by each reason, as an object.
Json rejections_by_cell(const Events& events);

}  // namespace assay::record
