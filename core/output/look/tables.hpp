// Cells of the tables that analyzers give.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/facts.hpp"

namespace assay::look {

/// The table of an analyzer, or null.
const OwnedTable* table_of(const std::vector<OwnedTable>& tables, std::string_view analyzer, std::string_view id);

/// A column read by name; what the table does not have is empty or NaN.
class Cells {
 public:
  Cells(const OwnedTable& table, std::string_view column);
  [[nodiscard]] std::string text(std::size_t row) const;
  [[nodiscard]] double number(std::size_t row) const;

 private:
  const OwnedTable::Column* column_ = nullptr;
};

}  // namespace assay::look
