// Helpers for sentences: numbers, counts, names of strata. For findings and reasons; analyzers never print.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/words.hpp"

namespace assay {

/// printf into a string; longer results are cut after 255 bytes.
[[gnu::format(printf, 1, 2)]] std::string printed(const char* pattern, ...);

/// The pattern with its places "{}" filled in order: filled("{} of {}", {"a", "b"}). "{{" and "}}" are braces; a place
/// without a value stays empty.
std::string filled(std::string_view pattern, std::initializer_list<std::string_view> values);

/// "12.3 %" for a share of 0.123, with `digits` decimal places.
std::string percent(double share, int digits = 1);

/// "1 run", "2 runs", "2 launches".
std::string counted(std::size_t count, std::string_view noun);

/// "3 of 4 runs".
std::string counted_of(std::size_t part, std::size_t whole, std::string_view noun);

/// "0.12 to 0.45" with `digits` decimal places, or one number if both print the same.
std::string low_to_high(double low, double high, int digits);

/// "a, b and c"; empty for no texts.
std::string listed(const std::vector<std::string>& texts);

/// A ratio > 0 in words. Of times (`unit` ns, us, ms, s) a factor of at least 1 with its direction, below 1.1 in
/// percent: "2.6x faster", "1.31x slower", "4.2 % faster". For other units an increase as a factor too, a decrease as
/// difference: "1.80x higher", "10.8 % lower". "unchanged" for exactly 1.
std::string change_text(double ratio, std::string_view unit);

/// Two ratios in words, in the given order: "1.20x to 1.31x slower", "4.2 % faster to 1.15x slower"; one if both read
/// the same.
std::string change_range(double first, double last, std::string_view unit);

/// Interval of a ratio on the scale and in the direction of change_text(ratio, unit): "[1.20, 1.47]", "[-0.3, 8.9] %".
/// 0 < lo <= hi.
std::string change_interval(double ratio, double lo, double hi, std::string_view unit);

/// Max factor between the ends of an informative interval of a ratio.
constexpr double kWidestInterval = 10;
/// Whether the interval of a ratio is informative; false for NaN.
inline bool interval_tells(double lo, double hi) { return lo > 0 && hi <= kWidestInterval * lo; }

/// A time in ns, in a suitable unit with three significant digits: "812 ns", "3.25 us", "16.7 ms", "1.2 s".
std::string time_text(double ns);

/// ASCII letters in lower case; other bytes unchanged.
std::string lower_case(std::string_view text);

/// The part of `text` without surrounding blanks, tabs and line ends; borrows it.
std::string_view without_spaces(std::string_view text);

/// Calls `visit(part)` for the parts of `text` between separators, without surrounding spaces; once with an empty part
/// for an empty text.
template <class Visit>
void each_part(std::string_view text, char separator, Visit&& visit) {
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    visit(without_spaces(text.substr(begin, end == std::string_view::npos ? end : end - begin)));
    if (end == std::string_view::npos) return;
    begin = end + 1;
  }
}

/// Names and values of labels.
using LabelTexts = std::vector<std::pair<std::string, std::string>>;

/// "patch=8 dim=384"; empty without labels.
std::string labels_text(const LabelTexts& labels);

/// Names that distinguish strata, one per stratum: its labels that are not equal in all strata, "patch=8 dim=384";
/// `all` if it has none.
std::vector<std::string> telling_names(const std::vector<LabelTexts>& strata, std::string_view all);

}  // namespace assay
