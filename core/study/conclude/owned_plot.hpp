// A plot of an analyzer, copied and checked: the input of the renderers.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "analyze/facts.hpp"
#include "assay/plot.hpp"

namespace assay {

/// A fact that supports a finding or plot.
struct EvidenceRow {
  std::string report;  ///< empty: study fact
  std::string metric, dims;
  double value;
};

/// Columns of a layer's table by index; kNoColumn: the channel is unused.
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

/// Has at least one layer; an axis has categories in all layers or in none.
struct OwnedPlot {
  std::string analyzer, id, title, caption;
  PlotAxis x, y;
  std::string series_title;
  std::vector<std::string> alike = {};  ///< series names under this title in any plot, so that each keeps its colour
  std::vector<OwnedLayer> layers;
  std::vector<PlotReference> references;
  std::vector<EvidenceRow> evidence;
};

/// Size of PlotView in the version that introduced it.
inline constexpr std::uint64_t kFirstPlotView = 224;
static_assert(sizeof(PlotView) >= kFirstPlotView);

/// Copies all but the evidence and the analyzer; returns what is wrong with the plot, empty if nothing is.
std::string copy_plot(const PlotView& view, OwnedPlot& to);

/// Cell of a numeric column; NaN if it has no number.
inline double number_at(const OwnedTable::Column& column, std::size_t row) {
  if (column.type == CellType::kNumber) return column.numbers[row];
  if (column.type == CellType::kText || column.integers[row] == kNoInteger) return std::nan("");
  return static_cast<double>(column.integers[row]);
}

}  // namespace assay
