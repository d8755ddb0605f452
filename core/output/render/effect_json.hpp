// JSON of an effect, as in findings.json and the journal of a recording.
#pragma once

#include <nlohmann/json.hpp>

#include "conclude/conclude.hpp"

namespace assay {

/// NaN and infinity become null.
nlohmann::ordered_json json_number(double value);

/// Null without an effect. "ci" is null without an interval, with the reason in "ci_reason"; an unbounded end is null.
/// `pairs`: number of pairs behind the effect. `decides`: a verdict rests on the interval, which is then shown however
/// wide.
nlohmann::ordered_json effect_json(const std::optional<OwnedEffect>& effect, std::int64_t pairs = 0,
                                   bool decides = false);

}  // namespace assay
