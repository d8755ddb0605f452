// Tables and plots as kept by a Recorder: copies that own their texts.
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

/// A column; only the cells of its `type` are filled.
struct RecordedColumn {
  std::string name, unit;
  CellType type = CellType::kText;
  std::vector<std::string> texts;
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
};

/// A table with columns of equal length.
struct RecordedTable {
  std::string id, title;
  std::vector<RecordedColumn> columns;

  /// The column of that name; null if the table has no such column.
  [[nodiscard]] const RecordedColumn* column(std::string_view name) const {
    const auto at =
        std::find_if(columns.begin(), columns.end(), [&](const RecordedColumn& c) { return c.name == name; });
    return at == columns.end() ? nullptr : &*at;
  }
};

/// Copy of a table; empty if its columns differ in length or two share a name.
std::optional<RecordedTable> recorded_table(const TableView& table);
/// Appends a table; kMalformed: it has no id or no columns, or recorded_table refuses it; kDuplicate: `to` has its id.
Emit add_table(const TableView& table, std::vector<RecordedTable>& to);

/// Appends the rows of `more`. Returns false, with `to` unchanged, if names, units or types of the columns differ.
bool append_rows(RecordedTable& to, const RecordedTable& more);

struct RecordedLayer {
  PlotMark mark = PlotMark::kPoint;
  RecordedTable data;
  PlotEncoding encoding;
};

/// A plot; members as in Plot.
struct RecordedPlot {
  std::string id, title, caption;
  PlotAxis x, y;
  std::string series_title;
  std::vector<RecordedLayer> layers;
  std::vector<PlotReference> references;
  std::vector<std::int64_t> evidence;
};

/// Copy of a plot; empty if it has no layer, a layer's table is malformed or has no x or y, or a channel refers to a
/// missing column.
std::optional<RecordedPlot> recorded_plot(const PlotView& plot);

}  // namespace assay::testing
