// Exports of Nsight Systems, told by their tables.
#pragma once

#include <string_view>

#include "load/format.hpp"

namespace assay::load {

/// Whether only nsys makes tables of that name.
bool is_nsys_table(std::string_view name);

/// The same of names that differ from nsys' own in the case of letters at most, as SQLite compares names.
bool is_nsys_table_in_any_case(std::string_view name);

/// Whether a file is a database with a table of nsys. Of one that is being written or whose list of tables cannot be
/// followed: whether its first bytes hold the text by which nsys makes a table.
bool is_nsys_export(const Candidate& file);

}  // namespace assay::load
