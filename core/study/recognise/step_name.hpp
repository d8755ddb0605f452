// What is understood of a profile once it is read: which ranges are its steps, and what of it counts nowhere.
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

/// What the table of what was understood has of a profile.
struct ProfileReading {
  std::string step = {};      ///< as step_name
  std::string left_out = {};  ///< "80 launches without kernels, 1000 impossible times": what counts nowhere
};
ProfileReading reading_of(const Report& report);

/// Those of all profiles, by file of the catalog: each profile is read, on all cores.
std::vector<ProfileReading> read_each(const Catalog& catalog);

}  // namespace assay
