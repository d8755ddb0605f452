// Checks, completes, cleans and links the tables that a format filled; the same for all formats.
#pragma once

#include <optional>
#include <string>

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Problem of the cells as a predicate whose subject is the format: columns of different lengths; ids of texts,
/// threads, processes or rows that do not exist; values outside their enumeration; rows of a declared table that are
/// not in time order. Empty: none. Completes core columns that were not filled.
std::string check_tables(Profile::Store& store);

/// Cleans, sorts and links tables that passed `check_tables`, drops what is not wanted, and shifts times by `origin`.
/// `word`: of the format.
void finish_tables(Profile::Store& store, const WantedColumns& wanted, std::optional<std::int64_t> origin,
                   std::string_view word);

}  // namespace assay::load
