// Recognises Nsight Systems exports by their tables.
#pragma once

#include <string_view>

#include "assay/format.hpp"

namespace assay::load {

/// Whether only nsys creates tables with this name.
bool is_nsys_table(std::string_view name);

/// As is_nsys_table, ignoring case, as SQLite compares names.
bool is_nsys_table_in_any_case(std::string_view name);

/// Whether a file is a database with an nsys table. If it is still being written or its list of tables cannot be read:
/// whether its first bytes contain a CREATE TABLE text of nsys.
bool is_nsys_export(const FormatFile& file);

}  // namespace assay::load
