// The roofline: rate over intensity, one point per operator with its shapes.
#pragma once

#include <optional>
#include <vector>

#include "assay/plot.hpp"
#include "words.hpp"

namespace assay::roofline {

/// Nothing where no operator has FLOPs.
std::optional<Plot> roofline_plot(const StudyView& view, const std::vector<RunRoofline>& runs);

}  // namespace assay::roofline
