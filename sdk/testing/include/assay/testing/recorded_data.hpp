// Tables and plots as a Recorder keeps them: copies whose texts are owned.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/output.hpp"
#include "assay/plot.hpp"

namespace assay::testing {

struct RecordedColumn {
  std::string name, unit;
  CellType type = CellType::kText;
  std::vector<std::string> texts;
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
};

struct RecordedTable {
  std::string id, title;
  std::vector<RecordedColumn> columns;

  /// Null when there is no such column.
  [[nodiscard]] const RecordedColumn* column(std::string_view name) const {
    const auto at =
        std::find_if(columns.begin(), columns.end(), [&](const RecordedColumn& c) { return c.name == name; });
    return at == columns.end() ? nullptr : &*at;
  }
};

/// Nothing when the table is ragged or has two columns of one name.
inline std::optional<RecordedTable> recorded_table(const TableView& table) {
  RecordedTable out{std::string(table.id.view()), std::string(table.title.view()), {}};
  std::optional<std::uint64_t> rows;
  for (const ColumnView& c : table.columns) {
    const std::uint64_t size = c.type == CellType::kText      ? c.texts.size
                               : c.type == CellType::kInteger ? c.integers.size
                                                              : c.numbers.size;
    if (rows.value_or(size) != size || out.column(c.name) != nullptr) return std::nullopt;
    rows = size;
    RecordedColumn& column = out.columns.emplace_back();
    column.name = c.name.view();
    column.unit = c.unit.view();
    column.type = c.type;
    for (const Str& cell : c.texts) column.texts.emplace_back(cell.view());
    column.integers.assign(c.integers.begin(), c.integers.end());
    column.numbers.assign(c.numbers.begin(), c.numbers.end());
  }
  return out;
}

struct RecordedLayer {
  PlotMark mark = PlotMark::kPoint;
  RecordedTable data;
  PlotEncoding encoding;
};

struct RecordedPlot {
  std::string id, title, caption;
  PlotAxis x, y;
  std::string series_title;
  std::vector<RecordedLayer> layers;
  std::vector<PlotReference> references;
  std::vector<std::int64_t> evidence;
};

/// Nothing when a layer's table is malformed, a channel names a column that is not there, or there is no layer.
inline std::optional<RecordedPlot> recorded_plot(const PlotView& plot) {
  const auto text = [](Str s) { return std::string(s.view()); };
  const auto axis = [&](const PlotAxisView& a) { return PlotAxis{text(a.title), a.scale, a.order, a.flags}; };
  RecordedPlot out{text(plot.id),
                   text(plot.title),
                   text(plot.caption),
                   axis(plot.x),
                   axis(plot.y),
                   text(plot.series_title),
                   {},
                   {},
                   {plot.evidence.begin(), plot.evidence.end()}};
  for (const PlotLayerView& layer : plot.layers) {
    std::optional<RecordedTable> data = recorded_table(*layer.data);
    if (!data || layer.x.empty() || layer.y.empty()) return std::nullopt;
    for (const Str channel : {layer.x, layer.y, layer.lo, layer.hi, layer.series, layer.facet}) {
      if (!channel.empty() && data->column(channel) == nullptr) return std::nullopt;
    }
    out.layers.push_back(
        {layer.mark,
         std::move(*data),
         {text(layer.x), text(layer.y), text(layer.lo), text(layer.hi), text(layer.series), text(layer.facet)}});
  }
  for (const PlotReferenceView& r : plot.references) {
    out.references.push_back({r.from, r.to, text(r.label), r.on_y != 0, text(r.facet)});
  }
  if (out.layers.empty()) return std::nullopt;
  return out;
}

}  // namespace assay::testing
