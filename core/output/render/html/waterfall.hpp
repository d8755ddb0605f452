// From one total to another over the changes between them.
#pragma once

#include <string>

#include "conclude/owned_plot.hpp"
#include "render/render.hpp"

namespace assay {

/// Draws each row of the table as a bar (label, note, from, to; ns). The first and the last row are totals; each of the
/// others starts where the one before it ended. Empty without rows.
std::string waterfall_figure(const OwnedTable& table);

}  // namespace assay
