#include "look/tables.hpp"

#include <algorithm>
#include <limits>

namespace assay::look {

const OwnedTable* table_of(const std::vector<OwnedTable>& tables, std::string_view analyzer, std::string_view id) {
  const auto at = std::find_if(tables.begin(), tables.end(), [&](const OwnedTable& t) {
    return (analyzer.empty() || t.analyzer == analyzer) && t.id == id;
  });
  return at == tables.end() ? nullptr : &*at;
}

Cells::Cells(const OwnedTable& table, std::string_view column) : column_(table.find(column)) {}

std::string Cells::text(std::size_t row) const {
  return column_ != nullptr && column_->type == CellType::kText ? column_->texts[row] : std::string();
}

double Cells::number(std::size_t row) const {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  if (column_ == nullptr || column_->type == CellType::kText) return kNothing;
  if (column_->type == CellType::kNumber) return column_->numbers[row];
  return column_->integers[row] == kNoInteger ? kNothing : static_cast<double>(column_->integers[row]);
}

}  // namespace assay::look
