// A history as a page and as words.
#pragma once

#include <string>

#include "history/trends.hpp"

namespace assay {

/// One HTML file that fetches nothing: what changed, the largest first, each with a sparkline. At most `kMostShown`
/// series; it says how many there are.
inline constexpr std::size_t kMostShown = 500;
std::string history_page(const std::vector<HistoryResult>& results, const Trends& trends);

/// Why nothing is shown: no level changed, or none could be told to have changed.
std::string nothing_found(const Trends& trends);

/// "3 of 50 series are too alike from one result to the next to tell ...".
std::string alike_text(const Trends& trends);

/// "+12.3 % [+10.1, +14.5]", or in the metric's unit where it is no share. An interval that is wider
/// than a factor of ten either way is not printed but said to be unknown.
std::string effect_text(const Trend& trend, double value, double lo, double hi);

/// "2026-03-04 (between 2026-03-02 and 2026-03-05)": the first result of the new level.
std::string location_text(const Change& change, const std::vector<HistoryResult>& results);

/// "worse", "better" or "changed"; ", creeping" or ", accepted" behind it.
std::string direction_text(const Change& change);

}  // namespace assay
