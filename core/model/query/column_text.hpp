// Unit, meaning and source of columns for `.schema`: of the report model and of results.sqlite.
#pragma once

#include <string>
#include <string_view>

namespace assay::query {

struct ColumnText {
  std::string_view unit, meaning;
  std::string filled_by;  ///< names of formats, "nsys, torch", or the part of assay
};

/// All empty if the table or column is not assay's own.
ColumnText column_text(std::string_view table, std::string_view column);

}  // namespace assay::query
