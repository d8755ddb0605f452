#include "render/plots/svg_shapes.hpp"

#include <fmt/core.h>

#include <cmath>
#include <ranges>

#include "render/format.hpp"
#include "render/plots/svg.hpp"

namespace assay {
namespace {

std::string at(const PathPoint& point) { return px(point.x) + " " + px(point.y); }

/// The line with the points of its steps added.
std::vector<PathPoint> stepped(const std::vector<PathPoint>& points) {
  std::vector<PathPoint> out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) {
      const double middle = (points[i - 1].x + points[i].x) / 2;
      out.push_back({middle, points[i - 1].y});
      out.push_back({middle, points[i].y});
    }
    out.push_back(points[i]);
  }
  return out;
}

/// Corners of a shape around 0, in radii: circle (none), square, triangle up, diamond, cross, triangle down, right,
/// left.
std::vector<PathPoint> corners(std::size_t shape) {
  switch (shape) {
    case 1:
      return {{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}};
    case 2:
      return {{0, -1.1}, {1.1, .9}, {-1.1, .9}};
    case 3:
      return {{0, -1.3}, {1.1, 0}, {0, 1.3}, {-1.1, 0}};
    case 4:
      return {{-.4, -1.1}, {.4, -1.1}, {.4, -.4}, {1.1, -.4}, {1.1, .4},   {.4, .4},
              {.4, 1.1},   {-.4, 1.1}, {-.4, .4}, {-1.1, .4}, {-1.1, -.4}, {-.4, -.4}};
    case 5:
      return {{0, 1.1}, {1.1, -.9}, {-1.1, -.9}};
    case 6:
      return {{1.1, 0}, {-.9, 1.1}, {-.9, -1.1}};
    case 7:
      return {{-1.1, 0}, {.9, 1.1}, {.9, -1.1}};
    default:
      return {};
  }
}

}  // namespace

std::string px(double value) {
  const double rounded = std::round(value * 100) / 100;
  return exact(rounded);
}

std::string shape_path(std::size_t shape, double x, double y, double r, const std::string& classes,
                       std::string_view label) {
  std::string out;
  const std::vector<PathPoint> points = corners(shape);
  if (points.empty()) {
    out = fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", px(x), px(y), px(r));
  } else {
    out = "<path d=\"";
    for (std::size_t i = 0; i < points.size(); ++i) {
      out += (i == 0 ? "M" : "L") + at({x + r * points[i].x, y + r * points[i].y});
    }
    out += "Z\"";
  }
  const std::string kind = points.empty() ? "circle" : "path";
  out += " class=\"" + classes + "\"";
  return label.empty() ? out + "/>" : fmt::format("{}><title>{}</title></{}>", out, xml(label), kind);
}

std::string line_path(const std::vector<PathPoint>& points, bool steps) {
  std::string out;
  for (const PathPoint& point : steps ? stepped(points) : points) out += (out.empty() ? "M" : "L") + at(point);
  return out;
}

std::string area_path(const std::vector<PathPoint>& low, const std::vector<PathPoint>& high, bool steps) {
  const std::vector<PathPoint> under = steps ? stepped(low) : low, over = steps ? stepped(high) : high;
  std::string out = line_path(under, false);
  for (const PathPoint& point : std::views::reverse(over)) out += "L" + at(point);
  return out + "Z";
}

}  // namespace assay
