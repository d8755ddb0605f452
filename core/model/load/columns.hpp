// Tables and columns of the report model by name: for messages, `assay describe`, and to check what a report has.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "assay/report.hpp"

namespace assay {

/// A table or column that an analyzer may name in kNeeds and kWants.
struct ColumnInfo {
  ColumnId id;
  std::string_view name;                        ///< "kernels", "kernels.registers"
  std::string_view table;                       ///< for people: "kernel table"
  bool (*has_table)(const Report&);             ///< the table was captured
  bool (*has_needed)(const Report&, ColumnId);  ///< like `has_column`, for the id

  /// Whether it has the column; for a table's own id: all core columns.
  [[nodiscard]] bool has_column(const Report& report) const { return has_needed(report, id); }
  /// Whether the report lacks the column; for a table's own id: the table is present but lacks a core column.
  [[nodiscard]] bool is_absent_from(const Report& report) const {
    const bool whole_table = (static_cast<unsigned>(id) & 0xFF) == 0;
    return (!whole_table || has_table(report)) && !has_column(report);
  }
};

/// All tables and columns, by id.
std::span<const ColumnInfo> column_infos();

/// Null if this host knows no such table or column.
const ColumnInfo* find_column(ColumnId id);

/// Id that fills this column of a table of Report, both by name: the id of the column, or that of the table if the
/// column has none. Empty if there is no such table.
std::optional<ColumnId> id_of_column(std::string_view table, std::string_view column);

/// Why `report` does not meet a need, e.g. "needs kernels: this report has no kernel table"; empty if it does.
std::string missing_need(const Report& report, ColumnId need);

}  // namespace assay
