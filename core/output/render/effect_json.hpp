// An effect as findings.json and the journal of a recording have it.
#pragma once

#include <nlohmann/json.hpp>

#include "conclude/conclude.hpp"

namespace assay {

/// JSON has no NaN and no infinity: null.
nlohmann::ordered_json json_number(double value);

/// Null without an effect. "ci" is null where there is no interval, and "ci_reason" says why; an end without bound is
/// null. `pairs`: that the effect sums up. `decides`: a verdict rests on the interval, which then stands however wide
/// it is.
nlohmann::ordered_json effect_json(const std::optional<OwnedEffect>& effect, std::int64_t pairs = 0,
                                   bool decides = false);

}  // namespace assay
