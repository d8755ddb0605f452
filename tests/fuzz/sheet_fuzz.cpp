// Sheets of any bytes, as CSV and as JSON: columns of one length under names that differ, or one sentence.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

#include "tables/table.hpp"

namespace assay::fuzz_of_sheet {

void check(const assay::Result<assay::SheetTexts>& table) {
  if (!table) {
    if (table.error().sentence.empty()) std::abort();
    return;
  }
  std::set<std::string_view> names;
  for (const auto& column : table->columns) {
    if (!names.insert(column.name).second || column.cells.size() != table->rows) std::abort();
    for (const auto& cell : column.cells) {
      for (const double number : cell.numbers) {
        if (!std::isfinite(number)) std::abort();
      }
    }
  }
}

extern "C" int sheet_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(assay::csv_table(bytes));
  check(assay::json_table(bytes));
  return 0;
}

}  // namespace assay::fuzz_of_sheet
