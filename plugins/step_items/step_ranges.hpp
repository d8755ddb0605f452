// Selects the ranges that are steps of a run, and names them.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/steps.hpp"
#include "assay/detail/step_names.hpp"
#include "assay/report.hpp"

namespace assay::step_items {

/// The given names, or those of the steps found if no range has one of these.
step::NamePatterns patterns_of(const Report& report, const std::vector<std::string>& given);

/// Singular for a step: "request" for ranges "request_{i}", "step" for the usual names, "capture" for the whole.
std::string step_word(const step::Steps& steps);

}  // namespace assay::step_items
