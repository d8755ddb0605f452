// Durations as people write them: "10 min", "2 s", "1.5h".
#pragma once

#include <string>
#include <string_view>

#include "result.hpp"

namespace assay {

/// Seconds from a number followed by ms, s, min, h or d; never negative. Error: a predicate ("is no time; ...").
Result<double> parse_duration(std::string_view text);

/// "45 s", "12 min", "3 h 20 min": with two units at most.
std::string duration_text(double seconds);

}  // namespace assay
