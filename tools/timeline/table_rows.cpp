#include "timeline/table_rows.hpp"

#include <fmt/format.h>

namespace assay {
namespace {

constexpr std::string_view kTypes[] = {"texts", "integers", "numbers"};

std::size_t cells_of(const OwnedTable::Column& column, CellType type) {
  if (column.type != type) return 0;
  return type == CellType::kText      ? column.texts.size()
         : type == CellType::kInteger ? column.integers.size()
                                      : column.numbers.size();
}

}  // namespace

Result<std::vector<const OwnedTable::Column*>> columns_of(const OwnedTable& table,
                                                          std::span<const TableColumn> wanted) {
  std::vector<const OwnedTable::Column*> columns;
  for (const auto& [name, type] : wanted) {
    columns.push_back(table.find(name));
    if (columns.back() != nullptr && columns.back()->type == type && cells_of(*columns.back(), type) == table.rows())
      continue;
    return Error{fmt::format("table '{}' of the analyzer '{}' has no column '{}' of {} in every row", table.id,
                             table.analyzer, name, kTypes[static_cast<std::size_t>(type)]),
                 Exit::kFailed}
        .at(table.id)
        .advise("is it another version of that analyzer, from --plugin-path or ASSAY_PLUGIN_PATH?");
  }
  return columns;
}

}  // namespace assay
