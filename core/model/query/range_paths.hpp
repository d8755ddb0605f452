// The ranges of a report as a tree of folded paths, as an SQL table.
#pragma once

#include "query/model.hpp"

namespace assay::query {

/// Without the columns that every table gets. Rows are computed from ranges, calls and device work.
SqlTable range_paths();

}  // namespace assay::query
