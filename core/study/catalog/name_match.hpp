// Matches a pattern against a name, with the texts of its placeholders.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "config/pattern.hpp"
#include "config/question.hpp"

namespace assay {

struct PatternMatch {
  std::size_t end = 0;                                          ///< one past the last byte
  std::vector<std::pair<std::size_t, std::string_view>> found;  ///< label (index into `labels`), its text
};

/// Length of an exponent such as "e-4" in 1e-4 at a position; 0: there is none.
std::size_t exponent_at(std::string_view name, std::size_t at);

/// Matches of `pattern` in `name` that begin at `begin`, one per possible end. Placeholders are greedy: an int takes
/// all digits, a number all digits with fraction and exponent, a text the longest of its declared values or, without
/// those, everything up to the next '_' or '/'. Precondition: placeholders name declared labels.
std::vector<PatternMatch> matches_at(const Pattern& pattern, const std::vector<LabelSpec>& labels,
                                     std::string_view name, std::size_t begin);

}  // namespace assay
