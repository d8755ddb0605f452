// The table `runs` of SQL.
#pragma once

#include <vector>

#include "catalog/catalog.hpp"
#include "query/session.hpp"

namespace assay::query {

/// Its rows for the profiles of a catalog.
std::vector<RunCells> run_cells(const Catalog& catalog);

}  // namespace assay::query
