// Unit and meaning of a column of the report model, for `.schema`.
#pragma once

#include <string_view>

namespace assay::query {

struct ColumnText {
  std::string_view unit, meaning;
};

/// By its name, which means the same in every table; empty where the name says it all.
ColumnText column_text(std::string_view column);

}  // namespace assay::query
