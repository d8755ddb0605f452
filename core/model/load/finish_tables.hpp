// Checks, completes, cleans and links the tables that a format filled; the same for all formats.
#pragma once

#include <optional>
#include <string>

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// What a format states of its tables beside their cells.
struct StatedByFormat {
  std::optional<std::int64_t> origin;  ///< time that becomes 0
  std::int64_t epoch = 0;              ///< time 0 of its clock, in ns since the epoch
  bool any_runtime = false;            ///< its calls may be of any vendor's runtime
  bool operators = false;              ///< external ids of kernels name their operators, whatever surrounds the launch
};

/// Problem of the cells as a predicate whose subject is the format: columns of different lengths; ids of texts,
/// threads, processes or rows that do not exist; values outside their enumeration; rows of a declared table that are
/// not in time order. Empty: none. Completes core columns that were not filled.
std::string check_tables(Profile::Store& store);
/// Of declared tables alone.
std::string check_declared(Profile::Store& store);

/// Cleans, sorts and links tables that passed `check_tables`, and shifts times. `word`: of the format.
void finish_tables(Profile::Store& store, const WantedColumns& wanted, const StatedByFormat& stated,
                   std::string_view word);
/// Drops what is not wanted: what was filled for links, or for tables that are derived.
void drop_unwanted(Profile::Store& store, const WantedColumns& wanted);

}  // namespace assay::load
