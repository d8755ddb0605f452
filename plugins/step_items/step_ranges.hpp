// Which ranges are the steps of a run, and what one is called.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/steps.hpp"
#include "assay/detail/step_names.hpp"
#include "assay/report.hpp"

namespace assay::step_items {

/// The given names, with those of the steps that are found where no range has one of these.
step::NamePatterns patterns_of(const Report& report, const std::vector<std::string>& given);

/// What a step is called: "request" of ranges "request_{i}", "step" of the usual names, "capture" of the whole.
std::string step_word(const step::Steps& steps);

}  // namespace assay::step_items
