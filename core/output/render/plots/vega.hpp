// Plots as Vega specifications: drawn in report.html, and reusable in a notebook.
#pragma once

#include <nlohmann/json.hpp>

#include "render/plots/drawing.hpp"

namespace assay {

/// The specification with the colours of a light ground. Its signal `available` is the width in px it may take.
nlohmann::ordered_json vega_spec(const OwnedPlot& plot, const Drawing& drawing);

/// The part `config` of a specification for a light or a dark ground.
nlohmann::ordered_json vega_config(bool dark);

}  // namespace assay
