#include "assay/testing/recorded_data.hpp"

namespace assay::testing {

std::optional<RecordedTable> recorded_table(const TableView& table) {
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

Emit add_table(const TableView& table, std::vector<RecordedTable>& to) {
  std::optional<RecordedTable> out = recorded_table(table);
  if (!out || out->id.empty() || out->columns.empty()) return Emit::kMalformed;
  if (std::ranges::find(to, out->id, &RecordedTable::id) != to.end()) return Emit::kDuplicate;
  to.push_back(std::move(*out));
  return Emit::kOk;
}

bool append_rows(RecordedTable& to, const RecordedTable& more) {
  const auto same = [](const RecordedColumn& a, const RecordedColumn& b) {
    return a.name == b.name && a.unit == b.unit && a.type == b.type;
  };
  if (!std::equal(to.columns.begin(), to.columns.end(), more.columns.begin(), more.columns.end(), same)) return false;
  for (std::size_t c = 0; c < to.columns.size(); ++c) {
    const RecordedColumn& from = more.columns[c];
    RecordedColumn& column = to.columns[c];
    column.texts.insert(column.texts.end(), from.texts.begin(), from.texts.end());
    column.integers.insert(column.integers.end(), from.integers.begin(), from.integers.end());
    column.numbers.insert(column.numbers.end(), from.numbers.begin(), from.numbers.end());
  }
  return true;
}

std::optional<RecordedPlot> recorded_plot(const PlotView& plot) {
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
    for (const Str channel : {layer.x, layer.y, layer.lo, layer.hi, layer.series, layer.facet, layer.size}) {
      if (!channel.empty() && data->column(channel) == nullptr) return std::nullopt;
    }
    out.layers.push_back({layer.mark,
                          std::move(*data),
                          {text(layer.x), text(layer.y), text(layer.lo), text(layer.hi), text(layer.series),
                           text(layer.facet), text(layer.size)}});
  }
  for (const PlotReferenceView& r : plot.references) {
    out.references.push_back({r.from, r.to, text(r.label), r.on_y != 0, text(r.facet)});
  }
  if (out.layers.empty()) return std::nullopt;
  return out;
}

}  // namespace assay::testing
