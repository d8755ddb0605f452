// What a step of a run is called.
#pragma once

#include <string>

#include "assay/algo/steps.hpp"

namespace assay::step_items {

/// Singular for a step: "request" for ranges "request_{i}", "step" for the usual names, "capture" for the whole.
std::string step_word(const step::Steps& steps);

}  // namespace assay::step_items
