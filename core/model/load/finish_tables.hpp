// What the host does with the tables that a format filled, the same for all: checked, completed, cleaned, linked.
#pragma once

#include <optional>
#include <string>

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// What is wrong with the cells, as the rest of a sentence that begins with the format: columns of different lengths,
/// ids of texts, threads, processes and rows that are none, values that are none of their enumeration, rows of a
/// declared table that are not in the order of their times. Empty: nothing. Completes core columns that were not
/// filled.
std::string check_tables(Profile::Store& store);

/// Cleans, sorts and links the tables of a store that `check_tables` found sound, drops what is not wanted, and moves
/// times by `origin`.
void finish_tables(Profile::Store& store, const WantedColumns& wanted, std::optional<std::int64_t> origin);

}  // namespace assay::load
