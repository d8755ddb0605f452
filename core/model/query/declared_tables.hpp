// Tables declared by formats, as SQL tables.
#pragma once

#include "assay/format.hpp"
#include "query/model.hpp"

namespace assay::query {

/// Adds a column `duration` after the end of an interval; without the columns that every table gets.
SqlTable declared_table(const TableSpec& spec);

}  // namespace assay::query
