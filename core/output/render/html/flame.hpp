// Where time went by stack, as a flame graph: callers below what they call, as wide as their time.
#pragma once

#include <string>

#include "conclude/owned_plot.hpp"
#include "render/render.hpp"

namespace assay {

/// An SVG of the rows of the table (stack: frames joined by ';', outermost first; time in ns). Empty without time.
std::string flame_figure(const OwnedTable& table);

}  // namespace assay
