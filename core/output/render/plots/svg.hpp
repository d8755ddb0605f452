// Plots as static SVG: beside report.md, in print, and where report.html runs without JavaScript.
#pragma once

#include <string>

#include "render/plots/drawing.hpp"

namespace assay {

/// A whole SVG document; colours follow the reader's light or dark ground.
std::string svg_file(const OwnedPlot& plot, const Drawing& drawing);

/// The same as an element of a page that has the style `svg_style()`.
std::string svg_element(const OwnedPlot& plot, const Drawing& drawing);

/// The same in a width where it stands beside text: only the facets that fit.
std::string small_svg(const OwnedPlot& plot, const Drawing& drawing);

/// CSS of the classes that the drawings use, for a light and a dark ground.
std::string svg_style();

/// Any bytes as text of XML and HTML, in an element or a quoted attribute. Characters that neither can hold become
/// U+FFFD.
std::string xml(std::string_view bytes);

}  // namespace assay
