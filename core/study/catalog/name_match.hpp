// Where a pattern fits into a name, and what its placeholders stand for there.
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

/// Length of "e-4" as in 1e-4 at a place of a name; 0: no exponent stands there.
std::size_t exponent_at(std::string_view name, std::size_t at);

/// Matches of `pattern` in `name` that begin at `begin`, one for each place where one can end. A placeholder takes as
/// much as it can: an int all digits, a number all digits, a fraction and an exponent, a text the longest of its
/// declared values, or without such anything up to the next '_' or '/'. Placeholders name declared labels.
std::vector<PatternMatch> matches_at(const Pattern& pattern, const std::vector<LabelSpec>& labels,
                                     std::string_view name, std::size_t begin);

}  // namespace assay
