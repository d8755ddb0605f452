// The ranges of a report as a tree of folded paths, as a table of SQL.
#pragma once

#include "query/model.hpp"

namespace assay::query {

/// Without the columns that every table gets. Its rows are computed from ranges, calls and device work.
SqlTable range_paths();

}  // namespace assay::query
