// A plot resolved into what all renderers draw: facets, ordered categories, numbers in display units, ranges and ticks.
#pragma once

#include <string>
#include <vector>

#include "conclude/owned_plot.hpp"

namespace assay {

struct DrawnTick {
  double at;
  std::string label;
};

/// Range and ticks of numbers, or names of categories; category i is at the number i.
struct DrawnAxis {
  bool categories = false;
  std::vector<std::string> names;
  double lo = 0, hi = 1;
  bool log = false;
  std::vector<DrawnTick> ticks;

  /// Position of a value along the axis, 0..1; categories are in the middle of equal slots.
  [[nodiscard]] double to_unit(double value) const;
};

struct DrawnRow {
  double x, y;      ///< in display units; category: its index
  double lo, hi;    ///< of points, lines and steps; NaN: none
  double from, to;  ///< of bars, along the numeric axis
  std::size_t series;
  double radius;      ///< of points, px
  std::string label;  ///< every column of the row with its unit, for tooltips and screen readers
};

/// Rows with a number on both axes; lines sorted by (series, x), bars in stacking order.
struct DrawnLayer {
  PlotMark mark;
  bool coloured;  ///< false: has no series although other layers do, and is drawn in a neutral colour
  std::vector<DrawnRow> rows;
  bool sized = false;  ///< areas of the points represent numbers
};

struct DrawnReference {
  bool on_y;
  double from, to;  ///< in display units; a band is cut at the ends of the axis
  std::string label;
  bool claimed = false;  ///< range of a claim, which may be open on one side
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
  std::vector<std::string> series;  ///< empty: colours have no meaning
  std::vector<std::size_t> places;  ///< index of each series' colour, shape and dash: equal in all plots with the
                                    ///< series
  bool has_points = false, has_lines = false, has_bars = false;
  std::vector<DrawnFacet> facets;  ///< at least one; in order of appearance

  [[nodiscard]] std::size_t marks(PlotMark mark) const;
};

/// `claimed`: ranges of claims on what an axis shows; an open end is infinite.
Drawing drawing_of(const OwnedPlot& plot, const std::vector<PlotReference>& claimed = {});

/// One sentence for screen readers: title, axes, number of marks.
std::string plot_description(const OwnedPlot& plot, const Drawing& drawing);

/// Measures in px.
struct PlotLayout {
  double label_width;          ///< left of a facet's area
  double least_width;          ///< of a facet with its labels
  double right;                ///< of the area
  double height;               ///< of the area
  std::size_t characters = 0;  ///< per line of a name; longer names are broken at spaces
  std::size_t most_columns;
};
PlotLayout layout_of(const Drawing& drawing);
inline constexpr double kPointRadius = 4.2, kLargestRadius = 22, kMinRadius = 2.5;  ///< px
inline constexpr double kCharacterWidth = 6.1;                                      ///< px, of text on axes
inline constexpr double kNameLine = 12;                                             ///< px, of a line of a broken name
inline constexpr double kNameRow = 19;  ///< px, min height of a row with a name

}  // namespace assay
