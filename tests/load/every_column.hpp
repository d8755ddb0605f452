// All columns that a format may have.
#pragma once

#include <set>

#include "load/columns.hpp"

namespace assay {

inline std::set<ColumnId> every_column() {
  std::set<ColumnId> columns;
  for (const ColumnInfo& info : column_infos()) columns.insert(info.id);
  return columns;
}

}  // namespace assay
