// Times as people write them: "10 min", "2 s", "1.5h".
#pragma once

#include <string>
#include <string_view>

#include "result.hpp"

namespace assay {

/// Seconds of a number with ms, s, min, h or d behind it; never negative. Error: the rest of a sentence ("is no time;
/// ...").
Result<double> parse_duration(std::string_view text);

/// "45 s", "12 min", "3 h 20 min": to two places, for people.
std::string duration_text(double seconds);

}  // namespace assay
