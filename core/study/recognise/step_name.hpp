// Which ranges of a profile are its steps, by name.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "load/load.hpp"

namespace assay {

/// Columns that `step_name` looks at.
const std::set<ColumnId>& step_columns();

/// Folded name of the ranges that view_in_steps takes for steps where none are declared: "step_{i}". Empty: there are
/// none.
std::string step_name(const Report& report);

/// Those of all profiles, by file of the catalog: each profile is read, on all cores.
std::vector<std::string> step_names(const Catalog& catalog);

}  // namespace assay
