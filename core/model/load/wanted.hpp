// Which columns to read.
#pragma once

#include <set>

#include "assay/report.hpp"

namespace assay::load {

/// Columns that analyzers want.
class WantedColumns {
 public:
  explicit WantedColumns(const std::set<ColumnId>& columns) : columns_(columns) {}
  /// Whether the table itself or any column of it is wanted.
  [[nodiscard]] bool table(ColumnId table) const;
  [[nodiscard]] bool column(ColumnId column) const { return columns_.contains(column); }

 private:
  const std::set<ColumnId>& columns_;
};

}  // namespace assay::load
