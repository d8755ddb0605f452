// Pictures of the median step of both sides of a comparison.
#pragma once

#include <vector>

#include "analyze/analyze.hpp"
#include "look/page.hpp"
#include "pipeline/pipeline.hpp"

namespace assay {

/// Adds to the page of a comparison the strips of the first profile of each side that has one.
void add_pictures(const RunResult& result, look::Page& page);

}  // namespace assay
