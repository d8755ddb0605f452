// A plot as an analyzer gave it, owned and checked: what the renderers draw.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "analyze/facts.hpp"
#include "assay/plot.hpp"

namespace assay {

/// A fact that a finding or plot rests on.
struct EvidenceRow {
  std::string report;  ///< empty: study fact
  std::string metric, dims;
  double value;
};

/// Columns of a layer's table by their place; kNoColumn: no such channel.
inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
struct LayerChannels {
  std::size_t x = kNoColumn, y = kNoColumn, lo = kNoColumn, hi = kNoColumn, series = kNoColumn, facet = kNoColumn,
              size = kNoColumn;
};

struct OwnedLayer {
  PlotMark mark = PlotMark::kPoint;
  OwnedTable data;
  LayerChannels channels;
};

/// At least one layer; in all layers the same axis has categories, or none has.
struct OwnedPlot {
  std::string analyzer, id, title, caption;
  PlotAxis x, y;
  std::string series_title;
  std::vector<std::string> alike =
      {};  ///< names that series of this title have in any plot, so that each keeps its colour
  std::vector<OwnedLayer> layers;
  std::vector<PlotReference> references;
  std::vector<EvidenceRow> evidence;
};

/// Size of PlotView in the version that brought it.
inline constexpr std::uint64_t kFirstPlotView = 224;
static_assert(sizeof(PlotView) >= kFirstPlotView);

/// Copies all but the evidence and the analyzer; answers what is wrong with the plot, empty when nothing is.
std::string copy_plot(const PlotView& view, OwnedPlot& to);

/// Cell of a numeric column; NaN where there is no number.
inline double number_at(const OwnedTable::Column& column, std::size_t row) {
  if (column.type == CellType::kNumber) return column.numbers[row];
  if (column.type == CellType::kText || column.integers[row] == kNoInteger) return std::nan("");
  return static_cast<double>(column.integers[row]);
}

}  // namespace assay
