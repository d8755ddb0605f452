// Plots as static SVG: next to report.md, in print, and for report.html without JavaScript.
#pragma once

#include <string>

#include "render/plots/drawing.hpp"

namespace assay {

/// A complete SVG document that adapts to a light or dark background.
std::string svg_file(const OwnedPlot& plot, const Drawing& drawing);

/// An element for a page that has the style `svg_style()`.
std::string svg_element(const OwnedPlot& plot, const Drawing& drawing);

/// Like svg_element, small enough to go next to text: only the facets that fit.
std::string small_svg(const OwnedPlot& plot, const Drawing& drawing);

/// CSS classes of the drawings, for a light and a dark background.
std::string svg_style();

/// Any bytes as text of XML and HTML, in an element or quoted attribute. Characters that neither permits become U+FFFD.
std::string xml(std::string_view bytes);

}  // namespace assay
