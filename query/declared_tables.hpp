// Tables that formats declare, as tables of SQL.
#pragma once

#include "assay/format.hpp"
#include "query/model.hpp"

namespace assay::query {

/// With a column `duration` behind the end of an interval, and without the columns that every table gets.
SqlTable declared_table(const TableSpec& spec);

}  // namespace assay::query
