// What a step of a run is called.
#pragma once

#include <string>
#include <string_view>

#include "assay/algo/steps.hpp"

namespace assay::step_items {

/// Singular for a step: "request" for ranges "request_{i}", "step" for the usual names, "capture" for the whole.
std::string step_word(const step::Steps& steps);

/// "steps are the ranges 'step_{i}', which repeat and hold at least half of the device time".
std::string found_text(const std::string& range, std::string_view source);

}  // namespace assay::step_items
