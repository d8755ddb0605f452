// Shapes and paths in SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A coordinate with at most two decimal places.
std::string px(double value);

/// A filled point with the shape of that index (shape_of_series), about 2 * `r` wide; `label` becomes its tooltip.
std::string shape_path(std::size_t shape, double x, double y, double r, const std::string& classes,
                       std::string_view label);

struct PathPoint {
  double x, y;
};

/// Points joined by straight lines, or by steps half-way between them.
std::string line_path(const std::vector<PathPoint>& points, bool steps);

/// Area between two lines with equally many points.
std::string area_path(const std::vector<PathPoint>& low, const std::vector<PathPoint>& high, bool steps);

}  // namespace assay
