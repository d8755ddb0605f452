// From one total to another over the changes between them.
#pragma once

#include <string>

#include "conclude/owned_plot.hpp"
#include "render/render.hpp"

namespace assay {

/// A figure of a table with a row a bar (label, note, from, to, in ns): the first and the last are totals, those
/// between go on where the one before ended. Empty without rows.
std::string waterfall_figure(const OwnedTable& table);

}  // namespace assay
