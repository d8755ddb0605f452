// A history as an HTML page and in words.
#pragma once

#include <string>

#include "history/trends.hpp"

namespace assay {

/// A single HTML file that fetches nothing: the changes, largest first, each with a sparkline. Shows at most
/// `kMaxShown` series and states how many there are.
inline constexpr std::size_t kMaxShown = 500;
std::string history_page(const std::vector<HistoryResult>& results, const Trends& trends);

/// Why nothing is shown: no level changed, or changes could not be detected.
std::string nothing_found(const Trends& trends);

/// "3 of 50 series are too alike from one result to the next to tell ...".
std::string alike_text(const Trends& trends);

/// "+12.3 % [+10.1, +14.5]", or in the metric's unit if it is not a share. An interval wider than a factor of ten is
/// replaced by "unknown".
std::string effect_text(const Trend& trend, double value, double lo, double hi);
/// "+4.1 ms": the net change of a time; empty for what is not a time.
std::string longer_text(const Trend& trend);

/// "2026-03-04 (between 2026-03-02 and 2026-03-05)": first result of the new level.
std::string location_text(const Change& change, const std::vector<HistoryResult>& results);

/// "worse", "better" or "changed"; followed by ", creeping" or ", accepted".
std::string direction_text(const Change& change);

}  // namespace assay
