// Unit, meaning and source of a column, for `.schema`: of the report model and of results.sqlite.
#pragma once

#include <string>
#include <string_view>

namespace assay::query {

struct ColumnText {
  std::string_view unit, meaning;
  std::string filled_by;  ///< the words of formats, "nsys, torch", or which part of assay
};

/// All empty where the table or column is none of assay's own.
ColumnText column_text(std::string_view table, std::string_view column);

}  // namespace assay::query
