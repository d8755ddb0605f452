#include "sql/run_cells.hpp"

#include "runs/run_table.hpp"

namespace assay::query {

std::vector<RunCells> run_cells(const Catalog& catalog) {
  std::vector<RunCells> all;
  const auto text = [](const std::string& value) { return value.empty() ? std::optional<std::string>() : value; };
  const auto number = [](std::int64_t value, std::int64_t unknown) {
    return value == unknown ? std::optional<std::string>() : std::to_string(value);
  };
  for (const RunRow& row : run_table(catalog, {}, true).rows) {
    all.push_back({catalog.files[row.file].name, std::to_string(row.run), text(row.configuration), text(row.role),
                   number(row.rank, -1), number(row.world, -1), number(row.process, 0), number(row.device, -1),
                   number(row.capture, 0), std::to_string(row.repeat), text(row.host), number(row.start, kNoTime),
                   text(row.evidence)});
  }
  return all;
}

}  // namespace assay::query
