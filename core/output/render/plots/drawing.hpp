// A plot resolved into what every renderer draws alike: facets, categories in their order, numbers in the unit that is
// printed, ranges and ticks.
#pragma once

#include <string>
#include <vector>

#include "conclude/owned_plot.hpp"

namespace assay {

struct DrawnTick {
  double at;
  std::string label;
};

/// Range and ticks of numbers, or names of categories; category i stands at the number i.
struct DrawnAxis {
  bool categories = false;
  std::vector<std::string> names;
  double lo = 0, hi = 1;
  bool log = false;
  std::vector<DrawnTick> ticks;

  /// Place of a value along the axis, 0..1; categories stand in the middle of equal slots.
  [[nodiscard]] double to_unit(double value) const;
};

struct DrawnRow {
  double x, y;      ///< in display units; category: its number
  double lo, hi;    ///< of points, lines and steps; NaN: none
  double from, to;  ///< of bars, along the axis of numbers
  std::size_t series;
  double radius;      ///< of points, px
  std::string label;  ///< every column of the row with its unit, for tooltips and screen readers
};

/// Rows with a number on both axes, sorted for lines by (series, x); of bars in the order they stack.
struct DrawnLayer {
  PlotMark mark;
  bool coloured;  ///< false: it has no series beside layers that have, and is drawn in a neutral colour
  std::vector<DrawnRow> rows;
  bool sized = false;  ///< areas of the points stand for numbers
};

struct DrawnReference {
  bool on_y;
  double from, to;  ///< in display units; a band is cut at the ends of the axis
  std::string label;
  bool claimed = false;  ///< a claim's range, which may have one end only
  [[nodiscard]] bool is_line() const { return from == to; }
};

struct DrawnFacet {
  std::string name;
  DrawnAxis x, y;
  std::vector<DrawnLayer> layers;
  std::vector<DrawnReference> references;
};

struct Drawing {
  std::string x_title, y_title;  ///< with unit
  std::string series_title;
  std::vector<std::string> series;  ///< empty: colours mean nothing
  std::vector<std::size_t> places;  ///< of each series' colour, shape and dash: the same in all plots that have it
  bool has_points = false, has_lines = false, has_bars = false;
  std::vector<DrawnFacet> facets;  ///< at least one; in order of appearance

  [[nodiscard]] std::size_t marks(PlotMark mark) const;
};

/// `claimed` are ranges of claims for what an axis shows; an end that is not claimed is infinite.
Drawing drawing_of(const OwnedPlot& plot, const std::vector<PlotReference>& claimed = {});

/// What a plot shows, in a sentence for those who do not see it: title, axes, number of marks.
std::string plot_description(const OwnedPlot& plot, const Drawing& drawing);

/// Measures in px.
struct PlotLayout {
  double label_width;          ///< left of a facet's area
  double least_width;          ///< of a facet with its labels
  double right;                ///< of the area
  double height;               ///< of the area
  std::size_t characters = 0;  ///< of a line of a name; longer names are broken at spaces
  std::size_t most_columns;
};
PlotLayout layout_of(const Drawing& drawing);
inline constexpr double kPointRadius = 4.2, kLargestRadius = 22, kLeastRadius = 2.5;  ///< px
inline constexpr double kCharacterWidth = 6.1;                                        ///< px, of what stands on axes
inline constexpr double kNameLine = 12;  ///< px, of a line of a broken name
inline constexpr double kNameRow = 19;   ///< px, least of a row with a name

}  // namespace assay
