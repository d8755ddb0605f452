// How a profile is understood once it is read: which ranges are its steps, and which of its rows count nowhere.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "load/load.hpp"

namespace assay {

/// Columns that `step_name` needs.
const std::set<ColumnId>& step_columns();

/// Folded name of the ranges that are steps: "step_{i}". Empty: there are none.
std::string step_name(const Report& report);

/// Data of a profile for the table of how files were understood.
struct ProfileReading {
  std::string step = {};      ///< as step_name
  std::string left_out = {};  ///< "80 launches without kernels, 1000 impossible times": rows that count nowhere
};
ProfileReading reading_of(const Report& report);

/// Reads all profiles, on all cores; by file of the catalog.
std::vector<ProfileReading> read_each(const Catalog& catalog);

}  // namespace assay
